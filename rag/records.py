"""The nouns of Citewell: frozen, typed, shared by the command line, the screens, evaluation and tests.

Offsets are character offsets into `Paper.abstract`; a quote is always exactly `abstract[start:end]`.
Bibliographic fields are printed from a `Paper`, never from text that a model wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from rag.text.words import plain


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
class Filters:
    """What a paper must be: each field that is set must hold. Years count inclusively; texts match any of theirs."""

    year_from: int | None = None
    year_to: int | None = None
    venues: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != Filters()

    def admits(self, paper: Paper) -> bool:
        """Whether a paper passes every filter."""
        year = paper.year
        if self.year_from is not None and (year is None or year < self.year_from):
            return False
        if self.year_to is not None and (year is None or year > self.year_to):
            return False
        if self.venues and not any(_same_venue(venue, paper.venue) for venue in self.venues):
            return False
        if self.authors and not all(any(_same_author(a, b) for b in paper.authors) for a in self.authors):
            return False
        return not self.sources or bool({name.casefold() for name in self.sources} & _folded(paper.sources))

    def joined(self, other: Filters) -> Filters:
        """Both at once; where both say something, `other` counts."""
        return Filters(
            year_from=self.year_from if other.year_from is None and other.year_to is None else other.year_from,
            year_to=self.year_to if other.year_from is None and other.year_to is None else other.year_to,
            venues=other.venues or self.venues,
            authors=other.authors or self.authors,
            sources=other.sources or self.sources,
        )

    def labels(self) -> dict[str, Filters]:
        """What is shown for each part, and these filters without it."""
        found: dict[str, Filters] = {}
        if self.year_from is not None or self.year_to is not None:
            found[self._years] = replace(self, year_from=None, year_to=None)
        for kind, name in (("venues", "venue"), ("authors", "author"), ("sources", "source")):
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


def _same_venue(wanted: str, venue: str) -> bool:
    wanted, venue = plain(wanted).casefold(), plain(venue).casefold()
    return wanted == venue or re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", venue) is not None


@lru_cache(maxsize=1_000)
def _name_parts(name: str) -> tuple[list[str], list[str]]:
    """The folded words of a name, and those of its family name."""
    parts = [plain(part).casefold() for part in re.split(r"[\s,.]+", name) if part]
    return parts, plain(family_name(name)).casefold().split()


def _same_author(wanted: str, author: str) -> bool:
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

    @classmethod
    def of(cls, number: int, paper: Paper, start: int, end: int) -> Citation:
        """The words of a paper's abstract between two offsets, as source `number`."""
        return cls(number, paper.id, paper.abstract[start:end], start, end)


class Support(StrEnum):
    """What the cited abstract does for a sentence."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer, without its `[n]` markers, with its citations and verdict.

    `reason` says why the verdict is not "supported"; `group` is the heading under which the sentence stands.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    support: Support = Support.UNCITED
    reason: str = ""
    group: str = ""


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
    """A table of papers (columns) by aspects (rows); `swapped` shows the papers as rows."""

    papers: tuple[Paper, ...]
    rows: tuple[ComparisonRow, ...]
    swapped: bool = False

    def grid(self, headings: Iterable[str]) -> list[list[str]]:
        """The table as rows of texts, its heading first; `headings` are the papers' names."""
        rows = [["", *headings], *([row.aspect, *(cell.text for cell in row.cells)] for row in self.rows)]
        return [list(column) for column in zip(*rows, strict=True)] if self.swapped else rows


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
    model wrote before any check; empty for the extractive writer. `draft` are a model's sentences that are folded
    away behind quotes because most of them are unsupported. `filters` were in force. Beside a refusal, `sentences` are
    what the paper asked about does state. With a `claim` that was looked for, `sentences` are the words that say it,
    and their verdicts are those of the claim.
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
    draft: tuple[Sentence, ...] = ()
    hits: tuple[Hit, ...] = ()
    filters: Filters = field(default_factory=Filters)
    claim: str = ""

    @property
    def is_quoted(self) -> bool:
        """Whether every sentence is a quote that answers for itself, so that no verdict needs showing."""
        return self.writer == "extractive" and self.comparison is None and not self.claim

    @property
    def supported(self) -> tuple[int, int]:
        """How many sentences that state something are supported, and how many there are."""
        stating = [sentence for sentence in self.sentences if sentence.citations or self.writer != "extractive"]
        return sum(sentence.support is Support.SUPPORTED for sentence in stating), len(stating)
