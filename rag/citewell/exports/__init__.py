"""Papers and tables out again, in the formats that other tools read."""
