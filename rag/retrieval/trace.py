"""What was searched: each paper found, where each leg ranked it, the words that matched, and what became of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rag.records import Hit, Paper
from rag.text.sentences import split_sentences
from rag.text.words import index_tokens

# So many papers of a search are shown and kept.
TRACED = 12


@dataclass(frozen=True, slots=True)
class TracedPaper:
    """A paper on the way to an answer: its fused rank and score, its rank by meaning and by words (None: not found).

    `passage` are the words of its abstract that matched best; `outcome` says in words what became of it.
    """

    paper: Paper
    rank: int
    score: float
    dense_rank: int | None
    words_rank: int | None
    passage: str
    outcome: str


def trace(question: str, hits: Sequence[Hit], cited: Collection[str], *, refused: str = "") -> list[TracedPaper]:
    """The hits in their order; `cited` are ids of the cited papers, `refused` says why there is no answer."""
    last_cited = max((rank for rank, hit in enumerate(hits) if hit.paper.id in cited), default=-1)
    return [
        TracedPaper(
            paper=hit.paper,
            rank=rank + 1,
            score=hit.score,
            dense_rank=hit.dense_rank,
            words_rank=hit.words_rank,
            passage=_best_passage(question, hit),
            outcome=_outcome(rank, hit, cited, last_cited, refused),
        )
        for rank, hit in enumerate(hits)
    ]


def _outcome(rank: int, hit: Hit, cited: Collection[str], last_cited: int, refused: str) -> str:
    if hit.paper.id in cited:
        return "cited"
    if refused:
        return "near, but not enough to answer"
    if not hit.paper.abstract:
        return "left out: it has no abstract"
    if rank > last_cited:
        return "left out: the papers before it answer better"
    return "left out: its sentences answer less directly than those of the cited papers"


def _best_passage(question: str, hit: Hit) -> str:
    """The best passage that meaning found, else the sentence that shares most words with the question."""
    if hit.passages:
        return hit.passages[0].text
    tokens = set(index_tokens(question))
    texts = [hit.paper.abstract[start:end] for start, end in split_sentences(hit.paper.abstract)]
    return max(texts, key=lambda text: len(tokens & set(index_tokens(text))), default="")
