"""One sentence of an answer, what its citations do for it, and why that is doubted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from citewell import wording
from citewell.citation import Citation


class Support(StrEnum):
    """What the cited abstract does for a sentence."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"


class DoubtKind(StrEnum):
    """Why a verdict is not "supported"."""

    NUMBERS = "numbers"
    NOT_SAID = "not-said"
    NAMES = "names"
    REVERSED = "reversed"
    SOMETHING_NEAR = "something-near"
    CONTRADICTED = "contradicted"
    EARLIER = "earlier"


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is at fault, and the words that show it (numbers, names, a reversal)."""

    kind: DoubtKind
    words: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The doubt for a person to read."""
        return wording.DOUBTS[self.kind].format(words=", ".join(self.words))


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer, without its `[n]` markers, with its citations and verdict.

    `doubt` says why the verdict is not "supported"; `group` is the heading under which the sentence stands.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    support: Support = Support.UNCITED
    doubt: Doubt | None = None
    group: str = ""

    @property
    def reason(self) -> str:
        """The doubt in words; empty without one."""
        return self.doubt.text if self.doubt is not None else ""
