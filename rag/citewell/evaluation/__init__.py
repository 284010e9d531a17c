"""Question sets run through the assistant, and what they show."""
