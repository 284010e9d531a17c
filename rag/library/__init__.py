"""The library: a catalog of papers (SQLite, the source of truth) with vectors (Chroma) and a word index derived from it."""

from rag.library.library import Library

__all__ = ["Library"]
