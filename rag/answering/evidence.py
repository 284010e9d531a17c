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

import numpy as np

from rag.library import Library
from rag.records import Hit, Paper
from rag.retrieval import Intent, Query
from rag.text.formulas import split_formulas
from rag.text.names import strip_markup
from rag.text.roles import Role, sentence_roles
from rag.text.sentences import split_sentences
from rag.text.words import index_tokens

MEANING, WORDS = 0.5, 0.5
# Words that name the paper, or stand in its title, find the paper; among its sentences the other words decide.
NAME_WORD_SHARE, TITLE_WORD_SHARE = 0.25, 0.5
FORM_BONUS = 0.12
# How welcome each role is, in units of the form bonus, by what the question asks for.
_WHY = {Role.BACKGROUND: 0.3, Role.PROBLEM: 0.6, Role.RESOURCE: -1.0}
_HOW = {Role.BACKGROUND: -2.5, Role.PROBLEM: -2.0, Role.APPROACH: 0.5, Role.METHOD: 0.5, Role.RESOURCE: -2.0}
_WHAT = {Role.BACKGROUND: -1.2, Role.PROBLEM: -0.8, Role.APPROACH: 0.3, Role.METHOD: 0.2, Role.RESULT: 0.1, Role.RESOURCE: -1.0}
_ABOUT = {Role.BACKGROUND: -2.0, Role.PROBLEM: -1.5, Role.APPROACH: 1.0, Role.METHOD: 0.2, Role.RESOURCE: -2.0}
_NUMBERS = {Role.BACKGROUND: -0.6, Role.PROBLEM: -0.4, Role.RESULT: 0.3, Role.RESOURCE: -0.6}

NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|half|double|triple|dozen|hundred|thousand|"
    r"million|billion|trillion|tenfold|order of magnitude|orders of magnitude)\b",
    re.IGNORECASE,
)
_ASKS_LIST = re.compile(r"\b(?:two|three|four|five|six|main|key|several|different)\b", re.IGNORECASE)
_ENUMERATES = re.compile(
    r"\b(two|three|four|five|six)\b.*(?::|\band\b)|\((?:1|i|a)\).*\((?:2|ii|b)\)|\b1[).].*\b2[).]", re.IGNORECASE | re.DOTALL
)
ORDINAL = re.compile(
    r"^(?:(?:\(?[1-9ivx]{1,3}[).])|first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|finally|last(?:ly)?)\b[\s,:]?",
    re.IGNORECASE,
)
_OPENS_LIST = re.compile(r"\b(?:two|three|four|five|six|several|following)\b", re.IGNORECASE)
_CAUSE = re.compile(r"\b(?:because|since|due to|owing to|caused by|arises?|stems?|leads? to|results? (?:from|in)|raising|thereby|as a result)\b", re.IGNORECASE)
_MEANS = re.compile(r"\b(?:by|using|via|through|employs?|utili[sz]es?|leverag\w+|based on|combin\w+|integrat\w+|introduc\w+|incorporat\w+)\b", re.IGNORECASE)
_PROPOSES = re.compile(r"\b(?:propos|introduc|present|develop|dubbed|called|termed|named|defin|argue)\w*\b", re.IGNORECASE)
# What is asked about, and the words with which abstracts speak of it.
_ASPECTS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(said, re.IGNORECASE))
    for asked, said in (
        (r"\b(?:data ?sets?|benchmarks?|evaluated|tested|experiments?|tasks)\b", r"\b(?:data ?sets?|benchmarks?|evaluat\w+|experiment\w*|on [A-Z][\w;.-]*[A-Z0-9])"),
        (r"\b(?:results?|perform\w*|achieve\w*|gains?|improve\w*|outperform\w*|beats?|better|effective)\b", r"\b(?:achiev\w+|outperform\w*|improv\w+|state-of-the-art|surpass\w*|results?|gains?|reduc\w+|beat\w*|superior\w*)\b"),
        (r"\b(?:problem|challenge|motivation|limitation|issue|gap|why)s?\b", r"\b(?:however|challeng\w+|problem|limit\w+|suffer\w*|struggl\w+|lack\w*|difficult\w*|yet|but)\b"),
        (r"\b(?:code|implementation|repository|github|open[- ]source|available)\b", r"\b(?:code|github|available|open-source\w*|implementation|release\w*)\b|https?://"),
        (r"\b(?:theor\w*|guarantee\w*|prove\w*|bound|complexity)\b", r"\b(?:theor\w+|guarantee\w*|prov(?:e|ed|ably|ing)|bound\w*|converge\w*|regret|complexit\w+)\b"),
    )
)  # fmt: skip


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

    def __init__(self, library: Library) -> None:
        self._library = library

    def find(self, query: Query, hits: Sequence[Hit]) -> list[list[Evidence]]:
        """For each hit, its abstract's sentences in their own order, scored."""
        papers = [hit.paper for hit in hits]
        vectors = self._library.sentence_vectors(papers)
        question = self._library.query_vector(query.text)
        rarity = self._rarity(query)
        found = []
        for paper in papers:
            bounds, matrix = vectors.get(paper.id) or (split_sentences(paper.abstract), None)
            cosines = matrix @ question if matrix is not None else np.full(len(bounds), -1.0)
            texts = [paper.abstract[start:end] for start, end in bounds]
            weights = _discounted(rarity, query, paper)
            found.append(
                [
                    _score(query, paper, index, bounds[index], float(cosines[index]), role, rarity, weights)
                    for index, role in enumerate(sentence_roles(texts))
                ]
            )
        return found

    def _rarity(self, query: Query) -> dict[str, float]:
        """The question's tokens and how rare they are."""
        index = self._library.words
        return {token: index.idf(token) for term in query.terms for token in index_tokens(term)}


