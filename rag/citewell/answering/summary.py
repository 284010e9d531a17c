"""Answers made of quotes: to questions, and as summaries of papers."""

from __future__ import annotations

from collections.abc import Sequence

from citewell.answer import Answer
from citewell.answering import extractive
from citewell.answering.answerability import NEAREST
from citewell.answering.builder import AnswerBuilder, quoted
from citewell.answering.evidence import Evidence, EvidenceFinder
from citewell.answering.synthesis import synthesise
from citewell.hit import Hit
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.query import Intent
from citewell.refusal import Refusal, RefusalKind
from citewell.request import Request
from citewell.sentence import Sentence
from citewell.understanding import understand


def quotes(
    builder: AnswerBuilder,
    snapshot: Snapshot,
    most_papers: int,
    draft: tuple[Sentence, ...] = (),
    raw_text: str = "",
) -> Answer:
    """The answer in the abstracts' own sentences; `draft` and `raw_text` are what a model wrote before."""
    with builder.timed("write"):
        first = builder.retrieved[0]
        if len(builder.retrieved) == 1 and first.query.is_synthesis:
            sentences, sources = synthesise(snapshot, extractive.choose_for_synthesis(first.query, first.evidence))
        else:
            each: dict[tuple[str, int], Evidence] = {}
            for found in builder.retrieved:
                for item in extractive.choose(found.query, found.evidence, most_papers):
                    each.setdefault((item.paper.id, item.start), item)
            sentences, sources = quoted(list(each.values()))
    if not sentences:
        return builder.answer(refusal=builder.not_in_library(), raw_text=raw_text)
    return builder.answer(sentences, sources, draft=draft, raw_text=raw_text)


def answer(text: str, papers: Sequence[Paper], builder: AnswerBuilder, snapshot: Snapshot) -> Answer:
    """Problem, approach and result of each paper in two to four of its sentences; and what differs."""
    finder = EvidenceFinder(snapshot)
    chosen: list[Evidence] = []
    for paper in papers:
        query = understand(Request(text, about=(paper.id,), intent=Intent.SUMMARISE), snapshot)
        with builder.timed("evidence"):
            chosen += extractive.choose(query, finder.find(query, [Hit(paper, 0.0)]), 1)
    sentences, sources = synthesise(snapshot, chosen)
    if not sentences:
        return builder.answer(refusal=Refusal(RefusalKind.NO_ABSTRACT, tuple(papers[:NEAREST]), papers[0].title))
    return builder.answer(sentences, sources)
