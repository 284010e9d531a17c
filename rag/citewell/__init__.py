"""Citewell: cited answers over a library of paper abstracts (everything that is not a screen)."""

__version__ = "0.1.0"
