"""Questions that take for granted what the paper asked about never says ("How does GenZSL use robots?")."""

from __future__ import annotations

import math
from dataclasses import dataclass

from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.query import Intent, Query
from citewell.text.tokens import index_tokens

# Of the question's own words (names of papers aside), by rarity, so many must be strange to the abstract.
STRANGE = 0.6
# How much nearer those words must be to another paper than to any sentence of this one; among more papers the nearest
# one is nearer by chance. See README.md.
MARGIN, MARGIN_A_DECADE, SMALL = 0.115, 0.045, 29
SHORT_PHRASE = 4


@dataclass(frozen=True, slots=True)
class FalsePremise:
    """A paper and the words that its abstract has nothing to do with, as the question has them."""

    paper: Paper
    words: str


def false_premise(query: Query, snapshot: Snapshot, unstated: frozenset[str]) -> FalsePremise | None:
    """What the question presumes of the one paper that it names, when its abstract is foreign to it; else None.

    `unstated` are words that abstracts leave unsaid.
    """
    if len(query.named_ids) != 1 or query.intent in (Intent.COMPARE, Intent.SUMMARISE, Intent.DEFINE):
        return None
    paper = snapshot.paper(query.named_ids[0])
    if paper is None or not paper.abstract:
        return None
    names = {token for name in query.named for token in index_tokens(name.name)}
    words = [term for term in query.terms if term.lower() not in unstated and not set(index_tokens(term)) <= names]
    held = set(index_tokens(f"{paper.title} {paper.abstract}"))
    strange = [term for term in words if not set(index_tokens(term)) & held]
    if not strange or _weight(strange, snapshot) < STRANGE * _weight(words, snapshot):
        return None
    margin = MARGIN + MARGIN_A_DECADE * math.log10(max(1.0, len(snapshot) / SMALL))
    said = words if len(words) <= SHORT_PHRASE else strange
    return FalsePremise(paper, " ".join(said)) if snapshot.lead_of_others(" ".join(words), paper) >= margin else None


def _weight(terms: list[str], snapshot: Snapshot) -> float:
    return sum(snapshot.word_index.idf(token) for term in terms for token in index_tokens(term))
