"""The aspects by which papers are compared, and which words of an abstract speak of each.

The standard aspects rest on the part that a sentence plays in its abstract (`rag/text/roles.py`) and on cue words; any
other aspect that a person names ("cost") is looked for by its words and its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag.library import Library
from rag.records import Paper
from rag.text.roles import Role, sentence_roles
from rag.text.sentences import split_sentences
from rag.text.words import index_tokens

STANDARD = ("problem", "approach", "what is new", "data and benchmarks", "results", "limits", "code")
# Words with which a person asks for an aspect.
_ASKED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (aspect, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for aspect, words in (
        ("problem", r"problems?|motivations?|challenges?|goals?|aims?"),
        ("approach", r"approach(?:es)?|methods?|techniques?|how they (?:work|solve)|ideas?|architectures?"),
        ("what is new", r"novelty|what is new|contributions?|innovations?"),
        ("data and benchmarks", r"data(?: ?sets?)?|benchmarks?|tasks?|evaluations?|experiments?"),
        ("results", r"results?|performance|accuracy|gains?|improvements?|numbers|findings?"),
        ("limits", r"limits?|limitations?|drawbacks?|weakness(?:es)?|assumptions?"),
        ("code", r"code|implementations?|repositor(?:y|ies)|availability"),
    )
)
_DATA = re.compile(
    r"\b(?:data ?sets?|benchmarks?|corp(?:us|ora)|real-world data|synthetic data|ImageNet|CIFAR\S*|"
    r"(?:evaluat\w+|experiments?|tested|validat\w+)\b.{0,60}?\bon\b)",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"\b(?:novel|new|first|unlike|in contrast|instead of|differs?|for the first time|without)\b", re.IGNORECASE
)
_LIMITS = re.compile(
    r"\b(?:limitations? of (?:our|this|the proposed)|future work|at the (?:cost|expense) of|only (?:when|if|for|holds)|"
    r"as long as|we (?:assume|leave)|under (?:a |an |the |mild |suitable |standard |certain )*(?:\w+ )?assumptions?|"
    r"remains? (?:open|an open)|does not (?:extend|apply|hold))\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"\b(?:code|codes|source|implementation|github|open-source\w*)\b|https?://", re.IGNORECASE)
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


def asked_aspects(text: str) -> list[str]:
    """The standard aspects that a text asks for, in the order in which it names them."""
    found = [(match.start(), aspect) for aspect, pattern in _ASKED if (match := pattern.search(text))]
    return [aspect for _, aspect in sorted(found)]


class AspectFinder:
    """Finds the words of abstracts that speak of an aspect."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def find(self, paper: Paper, aspect: str) -> Stated | None:
        """The sentence of an abstract that speaks of an aspect, its opening connective left out; None if none does."""
        bounds = split_sentences(paper.abstract)
        texts = [paper.abstract[start:end] for start, end in bounds]
        if not texts:
            return None
        row = self._row(paper, texts, aspect)
        if row is None:
            return None
        start, end = bounds[row]
        return Stated(start + _lead_in(texts[row]), end)

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
        kept = self._library.sentence_vectors([paper]).get(paper.id)
        if kept is None or len(kept[0]) != len(texts):
            return None
        cosines = kept[1] @ self._library.query_vector(aspect)
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
            score = 1.0 + 0.3 * len(_GAIN.findall(text)) + 0.1 * late
        elif aspect == "limits" and row >= own:
            score = float(bool(_LIMITS.search(text)))
        elif aspect == "code":
            score = float(bool(_CODE.search(text))) * (2.0 if role is Role.RESOURCE else 0.0)
        scores.append(score)
    return scores


def _lead_in(text: str) -> int:
    """The length of an opening that only links a sentence to the one before it."""
    match = re.match(
        r"(?:However|Moreover|Furthermore|Additionally|Finally|Specifically|In this (?:paper|work|study)|To address "
        r"(?:this|these)(?: \w+){0,2}|Therefore|Thus|Here|Notably|Further|In addition|Also), ",
        text,
    )
    return match.end() if match and len(text) - match.end() > 30 else 0
