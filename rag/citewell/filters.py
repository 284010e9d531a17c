"""What a paper must be: filters on year, venue, author and file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from citewell.paper import Paper, family_name
from citewell.text.tokens import plain


@dataclass(frozen=True, slots=True)
class Filters:
    """What a paper must be: each field that is set must hold.

    Years count inclusively; of venues and files one must be the paper's; of authors every one must be among its own.
    """

    year_from: int | None = None
    year_to: int | None = None
    venues: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("venues", "authors", "files"):
            value = getattr(self, name)
            if isinstance(value, str) or not all(isinstance(item, str) for item in value):
                raise TypeError(f"Filters.{name} is a tuple of texts, not {value!r}.")
            object.__setattr__(self, name, tuple(value))
        for name in ("year_from", "year_to"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
                raise TypeError(f"Filters.{name} is a whole number or None, not {value!r}.")

    def __bool__(self) -> bool:
        return self != Filters()

    def admits(self, paper: Paper) -> bool:
        """Whether a paper passes every filter."""
        return (
            self.admits_year(paper.year)
            and (not self.venues or any(same_venue(venue, paper.venue) for venue in self.venues))
            and all(any(same_author(wanted, author) for author in paper.authors) for wanted in self.authors)
            and (not self.files or bool(_folded(self.files) & _folded(paper.files)))
        )

    def admits_year(self, year: int | None) -> bool:
        """Whether a year lies within the bounds; a paper without one lies within none."""
        if self.year_from is None and self.year_to is None:
            return True
        if year is None:
            return False
        return (self.year_from is None or year >= self.year_from) and (self.year_to is None or year <= self.year_to)

    def joined(self, other: Filters) -> Filters:
        """Both at once; where both say something, `other` counts."""
        own_years = other.year_from is None and other.year_to is None
        return Filters(
            year_from=self.year_from if own_years else other.year_from,
            year_to=self.year_to if own_years else other.year_to,
            venues=other.venues or self.venues,
            authors=other.authors or self.authors,
            files=other.files or self.files,
        )

    def labels(self) -> dict[str, Filters]:
        """What is shown for each part, and these filters without it."""
        found: dict[str, Filters] = {}
        if self.year_from is not None or self.year_to is not None:
            found[self._years] = replace(self, year_from=None, year_to=None)
        for kind, name in (("venues", "venue"), ("authors", "author"), ("files", "file")):
            values: tuple[str, ...] = getattr(self, kind)
            for value in values:
                left = tuple(other for other in values if other != value)
                found[f"{name}: {value}"] = replace(self, **{kind: left})  # type: ignore[arg-type]
        return found

    @property
    def _years(self) -> str:
        if self.year_from == self.year_to:
            return f"year: {self.year_from}"
        if self.year_to is None:
            return f"year: since {self.year_from}"
        if self.year_from is None:
            return f"year: until {self.year_to}"
        return f"year: {self.year_from}–{self.year_to}"


def _folded(names: Iterable[str]) -> set[str]:
    return {name.casefold() for name in names}


def same_venue(wanted: str, venue: str) -> bool:
    """Whether a venue is meant by its name or by whole words of it."""
    wanted, venue = plain(wanted).casefold(), plain(venue).casefold()
    return wanted == venue or re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", venue) is not None


@lru_cache(maxsize=1_000)
def _name_parts(name: str) -> tuple[list[str], list[str]]:
    """The folded words of a name, and those of its family name."""
    parts = [plain(part).casefold() for part in re.split(r"[\s,.]+", name) if part]
    return parts, plain(family_name(name)).casefold().split() if name.strip() else []


def same_author(wanted: str, author: str) -> bool:
    """Whether an author is meant by a family name or by given and family name, initials allowed."""
    parts, wanted_family = _name_parts(wanted)
    # Most authors of a library share no word with the one who is wanted.
    folded = plain(author).casefold()
    if not any(words and words[-1] in folded for words in (parts, wanted_family)):
        return False
    own, family = _name_parts(author)
    if parts in (family, own):
        return True
    rest = [part for part in parts if part not in wanted_family]
    return wanted_family == family and all(any(o.startswith(p) or p.startswith(o) for o in own) for p in rest)
