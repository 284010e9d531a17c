"""The nouns of Citewell: frozen, typed, shared by the command line, the screens, evaluation and tests.

Offsets are character offsets into `Paper.abstract`; a quote is always exactly `abstract[start:end]`.
Bibliographic fields are printed from a `Paper`, never from text that a model wrote.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper of the library.

    `id` is assigned when the paper is first added and never changes. `title_from_text` marks a title that
    is a label cut from the abstract, because no title was given. `identifiers` are `kind:value` strings
    (`doi:10.1/x`, `openreview:AbC`); `sources` are the names of the files the paper was read from.
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
    sources: tuple[str, ...] = ()
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


@dataclass(frozen=True, slots=True)
class Hit:
    """A paper found by search.

    `score` is the fused score (higher is better, comparable within one search only); `dense` is the best
    cosine similarity of its passages, `words` its BM25 score; the ranks count from 1 and are None when
    that leg did not find the paper.
    """

    paper: Paper
    score: float
    passages: tuple[Passage, ...] = ()
    dense: float = 0.0
    words: float = 0.0
    dense_rank: int | None = None
    words_rank: int | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """Source number `number` of the answer, and the words of its abstract that are meant."""

    number: int
    paper_id: str
    quote: str
    start: int
    end: int


class Support(StrEnum):
    """What the cited abstract does for a sentence."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer, without its `[n]` markers, with its citations and verdict."""

    text: str
    citations: tuple[Citation, ...] = ()
    support: Support = Support.UNCITED


@dataclass(frozen=True, slots=True)
class Source:
    """A cited paper and its number in the answer (numbered by first use, from 1)."""

    number: int
    paper: Paper


@dataclass(frozen=True, slots=True)
class ComparisonCell:
    """What one paper says on one aspect, or the fixed words that it does not say."""

    paper_id: str
    text: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One aspect across the compared papers."""

    aspect: str
    cells: tuple[ComparisonCell, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table of papers (columns) by aspects (rows)."""

    papers: tuple[Paper, ...]
    rows: tuple[ComparisonRow, ...]


class RefusalKind(StrEnum):
    """Why there is no answer."""

    NOT_IN_LIBRARY = "not-in-library"
    NOT_STATED = "not-stated"
    NO_ABSTRACT = "no-abstract"
    NOTHING_MATCHES = "nothing-matches"
    EMPTY_LIBRARY = "empty-library"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A plain no: its kind, the sentence shown, and the nearest papers."""

    kind: RefusalKind
    reason: str
    nearest: tuple[Paper, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one question.

    `writer` is `extractive` or the model's name. `timings` holds seconds per step. `notices` are plain
    messages for the user (a model that could not be reached, markers removed). `raw_text` is what the
    model wrote before any check; empty for the extractive writer.
    """

    question: str
    sentences: tuple[Sentence, ...] = ()
    sources: tuple[Source, ...] = ()
    comparison: Comparison | None = None
    refusal: Refusal | None = None
    writer: str = "extractive"
    timings: Mapping[str, float] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    raw_text: str = ""
    hits: tuple[Hit, ...] = ()
