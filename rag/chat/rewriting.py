"""A language model puts a follow-up into words that stand alone; the rules' reading holds when it does not.

Used only where the rules found something to resolve, so a question of its own costs no call.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from rag.answering import prompts
from rag.answering.assistant import Assistant
from rag.answering.comparison import short_name
from rag.answering.models import explain
from rag.answering.refusal import unknown_names
from rag.chat.follow_up import Resolved
from rag.records import Answer
from rag.retrieval.query import named_papers, understand
from rag.text.words import index_tokens, informative_words, question_tokens

LONGEST = 300
# A rewriting that drops more than this share of the question's own words asks something else.
MOST_LOST = 0.4
TURNS_SHOWN = 3
log = logging.getLogger(__name__)


def rewritten(resolved: Resolved, answers: Sequence[Answer], assistant: Assistant) -> Resolved:
    """`resolved` with its question rewritten by the model, or as it was when that fails or cannot be trusted."""
    if not resolved.about or resolved.compared:
        return resolved
    papers = list(assistant.library.papers_by_id(resolved.about).values())
    names = [short_name(paper) for paper in papers]
    try:
        model = assistant.chat_model()
        if model is None:
            return resolved
        before = [answer.question for answer in answers[-TURNS_SHOWN:]]
        reply = model.invoke(prompts.rewriting_messages(resolved.question, before, names))
    except Exception as error:
        log.info("the follow-up was not rewritten: %s", explain(error, assistant.settings))
        return resolved
    text = " ".join(str(reply.text).split()).strip('"“” ')
    return replace(resolved, question=text, note=f"“{text}”") if _is_faithful(text, resolved, assistant) else resolved


def _is_faithful(text: str, resolved: Resolved, assistant: Assistant) -> bool:
    """Whether a rewriting asks the same of the same papers: names them, keeps the words, brings in no strange name."""
    if not text or len(text) > LONGEST or text == resolved.question:
        return False
    named = {paper_id for name in named_papers(text, assistant.library) for paper_id in name.paper_ids}
    if not set(resolved.about) <= named or len(named) > len(resolved.about):
        return False
    asked = {token for word in informative_words(resolved.question) for token in index_tokens(word)} - question_tokens()
    lost = asked - set(index_tokens(text))
    if len(lost) > MOST_LOST * len(asked):
        return False
    return not unknown_names(understand(text, assistant.library, read_filters=False), assistant.library)
