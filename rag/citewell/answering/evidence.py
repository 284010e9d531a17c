"""Which sentences of the found abstracts answer a question.

A sentence is scored by meaning (cosine of its stored vector with the question's), by the informative words
it shares with the question (weighted by rarity in the library), and by whether it has the form that was asked
for: a number for "how many", a definition for "what is", a list for "which three".
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from citewell.answering.answer_type import ORDINAL, form_fit, role_fit
from citewell.hit import Hit
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.query import Intent, Query
from citewell.text.roles import Role, sentence_roles
from citewell.text.sentences import split_sentences
from citewell.text.tokens import index_tokens

MEANING, WORDS = 0.5, 0.5
# Words that name the paper, or stand in its title, find the paper; among its sentences the other words decide.
NAME_WORD_SHARE, TITLE_WORD_SHARE = 0.25, 0.1
# Abstracts open with what everybody knows and close with what was found; the last sentence gets this much more.
LATER = 0.08
FORM_BONUS = 0.12
_OPENS_LIST = re.compile(r"\b(?:two|three|four|five|six|several|following)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One sentence of one abstract as an answer to one question: `text == paper.abstract[start:end]`.

    `score` orders the sentences of one paper; `relevance` (0 to 1, meaning and words alone) compares papers.
    `cosine` is -1 when the sentence has no vector yet; `terms` are the question's tokens that it holds.
    """

    paper: Paper
    index: int
    start: int
    end: int
    score: float
    relevance: float
    cosine: float
    role: Role
    terms: frozenset[str]

    @property
    def text(self) -> str:
        return self.paper.abstract[self.start : self.end]


class EvidenceFinder:
    """Scores the sentences of papers against questions."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def find(self, query: Query, hits: Sequence[Hit]) -> list[list[Evidence]]:
        """For each hit, its abstract's sentences in their own order, scored."""
        papers = [hit.paper for hit in hits]
        vectors = self._snapshot.sentence_vectors(papers)
        question = self._snapshot.query_vector(query.topic)
        rarity = self._rarity(query)
        found = []
        for paper in papers:
            bounds, matrix = vectors.get(paper.id) or (split_sentences(paper.abstract), None)
            cosines = [float(value) for value in matrix @ question] if matrix is not None else [-1.0] * len(bounds)
            found.append(_scored(query, paper, bounds, cosines, rarity))
        return found

    def _rarity(self, query: Query) -> dict[str, float]:
        """The question's tokens and how rare they are."""
        index = self._snapshot.word_index
        return {token: index.idf(token) for term in query.terms for token in index_tokens(term)}


def _discounted(rarity: dict[str, float], query: Query, paper: Paper) -> dict[str, float]:
    """Token weights for choosing among the sentences of one paper."""
    named = {token for name in query.named for token in index_tokens(name.name)}
    title = tokens_of(paper.title)
    return {
        token: weight * (NAME_WORD_SHARE if token in named else TITLE_WORD_SHARE if token in title else 1.0)
        for token, weight in rarity.items()
    }


def _scored(
    query: Query, paper: Paper, bounds: Sequence[tuple[int, int]], cosines: Sequence[float], rarity: dict[str, float]
) -> list[Evidence]:
    """The sentences of one paper, scored."""
    texts = [paper.abstract[start:end] for start, end in bounds]
    weights = _discounted(rarity, query, paper)
    later = LATER / max(1, len(bounds) - 1) if query.intent in (Intent.FACT, Intent.EXPLAIN) else 0.0
    found = []
    for index, (text, cosine, role) in enumerate(zip(texts, cosines, sentence_roles(texts), strict=True)):
        terms = tokens_of(text) & rarity.keys()
        overlap, plain = _share(terms, weights), _share(terms, rarity)
        # Without a vector the words stand in for the meaning.
        score = MEANING * (max(0.0, cosine) if cosine >= 0 else overlap) + WORDS * overlap + later * index
        relevance = MEANING * (max(0.0, cosine) if cosine >= 0 else plain) + WORDS * plain
        score += FORM_BONUS * (form_fit(query, paper, text) + role_fit(query, role))
        found.append(Evidence(paper, index, *bounds[index], score, relevance, cosine, role, frozenset(terms)))
    return found


def _share(terms: Set[str], weights: dict[str, float]) -> float:
    return sum(weights[term] for term in terms) / (sum(weights.values()) or 1.0)


@lru_cache(maxsize=20_000)
def tokens_of(text: str) -> frozenset[str]:
    """The index tokens of a sentence or title, remembered: the same abstracts come up again and again."""
    return frozenset(index_tokens(text))


def list_members(sentences: Sequence[Evidence], chosen: Evidence) -> list[Evidence]:
    """The sentences of the enumeration that `chosen` opens or belongs to ("First, …", "Second, …"); else none."""
    position = next((k for k, item in enumerate(sentences) if item.index == chosen.index), None)
    if position is None:
        return []
    first = position if ORDINAL.match(chosen.text) else position + 1
    if first == position + 1 and not _OPENS_LIST.search(chosen.text):
        return []
    while first > 0 and ORDINAL.match(sentences[first - 1].text):
        first -= 1
    last = first
    while last < len(sentences) and ORDINAL.match(sentences[last].text):
        last += 1
    return list(sentences[first:last]) if last - first >= 2 else []
