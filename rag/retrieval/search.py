"""Hybrid search over papers: passages by meaning (Chroma) and words (BM25), fused over one pool of candidates."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from rag.library import Library
from rag.records import Hit, Passage
from rag.retrieval.fusion import fuse
from rag.retrieval.query import Query

PASSAGES = 150
POOL = 100


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first; `notice` says when a leg could not be used; `timings` are seconds per step."""

    hits: tuple[Hit, ...]
    notice: str = ""
    timings: dict[str, float] = field(default_factory=dict)


class HybridSearch:
    """Search over one library."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def search(self, query: Query, k: int = 10) -> SearchResult:
        """The `k` best papers for a query; papers that it names come first."""
        timings: dict[str, float] = {}
        started = time.perf_counter()
        vector = self._library.query_vector(query.text)
        timings["encode"] = time.perf_counter() - started

        started = time.perf_counter()
        near, notice = self._library.nearest_passages(vector.tolist(), PASSAGES)
        timings["dense"] = time.perf_counter() - started

        started = time.perf_counter()
        index = self._library.words
        word_scores = index.scores(query.tokens)
        best_rows = np.argsort(-word_scores, kind="stable")[:POOL]
        by_words = [index.ids[row] for row in best_rows if word_scores[row] > 0]
        timings["words"] = time.perf_counter() - started

        started = time.perf_counter()
        passages: dict[str, list[Passage]] = {}
        similarity: dict[str, float] = {}
        for passage, cosine in near:
            passages.setdefault(passage.paper_id, []).append(passage)
            similarity[passage.paper_id] = max(cosine, similarity.get(passage.paper_id, -1.0))
        by_meaning = list(similarity)[:POOL]
        pool = list(dict.fromkeys([*by_meaning, *by_words, *query.named_ids]))
        papers = self._library.papers_by_id(pool)
        pool = [paper_id for paper_id in pool if paper_id in papers]
        if near:
            unseen = [papers[paper_id] for paper_id in pool if paper_id not in similarity]
            for paper_id, vectors in self._library.passage_vectors(unseen).items():
                similarity[paper_id] = float((vectors @ vector).max())
        dense = np.array([similarity.get(paper_id, 0.0) for paper_id in pool])
        words = np.array([float(word_scores[index.rows[i]]) if i in index.rows else 0.0 for i in pool])
        fused = fuse(dense, words) if pool else dense
        dense_rank = {paper_id: rank for rank, paper_id in enumerate(by_meaning, start=1)}
        words_rank = {paper_id: rank for rank, paper_id in enumerate(by_words, start=1)}
        named = set(query.named_ids)
        order = sorted(range(len(pool)), key=lambda row: (pool[row] not in named, -fused[row]))
        hits = tuple(
            Hit(
                paper=papers[pool[row]],
                score=float(fused[row]),
                passages=tuple(passages.get(pool[row], ())),
                dense=float(dense[row]),
                words=float(words[row]),
                dense_rank=dense_rank.get(pool[row]),
                words_rank=words_rank.get(pool[row]),
            )
            for row in order[:k]
        )
        timings["fuse"] = time.perf_counter() - started
        return SearchResult(hits, notice, timings)
