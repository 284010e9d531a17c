"""What was searched: each paper found, where each leg ranked it, the words that matched, and what became of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from citewell import wording
from citewell.hit import Hit
from citewell.paper import Paper
from citewell.text.sentences import split_sentences
from citewell.text.tokens import index_tokens

# So many papers of a search are shown and kept.
TRACED = 12


class Outcome(StrEnum):
    """What became of a paper that was found."""

    CITED = "cited"
    NEAR = "near"
    NO_ABSTRACT = "no-abstract"
    OUTRANKED = "outranked"
    LESS_DIRECT = "less-direct"

    @property
    def text(self) -> str:
        """The outcome for a person to read."""
        return wording.OUTCOMES[self]


@dataclass(frozen=True, slots=True)
class TracedPaper:
    """A paper on the way to an answer: its fused rank and score, its rank by meaning and by words (None: not found).

    `passage` are the words of its abstract that matched best.
    """

    paper: Paper
    rank: int
    score: float
    dense_rank: int | None
    bm25_rank: int | None
    passage: str
    outcome: Outcome


def trace(question: str, hits: Sequence[Hit], cited: Collection[str], *, refused: bool = False) -> list[TracedPaper]:
    """The hits in their order; `cited` are ids of the cited papers, `refused` says that there is no answer."""
    last_cited = max((rank for rank, hit in enumerate(hits) if hit.paper.id in cited), default=-1)
    return [
        TracedPaper(
            paper=hit.paper,
            rank=rank + 1,
            score=hit.score,
            dense_rank=hit.dense_rank,
            bm25_rank=hit.bm25_rank,
            passage=_best_passage(question, hit),
            outcome=_outcome(hit, cited, refused=refused, behind=rank > last_cited),
        )
        for rank, hit in enumerate(hits)
    ]


def _outcome(hit: Hit, cited: Collection[str], *, refused: bool, behind: bool) -> Outcome:
    if hit.paper.id in cited:
        return Outcome.CITED
    if refused:
        return Outcome.NEAR
    if not hit.paper.abstract:
        return Outcome.NO_ABSTRACT
    return Outcome.OUTRANKED if behind else Outcome.LESS_DIRECT


def _best_passage(question: str, hit: Hit) -> str:
    """The best passage that meaning found, else the sentence that shares most words with the question."""
    if hit.passages:
        return hit.passages[0].text
    tokens = set(index_tokens(question))
    texts = [hit.paper.abstract[start:end] for start, end in split_sentences(hit.paper.abstract)]
    return max(texts, key=lambda text: len(tokens & set(index_tokens(text))), default="")
