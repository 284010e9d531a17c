"""Does an abstract say what a sentence says? Usable on anybody's text."""
