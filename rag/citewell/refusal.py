"""A plain no: why there is no answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from citewell import wording
from citewell.paper import Paper


class RefusalKind(StrEnum):
    """Why there is no answer."""

    NOT_IN_LIBRARY = "not-in-library"
    UNKNOWN_NAME = "unknown-name"
    NOBODY_SAYS = "nobody-says"
    NOT_STATED = "not-stated"
    NO_ABSTRACT = "no-abstract"
    NOTHING_MATCHES = "nothing-matches"
    NOTHING_PASSES = "nothing-passes"
    EMPTY_LIBRARY = "empty-library"
    EARLIER = "earlier"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A plain no: its kind, the papers that come nearest, and what was missing.

    `title` is the paper that was asked about, `missing` what is not stated, not known or not passed.
    """

    kind: RefusalKind
    nearest: tuple[Paper, ...] = ()
    title: str = ""
    missing: str = ""

    @property
    def reason(self) -> str:
        """The refusal for a person to read."""
        return wording.REFUSALS[self.kind].format(title=self.title, missing=self.missing)
