"""The library: a catalog of papers (the source of truth); vectors and word index derive from it."""

from citewell.library.library import Library
from citewell.library.snapshot import Snapshot

__all__ = ["Library", "Snapshot"]
