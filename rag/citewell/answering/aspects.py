"""The aspects by which papers are compared, and which words of an abstract speak of each.

The standard aspects rest on the part that a sentence plays in its abstract (`rag/text/roles.py`) and on cue words; any
other aspect that a person names ("cost") is looked for by its words and its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from citewell.answering.clauses import CODE, clause_of
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.text.roles import Role, sentence_roles
from citewell.text.sentences import split_sentences
from citewell.text.tokens import index_tokens
from citewell.understanding.aspects import STANDARD

_DATA = re.compile(
    r"\b(?:data ?sets?|benchmarks?|corp(?:us|ora)|real-world data|"
    r"synthetic (?:data|graphs?|tasks?|models?|examples?|problems?)|simulations?|ImageNet|CIFAR\S*|"
    r"(?:evaluat\w+|experiments?|tested|validat\w+)\b.{0,60}?\bon\b)",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"\b(?:(?:an?|the|our|its|two|three|several|these|this|with|of) (?:[\w-]+ )?(?:novel|new)|novel \w+|newly|"
    r"(?:the|is|are) (?:\w+ )?first|unlike|in contrast to|instead of|differs? from|for the first time|rather than)\b",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"\b(?:limitations? of (?:our|this|the proposed)|future work|at the (?:cost|expense) of|"
    r"only (?:holds|applies|works)|(?:is|are) (?:limited|restricted) to|we (?:assume|leave)|"
    r"under (?:a |an |the |mild |suitable |standard |certain )*(?:\w+ )?assumptions?|"
    r"remains? (?:open|an open)|does not (?:extend|apply))\b",
    re.IGNORECASE,
)
_TESTING = re.compile(r"\bwe (?:\w+ )?(?:conduct|perform|run|evaluate|test)\w*\b", re.IGNORECASE)
_GAIN = re.compile(
    r"\d|\b(?:outperform|surpass|achiev|improv|state-of-the-art|superior|reduc|optimal)\w*", re.IGNORECASE
)
# A free aspect is stated by a sentence this near to its words, or by one that holds them.
NEAR = 0.42


@dataclass(frozen=True, slots=True)
class Stated:
    """Where an abstract speaks of an aspect: offsets into it."""

    start: int
    end: int


def states_code(paper: Paper) -> bool:
    """Whether an abstract says where its code is."""
    texts = [paper.abstract[start:end] for start, end in split_sentences(paper.abstract)]
    return bool(texts) and max(aspect_scores(texts, "code")) > 0


class AspectFinder:
    """Finds the words of abstracts that speak of an aspect."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def find(self, paper: Paper, aspect: str) -> Stated | None:
        """The clause of an abstract that speaks of an aspect; None if none does."""
        bounds = split_sentences(paper.abstract)
        texts = [paper.abstract[start:end] for start, end in bounds]
        if not texts:
            return None
        row = self._row(paper, texts, aspect)
        if row is None:
            return None
        first, last = clause_of(texts[row], aspect)
        return Stated(bounds[row][0] + first, bounds[row][0] + last)

    def _row(self, paper: Paper, texts: list[str], aspect: str) -> int | None:
        if aspect not in STANDARD:
            return self._free(paper, texts, aspect)
        scores = aspect_scores(texts, aspect)
        best = int(np.argmax(scores))
        return best if scores[best] > 0 else None

    def _free(self, paper: Paper, texts: list[str], aspect: str) -> int | None:
        """The sentence that holds the aspect's words, else the nearest by meaning."""
        tokens = set(index_tokens(aspect))
        held = [len(tokens & set(index_tokens(text))) for text in texts]
        if tokens and max(held) == len(tokens):
            return held.index(max(held))
        kept = self._snapshot.sentence_vectors([paper]).get(paper.id)
        if kept is None or len(kept[0]) != len(texts):
            return None
        cosines = kept[1] @ self._snapshot.query_vector(aspect)
        best = int(np.argmax(cosines))
        return best if cosines[best] >= NEAR else None


def aspect_scores(texts: Sequence[str], aspect: str) -> list[float]:
    """How well each sentence of an abstract speaks of a standard aspect; 0 when it does not."""
    roles = sentence_roles(texts)
    own = next((row for row, role in enumerate(roles) if role in (Role.APPROACH, Role.METHOD)), 0)
    scores = []
    for row, (text, role) in enumerate(zip(texts, roles, strict=True)):
        late = row / max(1, len(texts) - 1)
        score = 0.0
        if aspect == "problem" and row <= max(own, 1):
            score = {Role.PROBLEM: 2.0 + late, Role.BACKGROUND: 0.5 + 0.1 * late}.get(role, 0.0)
        elif aspect == "approach":
            score = {Role.APPROACH: 3.0 - late, Role.METHOD: 1.0 - 0.5 * late}.get(role, 0.0)
        elif aspect == "what is new" and role in (Role.APPROACH, Role.METHOD, Role.RESULT):
            score = 0.5 * len(_NEW.findall(text)) + 0.2 * (role is Role.APPROACH) if _NEW.search(text) else 0.0
        elif aspect == "data and benchmarks":
            score = float(bool(_DATA.search(text))) * {Role.RESULT: 2.0, Role.METHOD: 1.0, Role.APPROACH: 0.8}.get(
                role, 0.0
            )
        elif aspect == "results" and role is Role.RESULT:
            score = 1.0 + 0.3 * len(_GAIN.findall(text)) + 0.1 * late - 0.8 * bool(_TESTING.search(text))
        elif aspect == "limits" and row >= own:
            score = float(bool(_LIMITS.search(text)))
        elif aspect == "code":
            score = float(bool(CODE.search(text))) * (2.0 if role is Role.RESOURCE else 0.0)
        scores.append(score)
    return scores
