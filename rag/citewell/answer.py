"""What came of one question.

Offsets are character offsets into `Paper.abstract`; a quote is always exactly `abstract[start:end]`.
Bibliographic fields are printed from a `Paper`, never from text that a model wrote.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from citewell import wording
from citewell.citation import Citation, Source
from citewell.comparison import Comparison
from citewell.filters import Filters
from citewell.hit import Hit
from citewell.refusal import Refusal
from citewell.sentence import Sentence, Support

EXTRACTIVE = "extractive"


class NoticeKind(StrEnum):
    """What a person is told beside an answer."""

    PENDING = "pending"
    WORDS_ONLY = "words-only"
    MISSING_PART = "missing-part"
    UNKNOWN_NAME = "unknown-name"
    LEFT_OUT = "left-out"
    MODEL_FAILED = "model-failed"
    MODEL_EMPTY = "model-empty"
    MODEL_STOPPED = "model-stopped"
    MODEL_UNSUPPORTED = "model-unsupported"
    MARKERS_REMOVED = "markers-removed"
    REPEATS_CUT = "repeats-cut"
    TABLE_WITHOUT_MODEL = "table-without-model"
    CELLS_WITHOUT_MODEL = "cells-without-model"
    QUOTES_NOT_FOUND = "quotes-not-found"
    EARLIER = "earlier"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that a person should know beside the answer; `values` fill in the wording."""

    kind: NoticeKind
    values: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The notice for a person to read."""
        return wording.NOTICES[self.kind].format(**self.values)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one question.

    `model` names the language model that wrote it, empty for an answer made of quotes. `timings` holds seconds per
    step. `raw_text` is what the model wrote before any check. `draft` are a model's sentences that are folded away
    behind quotes because most of them are unsupported. `filters` were in force. Beside a refusal, `sentences` are
    what the paper asked about does state. With a `claim` that was looked for, `sentences` are the words that say it,
    and their verdicts are those of the claim.
    """

    question: str
    sentences: tuple[Sentence, ...] = ()
    sources: tuple[Source, ...] = ()
    comparison: Comparison | None = None
    refusal: Refusal | None = None
    model: str = ""
    timings: Mapping[str, float] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    raw_text: str = ""
    draft: tuple[Sentence, ...] = ()
    hits: tuple[Hit, ...] = ()
    filters: Filters = field(default_factory=Filters)
    claim: str = ""

    @property
    def writer(self) -> str:
        """`extractive`, or the model's name."""
        return self.model or EXTRACTIVE

    @property
    def is_extractive(self) -> bool:
        """Whether the answer is made of quotes."""
        return not self.model

    @property
    def is_quoted(self) -> bool:
        """Whether every sentence is a quote that answers for itself, so that no verdict needs showing."""
        return self.is_extractive and self.comparison is None and not self.claim

    @property
    def citations(self) -> list[Citation]:
        """Every citation of the sentences and of the table."""
        table = self.comparison.citations if self.comparison is not None else []
        return [*(citation for sentence in self.sentences for citation in sentence.citations), *table]

    @property
    def supported(self) -> tuple[int, int]:
        """How many sentences that state something are supported, and how many there are."""
        stating = [sentence for sentence in self.sentences if sentence.citations or not self.is_extractive]
        return sum(sentence.support is Support.SUPPORTED for sentence in stating), len(stating)

    @property
    def text(self) -> str:
        """The answer as Markdown with `[n]` markers; for a refusal its reason and the nearest papers."""
        return self.to_markdown()

    def to_markdown(self) -> str:
        """The answer as Markdown with `[n]` markers."""
        from citewell.rendering.markdown import answer_markdown

        return answer_markdown(self)

    def to_dict(self) -> dict[str, Any]:
        """The object that `citewell ask --json` prints."""
        from citewell.rendering.as_json import answer_json

        return answer_json(self)
