"""Understanding a question: what it wants, which papers it names, which of its words carry content."""

from __future__ import annotations

from dataclasses import replace

from citewell.filters import Filters
from citewell.library import Snapshot
from citewell.query import Intent, NamedPaper, Query
from citewell.request import Request
from citewell.text.tokens import informative_words
from citewell.understanding.decomposition import question_parts
from citewell.understanding.filters import FilterReader
from citewell.understanding.intent import intent_of
from citewell.understanding.names import named_papers
from citewell.understanding.topic import topic

# What is searched for when a paper is to be summarised and nothing says in which respect.
SUMMARY_TOPIC = "Summarise it."


def understand(request: Request | str, snapshot: Snapshot) -> Query:
    """What a question asks of the library. A text alone is a question that names everything itself."""
    if isinstance(request, str):
        request = Request(request)
    text = " ".join(request.question.split())
    meant = tuple(NamedPaper("", (paper_id,), True) for paper_id in request.about)
    given = request.filters or Filters()
    if request.intent is not None:
        if meant:
            return Query(text, request.intent, SUMMARY_TOPIC, (), meant, given)
        return Query(text, request.intent, text, tuple(informative_words(text)), (), given)
    intent = intent_of(text)
    if intent.is_chitchat:
        return Query(text, intent, text)
    read, rest = FilterReader(snapshot.facets).read(text) if request.read_filters else (Filters(), text)
    subject = topic(rest)
    terms = tuple(informative_words(subject))
    if read and not terms and intent is not Intent.COMPARE:
        intent = Intent.SURVEY
    return Query(text, intent, subject, terms, (*meant, *named_papers(rest, snapshot)), given.joined(read), read)


def understand_parts(request: Request, snapshot: Snapshot) -> list[Query]:
    """Each of the questions in a question, understood; one that is about given papers stays whole."""
    whole = request.names_papers or request.intent is not None or request.claim
    parts = [request.question] if whole else question_parts(request.question)
    return [understand(replace(request, question=part), snapshot) for part in parts]
