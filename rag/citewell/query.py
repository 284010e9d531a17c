"""A question, understood: what it wants, which papers it names, which of its words carry content."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from citewell.filters import Filters
from citewell.text.tokens import index_tokens, question_tokens


class Intent(StrEnum):
    """What kind of answer a question asks for."""

    FACT = "fact"
    EXPLAIN = "explain"
    DEFINE = "define"
    FIND = "find"
    SURVEY = "survey"
    COMPARE = "compare"
    SUMMARISE = "summarise"
    GREETING = "greeting"
    THANKS = "thanks"
    HELP = "help"

    @property
    def is_chitchat(self) -> bool:
        return self in (Intent.GREETING, Intent.THANKS, Intent.HELP)


_ABOUT_NAMED = frozenset({Intent.FACT, Intent.EXPLAIN, Intent.DEFINE, Intent.SUMMARISE})


@dataclass(frozen=True, slots=True)
class NamedPaper:
    """A name in the question and the papers that go by it.

    `is_certain` when it can only be meant as theirs: the headline of a title, or much of the question.
    """

    name: str
    paper_ids: tuple[str, ...]
    is_certain: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A question, understood.

    `topic` is what is searched for: the question without filters and without the words that only make a question
    of it. `terms` are its informative words as written; `named` the papers it names; `filters` what papers must be,
    and `read_filters` the part of them that was read out of the question.
    """

    text: str
    intent: Intent
    topic: str = ""
    terms: tuple[str, ...] = ()
    named: tuple[NamedPaper, ...] = ()
    filters: Filters = field(default_factory=Filters)
    read_filters: Filters = field(default_factory=Filters)

    @classmethod
    def of_comparison(cls, text: str) -> Query:
        """The query behind a table of given papers."""
        return cls(text, Intent.COMPARE, text)

    @property
    def named_ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(paper_id for named in self.named for paper_id in named.paper_ids))

    @property
    def asks_by_name(self) -> bool:
        """Whether a paper is asked about by a name that can only be its own."""
        return any(named.is_certain for named in self.named)

    @property
    def asks_for_named(self) -> bool:
        """Whether the question is about the one paper that it names and no other."""
        return len(self.named_ids) == 1 and self.asks_by_name and self.intent in _ABOUT_NAMED

    @property
    def tokens(self) -> list[str]:
        """Tokens for the word index; words that only make a question count when there are no others."""
        tokens = index_tokens(self.topic)
        return [token for token in tokens if token not in question_tokens()] or tokens

    @property
    def lists_papers(self) -> bool:
        """Whether filters alone say which papers are wanted."""
        return bool(self.filters) and not self.terms

    @property
    def wants_several(self) -> bool:
        return self.is_survey or (self.intent is Intent.COMPARE and len(self.named) != 1)

    @property
    def is_survey(self) -> bool:
        """Whether every paper that fits is wanted, however many."""
        return self.intent in (Intent.SURVEY, Intent.SUMMARISE) and not self.named

    @property
    def is_synthesis(self) -> bool:
        """Whether a summary of several papers, or of a topic, is wanted."""
        return self.intent is Intent.SUMMARISE and len(self.named_ids) != 1
