"""The values by which the papers of a library can be filtered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from citewell.paper import family_name
from citewell.text.tokens import plain


@dataclass(frozen=True)
class Facets:
    """The distinct years, venues, authors (as written) and file names of a library.

    The counts tell how many papers have each value.
    """

    years: tuple[int, ...] = ()
    venues: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    year_counts: Mapping[int, int] = field(default_factory=Counter)
    venue_counts: Mapping[str, int] = field(default_factory=Counter)

    @cached_property
    def author_names(self) -> frozenset[str]:
        """Every form in which an author may be named: family name, given and family name, as written; folded."""
        names: set[str] = set()
        for author in self.authors:
            family = family_name(author)
            given = author.split(",")[1].strip() if "," in author else author.removesuffix(family).strip()
            names |= {plain(text).casefold() for text in (family, f"{given} {family}".strip(), author)}
            names |= {plain(f"{first} {family}").casefold() for first in given.split()[:1]}
        return frozenset(names)

    @cached_property
    def venue_names(self) -> tuple[str, ...]:
        """Venues as written and the acronyms in them, longest first."""
        names: set[str] = set()
        for venue in self.venues:
            names |= {venue, venue.upper()} if len(venue) > 2 else set()
            names |= set(re.findall(r"\b[A-Z][A-Za-z]*[A-Z]{2,}[A-Za-z]*\b", venue))
        return tuple(sorted(names, key=len, reverse=True))
