"""What is to be answered: a question, and what is known of it beside its words."""

from __future__ import annotations

from dataclasses import dataclass

from citewell.filters import Filters
from citewell.query import Intent


@dataclass(frozen=True, slots=True)
class Request:
    """A question as it is to be answered.

    Only papers that pass `filters` are searched, and with `read_filters` those that the question itself names ("since
    2024", "by Hazan") count too. `about` are ids of papers that it is about without naming them; `compared` are papers
    to set side by side on `aspects`, with `swapped` the papers as rows. `intent` and `claim` are given where the
    question's words do not say them. `note` tells the person what it was taken for.
    """

    question: str
    filters: Filters | None = None
    read_filters: bool = True
    about: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    aspects: tuple[str, ...] = ()
    swapped: bool = False
    intent: Intent | None = None
    claim: str = ""
    note: str = ""

    @classmethod
    def topic_summary(cls, topic: str) -> Request:
        """A summary of what the library says on a topic."""
        return cls(topic, intent=Intent.SUMMARISE)

    @property
    def names_papers(self) -> bool:
        """Whether papers are given beside the question's words."""
        return bool(self.about or self.compared)
