"""Hybrid search over papers: passages by meaning (Chroma) and words (BM25), fused over one pool of candidates."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from citewell.filters import Filters
from citewell.hit import Hit
from citewell.library import Snapshot
from citewell.paper import Paper, Passage
from citewell.query import Query
from citewell.retrieval.fusion import SENTENCE_SHARE, Matrix, Scores, fuse, with_feedback
from citewell.text.tokens import plain, raw_words
from citewell.timing import timed

if TYPE_CHECKING:
    from citewell.retrieval.reranker import Reranker

PASSAGES = 150
POOL = 100
# Up to so many papers that pass a filter are compared one by one; beyond, the nearest passages are sifted.
FEW_ADMITTED = 3_000
RERANKED = 20
# Words from which a question is also looked for word by word: a pasted sentence finds its own abstract.
PASTED, QUOTED_AMONG = 6, 15


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first; `trouble` says why meaning could not be searched; `timings` are seconds per step."""

    hits: tuple[Hit, ...]
    trouble: str = ""
    timings: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class _Legs:
    """What each leg found, best first, and the scores that are known so far."""

    passages: dict[str, list[Passage]] = field(default_factory=dict)
    cosine: dict[str, float] = field(default_factory=dict)
    by_words: list[str] = field(default_factory=list)
    trouble: str = ""

    def add(self, paper_id: str, cosine: float) -> None:
        self.cosine[paper_id] = max(cosine, self.cosine.get(paper_id, -1.0))

    @property
    def by_meaning(self) -> list[str]:
        return sorted(self.cosine, key=lambda paper_id: -self.cosine[paper_id])[:POOL]


class HybridSearch:
    """Search over one library."""

    def __init__(self, snapshot: Snapshot, reranker: Reranker | None = None) -> None:
        self._snapshot = snapshot
        self._reranker = reranker

    def search(self, query: Query, k: int = 10) -> SearchResult:
        """The `k` best papers for a query that pass its filters; papers that it names come first."""
        timings: dict[str, float] = {}
        admitted = self._admitted(query.filters)
        if query.lists_papers and admitted is not None:
            found = self._snapshot.newest(query.filters, k)
            return SearchResult(tuple(Hit(paper, 0.0) for paper in found), timings=timings)
        with timed(timings, "encode"):
            vector = self._snapshot.query_vector(query.topic)
        legs = _Legs()
        with timed(timings, "dense"):
            self._search_meaning(legs, vector, admitted)
        with timed(timings, "words"):
            scores = self._snapshot.word_index.scores(query.tokens)
            self._search_words(legs, scores, admitted)
        with timed(timings, "fuse"):
            named = [paper_id for paper_id in query.named_ids if admitted is None or paper_id in admitted]
            hits = self._ranked(query, legs, named, vector, scores, max(k, RERANKED))
        if self._reranker is not None:
            with timed(timings, "rerank"):
                hits = self._reranker.reorder(query.text, hits[:RERANKED]) + hits[RERANKED:]
        return SearchResult(hits[:k], legs.trouble, timings)

    def look_up(self, query: Query) -> SearchResult | None:
        """The paper that a query is about by name and no other, which nothing needs to be searched for."""
        if not query.asks_for_named:
            return None
        timings: dict[str, float] = {}
        with timed(timings, "names"):
            papers = list(self._snapshot.papers_by_id(query.named_ids).values())
        known = tuple(Hit(paper, 0.0) for paper in papers if query.filters.admits(paper))
        return SearchResult(known, timings=timings) if known else None

    def _admitted(self, filters: Filters) -> dict[str, None] | None:
        return dict.fromkeys(self._snapshot.admitted(filters)) if filters else None

    def _search_meaning(self, legs: _Legs, vector: Matrix, admitted: Collection[str] | None) -> None:
        if admitted is not None and len(admitted) <= FEW_ADMITTED:
            ids = list(admitted)
            for paper_id, cosine in zip(ids, self._snapshot.cosines(ids, vector), strict=True):
                if cosine > -1.0:
                    legs.add(paper_id, float(cosine))
            return
        near, legs.trouble = self._snapshot.nearest_passages(vector, PASSAGES * (4 if admitted else 1))
        for passage, cosine in near:
            if admitted is None or passage.paper_id in admitted:
                legs.passages.setdefault(passage.paper_id, []).append(passage)
                legs.add(passage.paper_id, cosine)

    def _search_words(self, legs: _Legs, scores: Matrix, admitted: Collection[str] | None) -> None:
        index = self._snapshot.word_index
        if admitted is not None:
            scores = np.where(np.array([paper_id in admitted for paper_id in index.ids], dtype=bool), scores, 0.0)
        best = np.argsort(-scores, kind="stable")[:POOL]
        legs.by_words = [index.ids[row] for row in best if scores[row] > 0]

    def _ranked(
        self, query: Query, legs: _Legs, named: list[str], vector: Matrix, word_scores: Matrix, k: int
    ) -> tuple[Hit, ...]:
        """The `k` best of everything that a leg found or the question names."""
        pool = list(dict.fromkeys([*legs.by_meaning, *legs.by_words, *named]))
        if not pool:
            return ()
        rows = self._snapshot.word_index.rows
        words = np.array([float(word_scores[rows[paper_id]]) if paper_id in rows else 0.0 for paper_id in pool])
        dense, fused = self._scores(legs, pool, vector, words)
        order = sorted(range(len(pool)), key=lambda row: (pool[row] not in named, -fused[row]))[:k]
        papers = self._snapshot.papers_by_id(pool[row] for row in order)
        verbatim = _holding(query.text, list(papers.values())[:QUOTED_AMONG])
        dense_rank = {paper_id: rank for rank, paper_id in enumerate(legs.by_meaning, start=1)}
        bm25_rank = {paper_id: rank for rank, paper_id in enumerate(legs.by_words, start=1)}
        return tuple(
            Hit(
                paper=papers[pool[row]],
                score=float(fused[row]),
                passages=tuple(legs.passages.get(pool[row], ())),
                dense=float(dense[row]),
                bm25=float(words[row]),
                dense_rank=dense_rank.get(pool[row]),
                bm25_rank=bm25_rank.get(pool[row]),
            )
            for row in sorted(order, key=lambda row: pool[row] not in verbatim)
            if pool[row] in papers
        )

    def _scores(self, legs: _Legs, pool: list[str], vector: Matrix, words: Scores) -> tuple[Scores, Scores]:
        """Best passage cosine and fused score of each paper of the pool."""
        if not legs.cosine:
            return np.zeros(len(pool)), fuse(np.zeros(len(pool)), words)
        passages, sentences, means = self._snapshot.pool_scores(pool, vector)
        passages = np.maximum(passages, [legs.cosine.get(paper_id, -1.0) for paper_id in pool])
        meaning = (1.0 - SENTENCE_SHARE) * passages + SENTENCE_SHARE * sentences
        return passages.astype(np.float64), fuse(with_feedback(meaning, fuse(meaning, words), means), words)


def _holding(quotation: str, papers: list[Paper]) -> set[str]:
    """Papers that hold the whole quotation word by word, when it is long enough to be a quotation."""
    wanted = [word.casefold() for word in raw_words(quotation)]
    if len(wanted) < PASTED:
        return set()
    needle = f" {' '.join(wanted)} "
    found = set()
    for paper in papers:
        text = f"{paper.title} . {paper.abstract}"
        lower = plain(text).casefold()
        if all(word in lower for word in wanted) and needle in f" {' '.join(raw_words(text)).casefold()} ":
            found.add(paper.id)
    return found
