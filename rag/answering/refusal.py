"""Deciding that the library does not hold the answer, and saying so usefully."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag.answering import prompts
from rag.answering.evidence import Evidence
from rag.library import Library
from rag.records import Hit, Paper, Refusal, RefusalKind
from rag.retrieval import Intent, Query
from rag.text.words import index_tokens

NEAREST = 3


@dataclass(frozen=True, slots=True)
class Signals:
    """What the decision rests on; all between 0 and 1 but for the cosines.

    `passage` is the best cosine of a passage and `sentence` that of a sentence; `coverage` is the share, by
    rarity, of the question's informative words in the one paper that holds most of them; `unknown` tells
    that the question uses a name that no paper holds; `named` that it names a paper of the library.
    """

    passage: float
    sentence: float
    coverage: float
    unknown: bool
    named: bool

    @property
    def score(self) -> float:
        """Evidence that the library holds the answer; above 0 it is answered."""
        return (
            WEIGHTS["bias"]
            + WEIGHTS["passage"] * self.passage
            + WEIGHTS["sentence"] * self.sentence
            + WEIGHTS["coverage"] * self.coverage
            + WEIGHTS["unknown"] * self.unknown
            + WEIGHTS["named"] * self.named
        )


WEIGHTS = {"bias": -3.0, "passage": 3.0, "sentence": 3.0, "coverage": 3.0, "unknown": -1.0, "named": 2.0}


def signals(query: Query, hits: Sequence[Hit], evidence: Sequence[Sequence[Evidence]], library: Library) -> Signals:
    """Read the signals off a finished search."""
    weights = {token: library.words.idf(token) for term in query.terms for token in index_tokens(term)}
    total = sum(weights.values())
    coverage = 0.0
    for hit in hits:
        held = set(index_tokens(hit.paper.abstract)) | set(index_tokens(hit.paper.title))
        coverage = max(coverage, sum(weight for token, weight in weights.items() if token in held) / (total or 1.0))
    return Signals(
        passage=max((hit.dense for hit in hits), default=0.0),
        sentence=max((item.cosine for sentences in evidence for item in sentences), default=0.0),
        coverage=coverage,
        unknown=bool(query.unknown_names),
        named=bool(query.named),
    )


def decide(query: Query, hits: Sequence[Hit], evidence: Sequence[Sequence[Evidence]], library: Library) -> Refusal | None:
    """A refusal when the library does not hold the answer, else None."""
    nearest = tuple(hit.paper for hit in hits[:NEAREST])
    if len(library) == 0:
        return Refusal(RefusalKind.EMPTY_LIBRARY, prompts.EMPTY_LIBRARY)
    if not hits:
        return Refusal(RefusalKind.NOTHING_MATCHES, prompts.NOTHING_MATCHES)
    found = signals(query, hits, evidence, library)
    if found.score <= 0:
        kind = RefusalKind.NOT_IN_LIBRARY if found.coverage > 0 else RefusalKind.NOTHING_MATCHES
        text = prompts.NOT_IN_LIBRARY if kind is RefusalKind.NOT_IN_LIBRARY else prompts.NOTHING_MATCHES
        return Refusal(kind, text, nearest)
    missing = missing_words(query, hits, library)
    if missing:
        words, paper = missing
        reason = prompts.NOT_STATED.format(title=paper.title, missing=" ".join(f"“{word}”" for word in words))
        return Refusal(RefusalKind.NOT_STATED, reason, nearest)
    return None


def missing_words(query: Query, hits: Sequence[Hit], library: Library) -> tuple[list[str], Paper] | None:
    """What is asked about a named paper and does not stand in its abstract, with that paper; else None."""
    if len(query.named) != 1 or query.intent in (Intent.SUMMARISE, Intent.DEFINE, Intent.COMPARE):
        return None
    return None
