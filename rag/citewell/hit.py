"""A paper found by search."""

from __future__ import annotations

from dataclasses import dataclass

from citewell.paper import Paper, Passage


@dataclass(frozen=True, slots=True)
class Hit:
    """A paper found by search.

    `score` is the fused score (higher is better, comparable within one search only); `dense` is the best
    cosine similarity of its passages, `bm25` its score by words; the ranks count from 1 and are None when
    that leg did not find the paper.
    """

    paper: Paper
    score: float
    passages: tuple[Passage, ...] = ()
    dense: float = 0.0
    bm25: float = 0.0
    dense_rank: int | None = None
    bm25_rank: int | None = None
