"""What a conversation has on the table: the papers of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from citewell.answer import Answer
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.refusal import RefusalKind


@dataclass(slots=True)
class Context:
    """What the conversation has on the table: every paper cited so far, the last answer's, the one in focus."""

    snapshot: Snapshot
    answers: Sequence[Answer]
    cited: dict[str, Paper] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for answer in self.answers:
            self.cited |= {paper.id: paper for paper in papers_of(answer)}

    @property
    def last(self) -> list[Paper]:
        """The papers of the last answer that had any."""
        return next((found for answer in reversed(self.answers) if (found := papers_of(answer))), [])

    def recent(self, count: int) -> list[Paper]:
        """The last `count` papers cited, each counted where it was cited last, oldest first."""
        order: dict[str, Paper] = {}
        for answer in self.answers:
            for paper in papers_of(answer)[: 1 if answer.comparison is None else None]:
                order.pop(paper.id, None)
                order[paper.id] = paper
        return list(order.values())[-count:]

    @property
    def question(self) -> str:
        """The last question that was answered."""
        return next((answer.question for answer in reversed(self.answers) if papers_of(answer)), "")


def papers_of(answer: Answer) -> list[Paper]:
    """The papers of an answer, in the order of their numbers."""
    if answer.comparison is not None:
        return list(answer.comparison.papers)
    found = [source.paper for source in answer.sources]
    return found or (
        list(answer.refusal.nearest[:1]) if answer.refusal and answer.refusal.kind is RefusalKind.NOT_STATED else []
    )
