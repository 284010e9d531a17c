"""Citations: the words of an abstract that are meant, and the numbered sources of an answer."""

from __future__ import annotations

from dataclasses import dataclass

from citewell.paper import Paper


@dataclass(frozen=True, slots=True)
class Citation:
    """Source number `number` of the answer, and the words of its abstract: `quote == abstract[start:end]`."""

    number: int
    paper_id: str
    quote: str
    start: int
    end: int

    @classmethod
    def of(cls, number: int, paper: Paper, start: int, end: int) -> Citation:
        """The words of a paper's abstract between two offsets, as source `number`."""
        return cls(number, paper.id, paper.abstract[start:end], start, end)


@dataclass(frozen=True, slots=True)
class Source:
    """A cited paper and its number in the answer (numbered by first use, from 1)."""

    number: int
    paper: Paper
