"""Looking for what a question asks: papers, their sentences as evidence, and whether that is enough."""

from __future__ import annotations

from collections.abc import Sequence

from citewell.answer import Answer, NoticeKind
from citewell.answering.answerability import PART_BAR, STRICTNESS, decide, fitting, paper_signals
from citewell.answering.builder import AnswerBuilder, Retrieved, quoted
from citewell.answering.evidence import Evidence, EvidenceFinder
from citewell.hit import Hit
from citewell.library import Snapshot
from citewell.query import Query
from citewell.refusal import RefusalKind
from citewell.request import Request
from citewell.retrieval import HybridSearch
from citewell.retrieval.reranker import Reranker
from citewell.settings import Settings
from citewell.understanding import understand

HITS = 10
SURVEY_HITS = 60


class EvidenceSearch:
    """Searches one snapshot of a library for evidence."""

    def __init__(self, snapshot: Snapshot, settings: Settings, reranker: Reranker | None = None) -> None:
        self.snapshot = snapshot
        self._bar = STRICTNESS[settings.strictness]
        self._search = HybridSearch(snapshot, reranker)
        self._evidence = EvidenceFinder(snapshot)

    def papers(self, query: Query, builder: AnswerBuilder, count: int = HITS) -> tuple[Hit, ...]:
        """The best papers for a query."""
        result = self._search.look_up(query) or self._search.search(query, count)
        builder.add_timings(result.timings)
        if result.trouble:
            builder.tell(NoticeKind.WORDS_ONLY, reason=result.trouble)
        return result.hits

    def retrieve(self, query: Query, builder: AnswerBuilder, bar: float = 0.0) -> Retrieved:
        """Search for one question and decide whether what was found answers it; `bar` are log-odds to be reached."""
        hits = self.papers(query, builder, SURVEY_HITS if query.is_survey else HITS)
        with builder.timed("evidence"):
            evidence: Sequence[Sequence[Evidence]] = self._evidence.find(query, hits)
            each = paper_signals(query, hits, evidence, self.snapshot)
            refusal = decide(query, hits, each, self.snapshot, bar + self._bar)
            if query.is_survey:
                evidence = fitting(query, evidence, each)
        return Retrieved(query, hits, evidence, refusal)

    def retrieve_all(self, queries: Sequence[Query], request: Request, builder: AnswerBuilder) -> None:
        """Search for each part of a question; what no part finds alone, the whole may."""
        bar = PART_BAR if len(queries) > 1 else 0.0
        builder.retrieved += [self.retrieve(query, builder, bar) for query in queries]
        if len(queries) > 1 and all(each.refusal is not None for each in builder.retrieved):
            builder.retrieved = [self.retrieve(understand(request, self.snapshot), builder)]

    def best_answering(self, query: Query, builder: AnswerBuilder) -> Hit | None:
        """The best paper for a query, when it answers it."""
        hits = () if query.named else self.papers(query, builder)
        each = paper_signals(query, hits, self._evidence.find(query, hits), self.snapshot)
        return hits[0] if hits and decide(query, hits, each, self.snapshot) is None else None

    def refused(self, builder: AnswerBuilder) -> Answer:
        """The refusal; when a paper is there but does not say it, with what it does state that is nearest."""
        first = builder.retrieved[0]
        assert first.refusal is not None
        if first.refusal.kind is not RefusalKind.NOT_STATED or not first.refusal.nearest:
            return builder.answer(refusal=first.refusal)
        own = [own for own in first.evidence if own and own[0].paper.id == first.refusal.nearest[0].id]
        sentences, sources = quoted([max(own[0], key=lambda item: item.score)] if own else [])
        return builder.answer(sentences, sources, refusal=first.refusal)
