"""A language model puts a follow-up into words that stand alone; the rules' reading holds when it does not.

Used only where the rules found something to resolve, so a question of its own costs no call.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from citewell import wording
from citewell.answer import Answer
from citewell.answering import prompts
from citewell.answering.language_model import explain
from citewell.assistant import Assistant
from citewell.library import Snapshot
from citewell.request import Request
from citewell.text.tokens import index_tokens, informative_words, question_tokens
from citewell.understanding import understand
from citewell.understanding.names import named_papers, unknown_names

LONGEST = 300
# A rewriting that drops more than this share of the question's own words asks something else.
MOST_LOST = 0.4
TURNS_SHOWN = 3
log = logging.getLogger(__name__)


def rewritten(request: Request, answers: Sequence[Answer], assistant: Assistant) -> Request:
    """`request` with its question rewritten by the model, or as it was when that fails or cannot be trusted."""
    if not request.about or request.compared or request.intent is not None or request.claim:
        return request
    snapshot = assistant.library.snapshot()
    names = [paper.label for paper in snapshot.papers_by_id(request.about).values()]
    before = [answer.question for answer in answers[-TURNS_SHOWN:]]
    try:
        reply = assistant.writer.chat_model().invoke(prompts.rewriting_messages(request.question, before, names))
    except Exception as error:
        log.info("the follow-up was not rewritten: %s", explain(error, assistant.settings))
        return request
    text = " ".join(str(reply.text).split()).strip('"“” ')
    if not _is_faithful(text, request, snapshot):
        return request
    return replace(request, question=text, note=wording.TAKEN_AS.format(text=text))


def _is_faithful(text: str, request: Request, snapshot: Snapshot) -> bool:
    """Whether a rewriting asks the same of the same papers: names them, keeps the words, brings in no strange name."""
    if not text or len(text) > LONGEST or text == request.question:
        return False
    named = {paper_id for name in named_papers(text, snapshot) for paper_id in name.paper_ids}
    if not set(request.about) <= named or len(named) > len(request.about):
        return False
    asked = {token for word in informative_words(request.question) for token in index_tokens(word)} - question_tokens()
    lost = asked - set(index_tokens(text))
    if len(lost) > MOST_LOST * len(asked):
        return False
    return not unknown_names(understand(Request(text, read_filters=False), snapshot), snapshot)
