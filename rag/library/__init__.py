"""The library: a catalog of papers (SQLite, the source of truth); vectors (Chroma) and word index derive from it."""

from rag.library.library import Library

__all__ = ["Library"]
