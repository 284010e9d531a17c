"""What is gathered on the way to one answer: searches, notices, timings, and quotes with their numbers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from rag.answering import prompts
from rag.answering.evidence import Evidence
from rag.answering.refusal import NEAREST, unknown_names
from rag.library import Library
from rag.records import (
    Answer,
    Citation,
    Comparison,
    Filters,
    Hit,
    Paper,
    Refusal,
    RefusalKind,
    Sentence,
    Source,
    Support,
)
from rag.retrieval import Query
from rag.timing import timed

EXTRACTIVE = "extractive"


@dataclass(frozen=True, slots=True)
class Look:
    """What was found for one question, and why that does not answer it, if so."""

    query: Query
    hits: Sequence[Hit]
    evidence: Sequence[Sequence[Evidence]]
    refusal: Refusal | None


@dataclass(slots=True)
class Work:
    """What has been found and said so far on the way to one answer."""

    question: str
    looks: list[Look] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)

    def timed(self, step: str) -> AbstractContextManager[None]:
        """Add the seconds inside to the step's time."""
        return timed(self.timings, step)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Everything found, each paper once."""
        return tuple({hit.paper.id: hit for look in reversed(self.looks) for hit in look.hits}.values())

    def name_what_is_missing(self, library: Library) -> None:
        """Say which part of the question, or which name in it, the answer will not be about."""
        for look in self.looks:
            if look.refusal is not None:
                self.notices.append(prompts.MISSING_PART.format(part=look.query.text))
            else:
                self.name_unknown(look.query, library)

    def name_unknown(self, query: Query, library: Library) -> None:
        """Say which names in the question stand nowhere in the library."""
        self.notices.extend(prompts.UNKNOWN_NAME.format(name=name) for name in unknown_names(query, library))

    def not_in_library(self) -> Refusal:
        nearest = tuple(hit.paper for hit in self.hits[:NEAREST])
        return Refusal(RefusalKind.NOT_IN_LIBRARY, prompts.NOT_IN_LIBRARY, nearest)

    def answer(
        self,
        sentences: tuple[Sentence, ...] = (),
        sources: tuple[Source, ...] = (),
        refusal: Refusal | None = None,
        writer: str = EXTRACTIVE,
        raw_text: str = "",
        draft: tuple[Sentence, ...] = (),
        table: Comparison | None = None,
        claim: str = "",
    ) -> Answer:
        """The finished answer, with everything gathered on the way."""
        total = time.perf_counter() - self.began
        return Answer(
            question=" ".join(self.question.split()),
            sentences=sentences,
            sources=sources,
            comparison=table,
            claim=claim,
            refusal=refusal,
            writer=writer,
            timings={step: round(seconds, 6) for step, seconds in (self.timings | {"total": total}).items()},
            notices=tuple(self.notices),
            raw_text=raw_text,
            draft=draft,
            hits=self.hits,
            filters=self.looks[0].query.filters if self.looks else Filters(),
        )


def quoted(chosen: Sequence[Evidence]) -> tuple[tuple[Sentence, ...], tuple[Source, ...]]:
    """The chosen sentences as quotes, and their papers numbered by first use."""
    numbers: dict[str, int] = {}
    papers: dict[str, Paper] = {}
    sentences = []
    for item in chosen:
        number = numbers.setdefault(item.paper.id, len(numbers) + 1)
        papers[item.paper.id] = item.paper
        citation = Citation.of(number, item.paper, item.start, item.end)
        sentences.append(Sentence(item.text, (citation,), Support.SUPPORTED))
    return tuple(sentences), tuple(Source(number, papers[paper_id]) for paper_id, number in numbers.items())
