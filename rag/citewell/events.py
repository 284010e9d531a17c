"""What happens while a question is answered, in order: the faces print or draw these."""

from __future__ import annotations

from dataclasses import dataclass

from citewell.answer import Answer
from citewell.hit import Hit
from citewell.query import Query


@dataclass(frozen=True, slots=True)
class Searching:
    """The question has been understood; the library is being searched."""

    query: Query


@dataclass(frozen=True, slots=True)
class Found:
    """The search is over: the hits that may be cited, best first."""

    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Delta:
    """More of the answer's text, as Markdown with `[n]` markers that are not checked yet."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The checked answer; it replaces everything shown so far."""

    answer: Answer


Event = Searching | Found | Delta | Done