def _discounted(rarity: dict[str, float], query: Query, paper: Paper) -> dict[str, float]:
    """Token weights for choosing among the sentences of one paper."""
    named = {token for name in query.named for token in index_tokens(name.name)}
    title = tokens_of(paper.title)
    return {
        token: weight * (NAME_WORD_SHARE if token in named else TITLE_WORD_SHARE if token in title else 1.0)
        for token, weight in rarity.items()
    }


def _score(
    query: Query,
    paper: Paper,
    index: int,
    bounds: tuple[int, int],
    cosine: float,
    role: Role,
    rarity: dict[str, float],
    weights: dict[str, float],
) -> Evidence:
    start, end = bounds
    text = paper.abstract[start:end]
    terms = tokens_of(text) & rarity.keys()
    overlap, plain = _share(terms, weights), _share(terms, rarity)
    score = MEANING * (max(0.0, cosine) if cosine >= 0 else overlap) + WORDS * overlap
    relevance = MEANING * (max(0.0, cosine) if cosine >= 0 else plain) + WORDS * plain
    score += FORM_BONUS * (form_fit(query, paper, text) + role_fit(query, role))
    return Evidence(paper, index, start, end, score, relevance, cosine, role, frozenset(terms))


def _share(terms: Set[str], weights: dict[str, float]) -> float:
    return sum(weights[term] for term in terms) / (sum(weights.values()) or 1.0)


@lru_cache(maxsize=50_000)
def tokens_of(text: str) -> frozenset[str]:
    """The index tokens of a sentence or title, remembered: the same abstracts come up again and again."""
    return frozenset(index_tokens(text))


def role_fit(query: Query, role: Role) -> float:
    """How welcome a sentence of this role is as an answer, about -1.5 to 1."""
    lowered = query.text.lower()
    if lowered.startswith("why") or re.search(r"\b(?:problem|challenge|motivat\w+|limitation|drawback)s?\b", lowered):
        return _WHY.get(role, 0.0)
    if query.intent in (Intent.SURVEY, Intent.FIND, Intent.COMPARE, Intent.SUMMARISE, Intent.DEFINE):
        return _ABOUT.get(role, 0.0)
    if query.intent is Intent.FACT:
        return _NUMBERS.get(role, 0.0)
    return (_HOW if lowered.startswith("how") else _WHAT).get(role, 0.0)


def form_fit(query: Query, paper: Paper, text: str) -> float:
    """How far a sentence has the form that the question asks for, 0 to about 2."""
    # A question is no answer.
    fit = -1.5 if text.endswith("?") else 0.0
    question = query.text
    if query.intent is Intent.FACT and (NUMBER.search(text) or any(span.is_formula for span in split_formulas(text))):
        fit += 1.5
    if _ASKS_LIST.search(question) and (_ENUMERATES.search(text) or ORDINAL.search(text)):
        fit += 1.0
    if query.intent in (Intent.DEFINE, Intent.SUMMARISE):
        fit += _definition_fit(query, paper, text)
    lowered = question.lower()
    if lowered.startswith("why") and _CAUSE.search(text):
        fit += 0.8
    if lowered.startswith("how") and query.intent is not Intent.FACT and _MEANS.search(text):
        fit += 0.4
    return fit + sum(0.8 for asked, said in _ASPECTS if asked.search(question) and said.search(text))


def _definition_fit(query: Query, paper: Paper, text: str) -> float:
    """How far a sentence says what the thing asked about is: "we propose X, a …", "X, which …", "dubbed X"."""
    names = [named.name for named in query.named if paper.id in named.paper_ids] or [" ".join(query.terms)]
    plain = strip_markup(text)
    fit = 0.0
    for name in names:
        pattern = r"[\s–-]+".join(re.escape(part) for part in re.split(r"[\s–-]+", name) if part)
        if not pattern or not (match := re.search(rf"(?<!\w){pattern}(?!\w)", plain, re.IGNORECASE)):
            continue
        fit = max(fit, 0.5)
        before, after = plain[: match.start()], plain[match.end() :]
        appositive = re.match(r"[\"”’'*]*\s*(?:\([^)]*\))?\s*(?:,|:|–|—|-{1,3})?\s*(?:an? |the |which |is an? |is the |refers to)", after)
        if _PROPOSES.search(before[-160:]):
            fit = max(fit, 2.5 if appositive else 1.8)
        elif appositive:
            fit = max(fit, 1.5)
    return fit


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
