"""The assistant: one question in, events and a checked answer out.

Read `Assistant.ask` from top to bottom: understand, look for what is asked, decide whether that is enough, write,
check. Each step is a function or a small class of its own floor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from citewell import wording
from citewell.answer import Answer, NoticeKind
from citewell.answering import comparison, small_talk, summary
from citewell.answering.attribution import attribute_claim
from citewell.answering.builder import AnswerBuilder
from citewell.answering.evidence_search import EvidenceSearch
from citewell.answering.generative import write
from citewell.answering.language_model import Writer
from citewell.checking.support import SupportCheck, entailment_of
from citewell.checking.verdicts import Verdict, verdicts_of
from citewell.errors import CitewellError
from citewell.events import Delta, Done, Event, Found, Searching
from citewell.library import Library, Snapshot
from citewell.paper import Paper
from citewell.query import Query
from citewell.rendering.markdown import markdown_pieces
from citewell.request import Request
from citewell.retrieval.reranker import Reranker
from citewell.settings import Settings
from citewell.understanding import understand_parts

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


def never() -> bool:
    """A stop signal that never comes."""
    return False


class Assistant:
    """Answers questions from one library. Safe to share between threads."""

    def __init__(self, library: Library, settings: Settings | None = None, model: BaseChatModel | None = None) -> None:
        self.library = library
        self.settings = settings or library.settings
        self.writer = Writer(self.settings, model)
        self._reranker = Reranker.from_settings(self.settings)
        self._entailment = entailment_of(self.settings)

    def answer(self, request: Request | str) -> Answer:
        """The finished answer, for callers that need no events."""
        for event in self.ask(request):
            if isinstance(event, Done):
                return event.answer
        raise CitewellError("The question was not answered.")

    def ask(self, request: Request | str, stop: Callable[[], bool] = never) -> Iterator[Event]:
        """Events while the question is answered; the last is `Done`.

        `stop` is asked between the pieces of a model's text; when it says yes, what has come is checked and shown.
        """
        request = Request(request) if isinstance(request, str) else request
        snapshot = self.library.snapshot()
        builder = AnswerBuilder(request.question)
        search, support = self._search(snapshot), SupportCheck(snapshot, self._entailment)
        with builder.timed("understand"):
            queries = understand_parts(request, snapshot)
        if queries[0].intent.is_chitchat:
            yield Done(small_talk.answer(queries[0], builder))
            return
        yield Searching(queries[0])
        if (found := attribute_claim(request, builder, search, support)) is not None:
            yield Found(builder.hits)
            yield Done(found)
            return
        if papers := comparison.compared_papers(request, queries, search, builder):
            yield Done(comparison.answer(queries[0], papers, request, builder, snapshot, self.writer))
            return
        search.retrieve_all(queries, request, builder)
        yield Found(builder.hits)
        if snapshot.pending:
            builder.tell(NoticeKind.PENDING, count=snapshot.pending)
        yield from self._finish(builder, snapshot, search, support, stop)

    def _finish(
        self,
        builder: AnswerBuilder,
        snapshot: Snapshot,
        search: EvidenceSearch,
        support: SupportCheck,
        stop: Callable[[], bool],
    ) -> Iterator[Event]:
        """Refuse, or write from what was found and check it."""
        answered = [each for each in builder.retrieved if each.refusal is None]
        if not answered:
            yield Done(search.refused(builder))
            return
        builder.name_what_is_missing(snapshot)
        builder.retrieved = answered
        if self.writer.name:
            yield from write(builder, snapshot, self.settings, self.writer, support, stop)
            return
        answer = summary.quotes(builder, snapshot, self.settings.max_sources)
        if answer.refusal is None:
            yield from map(Delta, markdown_pieces(answer))
        yield Done(answer)

    def _search(self, snapshot: Snapshot) -> EvidenceSearch:
        return EvidenceSearch(snapshot, self.settings, self._reranker)

    def check(self, text: str) -> list[Verdict]:
        """Each sentence of anybody's text against the library."""
        snapshot = self.library.snapshot()
        return verdicts_of(text, snapshot, SupportCheck(snapshot, self._entailment))

    def compare(self, papers: Sequence[Paper], aspects: Sequence[str] = (), *, swapped: bool = False) -> Answer:
        """The comparison of given papers, for callers that need no question."""
        text = wording.COMPARE_THESE.format(names=", ".join(paper.label for paper in papers))
        request = Request(text, aspects=tuple(aspects), swapped=swapped)
        query = Query.of_comparison(text)
        builder = AnswerBuilder(text)
        return comparison.answer(query, papers, request, builder, self.library.snapshot(), self.writer)

    def summarise(self, papers: Sequence[Paper]) -> Answer:
        """Problem, approach and result of each paper in two to four of its sentences; and what differs."""
        text = wording.SUMMARISE_THESE.format(names=", ".join(paper.label for paper in papers))
        return summary.answer(text, papers, AnswerBuilder(text), self.library.snapshot())
