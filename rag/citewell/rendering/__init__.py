"""Answers as text: cut into blocks once, then printed as Markdown, JSON, or by a face of its own (terminal, page)."""
