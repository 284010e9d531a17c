"""Greetings, thanks, and what can be asked here."""

from __future__ import annotations

from citewell import wording
from citewell.answer import Answer
from citewell.answering.builder import AnswerBuilder
from citewell.query import Intent, Query
from citewell.sentence import Sentence

_REPLIES = {Intent.GREETING: wording.GREETING, Intent.THANKS: wording.THANKS, Intent.HELP: wording.HELP}


def answer(query: Query, builder: AnswerBuilder) -> Answer:
    """The reply to a text that asks nothing of the papers."""
    return builder.answer((Sentence(_REPLIES[query.intent]),))
