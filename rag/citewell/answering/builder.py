"""What is gathered on the way to one answer: searches, notices, timings, and quotes with their numbers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from citewell.answer import Answer, Notice, NoticeKind
from citewell.answering.answerability import NEAREST
from citewell.answering.evidence import Evidence
from citewell.citation import Citation, Source
from citewell.comparison import Comparison
from citewell.filters import Filters
from citewell.hit import Hit
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.query import Query
from citewell.refusal import Refusal, RefusalKind
from citewell.sentence import Sentence, Support
from citewell.timing import timed
from citewell.understanding.names import unknown_names


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was found for one question, and why that does not answer it, if so."""

    query: Query
    hits: Sequence[Hit]
    evidence: Sequence[Sequence[Evidence]] = ()
    refusal: Refusal | None = None


@dataclass(slots=True)
class AnswerBuilder:
    """What has been found and said so far on the way to one answer."""

    question: str
    retrieved: list[Retrieved] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)

    def timed(self, step: str) -> AbstractContextManager[None]:
        """Add the seconds inside to the step's time."""
        return timed(self.timings, step)

    def add_timings(self, timings: dict[str, float]) -> None:
        for step, seconds in timings.items():
            self.timings[step] = self.timings.get(step, 0.0) + seconds

    def tell(self, kind: NoticeKind, **values: str | int) -> None:
        """A notice, once."""
        notice = Notice(kind, values)
        if notice not in self.notices:
            self.notices.append(notice)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Everything found, each paper once."""
        return tuple({hit.paper.id: hit for each in reversed(self.retrieved) for hit in each.hits}.values())

    def name_what_is_missing(self, snapshot: Snapshot) -> None:
        """Say which part of the question, or which name in it, the answer will not be about."""
        for each in self.retrieved:
            if each.refusal is not None:
                self.tell(NoticeKind.MISSING_PART, part=each.query.text)
            else:
                self.name_unknown(each.query, snapshot)

    def name_unknown(self, query: Query, snapshot: Snapshot) -> None:
        """Say which names in the question stand nowhere in the library."""
        for name in unknown_names(query, snapshot):
            self.tell(NoticeKind.UNKNOWN_NAME, name=name)

    def not_in_library(self) -> Refusal:
        return Refusal(RefusalKind.NOT_IN_LIBRARY, tuple(hit.paper for hit in self.hits[:NEAREST]))

    def answer(
        self,
        sentences: tuple[Sentence, ...] = (),
        sources: tuple[Source, ...] = (),
        *,
        refusal: Refusal | None = None,
        model: str = "",
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
            model=model,
            timings={step: round(seconds, 6) for step, seconds in (self.timings | {"total": total}).items()},
            notices=tuple(self.notices),
            raw_text=raw_text,
            draft=draft,
            hits=self.hits,
            filters=self.retrieved[0].query.filters if self.retrieved else Filters(),
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
