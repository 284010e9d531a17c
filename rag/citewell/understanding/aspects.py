"""The aspects that a person asks for: what papers are compared by, and which aspect a question is about."""

from __future__ import annotations

import re
from collections.abc import Iterable

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


def named_aspects(names: Iterable[str]) -> tuple[str, ...]:
    """The aspects behind the words of a person who picks them one by one: standard ones by name, others as written."""
    return tuple(found for name in names for found in (asked_aspects(name) or [name]))


def asked_aspects(text: str) -> list[str]:
    """The standard aspects that a text asks for, in the order in which it names them."""
    found = [(match.start(), aspect) for aspect, pattern in _ASKED if (match := pattern.search(text))]
    return [aspect for _, aspect in sorted(found)]
