"""What every reader gives: drafts of papers, and failures with the place and the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Draft:
    """One record of a file, before the library has decided which paper it is.

    `record` is the place in the file as a user would count it (from 1), `line` the line it starts on.
    `original` is the abstract as the file has it, when cleaning changed more than blanks.
    """

    record: int
    line: int
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    url: str = ""
    doi: str = ""
    identifiers: tuple[str, ...] = ()
    original: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A record that could not be used, where it stands, and why."""

    record: int
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class BibliographyFile:
    """A file recognised as a bibliography; `items` is read once, as it is consumed."""

    path: str
    format: str
    encoding: str
    items: Iterator[Draft | Failure]
