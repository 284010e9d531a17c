"""A paper of the library, and the passages of its abstract that are embedded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from citewell.text.names import LABEL_WORDS, own_name


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper of the library.

    `id` is assigned when the paper is first added and never changes. `title_from_text` marks a title that
    is a label cut from the abstract, because no title was given. `identifiers` are `kind:value` strings
    (`doi:10.1/x`, `openreview:AbC`); `files` are the names of the files the paper was read from.
    """

    id: str
    title: str
    abstract: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    url: str = ""
    doi: str = ""
    identifiers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    title_from_text: bool = False

    def facts(self) -> dict[str, Any]:
        """The bibliographic fields, as every JSON output and LangChain document carries them."""
        return {
            "paper_id": self.id,
            "title": self.title,
            "authors": list(self.authors),
            "year": self.year,
            "venue": self.venue,
            "url": self.url,
            "doi": self.doi,
        }

    @property
    def label(self) -> str:
        """What the paper is called in running text: its method's name, else the head of its title."""
        if name := own_name(self.title, self.abstract):
            return name
        words = self.title.split()
        return " ".join(words[:LABEL_WORDS]) + ("…" if len(words) > LABEL_WORDS else "")

    @property
    def has_name(self) -> bool:
        """Whether the paper is known by a name of its own rather than by its title alone."""
        return bool(own_name(self.title, self.abstract)) or len(self.title.split()) <= LABEL_WORDS

    def short_reference(self) -> str:
        """Author and year as they stand in running text: `Liao et al., 2025`."""
        names = [family_name(name) for name in self.authors if name.strip()]
        if not names:
            who = ""
        elif len(names) == 1:
            who = names[0]
        elif len(names) == 2:
            who = f"{names[0]} and {names[1]}"
        else:
            who = f"{names[0]} et al."
        return ", ".join(part for part in (who, str(self.year or "")) if part)


def family_name(name: str) -> str:
    """The family name of `Wenbo Guo`, `Guo, Wenbo` or `Guo W.`."""
    if "," in name:
        return name.split(",")[0].strip()
    words = name.split()
    while len(words) > 1 and re.fullmatch(r"(?:[A-Z]\.?-?){1,4}|(?:Jr|Sr|II|III|IV)\.?", words[-1]):
        words.pop()
    return words[-1]


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of one abstract that was embedded as a unit: `text == abstract[start:end]`."""

    paper_id: str
    text: str
    start: int
    end: int

    @property
    def id(self) -> str:
        """The key in the vector store; it carries the offsets, so it changes when the cut changes."""
        return f"{self.paper_id}:{self.start}-{self.end}"
