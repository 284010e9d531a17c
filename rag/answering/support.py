"""Does the cited abstract say what the sentence says? The words that back it, and a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag.library import Library
from rag.records import Paper, Support
from rag.text.names import looks_like_name
from rag.text.numbers import holds_number, numbers_in
from rag.text.sentences import split_sentences
from rag.text.words import QUESTION_WORDS, index_tokens, raw_words

SUPPORTED, PARTLY = 0.60, 0.42
# A sentence that states every number of the claim is the one that is meant.
NUMBER_BONUS = 0.15
_NUMBER_WORDS = frozenset({"one", "two"})


@dataclass(frozen=True, slots=True)
class Backing:
    """The sentence of an abstract that best backs a claim, and how well: `quote == abstract[start:end]`."""

    paper: Paper
    start: int
    end: int
    score: float
    support: Support

    @property
    def quote(self) -> str:
        return self.paper.abstract[self.start : self.end]


class SupportCheck:
    """Checks sentences against the abstracts of one library."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def judge(self, claim: str, papers: Sequence[Paper]) -> list[Backing]:
        """For each paper, in order, what backs `claim` in its abstract; papers without an abstract are left out."""
        papers = [paper for paper in papers if paper.abstract.strip()]
        if not papers:
            return []
        vector = self._library.embeddings.encode([claim])[0]
        kept = self._library.sentence_vectors(papers)
        found = []
        for paper in papers:
            if paper.id in kept:
                bounds, matrix = kept[paper.id]
            else:
                bounds = split_sentences(paper.abstract)
                matrix = self._library.embeddings.encode([paper.abstract[a:b] for a, b in bounds])
            found.append(self._best(claim, paper, bounds, matrix @ vector))
        return found

    def _best(self, claim: str, paper: Paper, bounds: list[tuple[int, int]], cosines: np.ndarray) -> Backing:
        tokens = {token for token in index_tokens(claim) if token not in QUESTION_WORDS}
        weights = {token: self._library.words.idf(token) for token in tokens}
        total = sum(weights.values()) or 1.0
        numbers = numbers_in(claim)
        scores = []
        for (start, end), cosine in zip(bounds, cosines, strict=True):
            held = set(index_tokens(paper.abstract[start:end]))
            overlap = sum(weight for token, weight in weights.items() if token in held) / total
            exact = bool(numbers) and all(holds_number(number, paper.abstract[start:end]) for number in numbers)
            scores.append(0.5 * max(0.0, float(cosine)) + 0.5 * overlap + NUMBER_BONUS * exact)
        best = int(np.argmax(scores))
        start, end = bounds[best]
        return Backing(paper, start, end, scores[best], self._verdict(claim, paper, scores[best]))

    def _verdict(self, claim: str, paper: Paper, score: float) -> Support:
        text = f"{paper.title} {paper.abstract}"
        wrong_number = any(
            not holds_number(number, text) for number in numbers_in(claim) if number.text.lower() not in _NUMBER_WORDS
        )
        held = {word.lower() for word in raw_words(text)}
        strange_name = any(looks_like_name(word) and word.lower() not in held for word in raw_words(claim))
        if wrong_number or score < PARTLY:
            return Support.UNSUPPORTED
        if strange_name or score < SUPPORTED:
            return Support.PARTLY
        return Support.SUPPORTED
