"""The assistant: one question in, events and a checked answer out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rag.answering import extractive, prompts
from rag.answering.events import Delta, Done, Event, Found, Searching
from rag.answering.evidence import Evidence, EvidenceFinder
from rag.answering.generative import check, stream_text
from rag.answering.markdown import sentence_markdown
from rag.answering.models import make_chat_model, model_name
from rag.answering.refusal import NEAREST, decide, fitting
from rag.answering.support import SupportCheck
from rag.errors import CitewellError, LanguageModelError
from rag.library import Library
from rag.records import Answer, Citation, Filters, Hit, Paper, Refusal, RefusalKind, Sentence, Source, Support
from rag.retrieval import HybridSearch, Intent, Query, understand
from rag.retrieval.reranker import Reranker
from rag.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

HITS = 10
SURVEY_HITS = 60
EXTRACTIVE = "extractive"
_CHITCHAT = {Intent.GREETING: prompts.GREETING, Intent.THANKS: prompts.THANKS, Intent.HELP: prompts.HELP}


def never() -> bool:
    """A stop signal that never comes."""
    return False


class Assistant:
    """Answers questions from one library. Safe to share between threads."""

    def __init__(self, library: Library, settings: Settings | None = None, model: BaseChatModel | None = None) -> None:
        self.library = library
        self.settings = settings or library.settings
        self._model = model
        self._search = HybridSearch(library, Reranker.from_settings(self.settings))
        self._evidence = EvidenceFinder(library)
        self._support = SupportCheck(library)

    def answer(self, question: str, filters: Filters | None = None, *, read_filters: bool = True) -> Answer:
        """The finished answer, for callers that need no events."""
        for event in self.ask(question, filters=filters, read_filters=read_filters):
            if isinstance(event, Done):
                return event.answer
        raise CitewellError("The question was not answered.")

    def ask(
        self,
        question: str,
        stop: Callable[[], bool] = never,
        *,
        filters: Filters | None = None,
        read_filters: bool = True,
    ) -> Iterator[Event]:
        """Events while the question is answered; the last is `Done`.

        Only papers that pass `filters` are searched, and with `read_filters` those that the question itself names
        ("since 2024", "by Hazan") count too. `stop` is asked between the pieces of a model's text; when it says yes,
        what has come is checked and shown.
        """
        work = _Work(question)
        with work.timed("understand"):
            query = understand(question, self.library, filters, read_filters=read_filters)
        work.filters = query.filters
        if query.intent.is_chitchat:
            yield Done(work.answer(sentences=(Sentence(_CHITCHAT[query.intent], (), Support.UNCITED),)))
            return
        yield Searching(query)
        result = self._search.search(query, SURVEY_HITS if query.is_survey else HITS)
        work.timings |= result.timings
        work.hits = result.hits
        yield Found(result.hits)
        with work.timed("evidence"):
            work.evidence = self._evidence.find(query, result.hits)
            refusal = decide(query, result.hits, work.evidence, self.library)
            if query.is_survey:
                work.evidence = fitting(query, result.hits, work.evidence, self.library)
        if result.notice:
            work.notices.append(result.notice)
        if (waiting := self.library.pending) > 0:
            work.notices.append(f"{waiting} papers are not indexed yet; finish with: citewell doctor --repair")
        if refusal is not None:
            yield Done(work.answer(refusal=refusal))
        elif self._model is not None or model_name(self.settings):
            yield from self._generate(query, work, stop)
        else:
            yield from self._extract(query, work)

    def _extract(self, query: Query, work: _Work) -> Iterator[Event]:
        with work.timed("write"):
            sentences, sources = _quoted(extractive.choose(query, work.evidence, self.settings.max_sources))
        if not sentences:
            yield Done(work.answer(refusal=work.not_in_library()))
            return
        for position, sentence in enumerate(sentences):
            before = sentences[position - 1] if position else None
            yield Delta(sentence_markdown(sentence, before, sources))
        yield Done(work.answer(sentences=sentences, sources=sources))

    def _generate(self, query: Query, work: _Work, stop: Callable[[], bool]) -> Iterator[Event]:
        papers = [sentences[0].paper for sentences in work.evidence if sentences][: self.settings.max_sources]
        pieces: list[str] = []
        trouble = ""
        try:
            with work.timed("model"):
                model = self._model or make_chat_model(self.settings)
                for piece in stream_text(model, self.settings, query.text, papers, stop):
                    pieces.append(piece)
                    yield Delta(piece)
        except LanguageModelError as error:
            trouble = str(error)
        raw = "".join(pieces)
        if trouble or not raw.strip():
            trouble = trouble or f"{model_name(self.settings)} wrote nothing."
            work.notices.append(f"{trouble} This answer is made of quotes instead.")
            yield from self._extract(query, work)
            return
        if stop():
            work.notices.append("Stopped before the model had finished.")
        with work.timed("check"):
            written = check(raw, papers, self._support)
        work.notices.extend(written.notices)
        yield Done(
            work.answer(
                sentences=written.sentences,
                sources=written.sources,
                refusal=work.not_in_library() if written.refused else None,
                writer=model_name(self.settings) or type(self._model).__name__,
                raw_text=raw,
            )
        )


@dataclass(slots=True)
class _Work:
    """What has been found and said so far on the way to one answer."""

    question: str
    hits: Sequence[Hit] = ()
    evidence: Sequence[Sequence[Evidence]] = ()
    filters: Filters = field(default_factory=Filters)
    notices: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Add the seconds inside to the step's time."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.timings[step] = self.timings.get(step, 0.0) + time.perf_counter() - started

    def not_in_library(self) -> Refusal:
        nearest = tuple(hit.paper for hit in self.hits[:NEAREST])
        return Refusal(RefusalKind.NOT_IN_LIBRARY, prompts.NOT_IN_LIBRARY, nearest)

    def answer(
        self,
        sentences: tuple[Sentence, ...] = (),
        sources: tuple[Source, ...] = (),
        refusal: Refusal | None = None,
        writer: str = EXTRACTIVE,
        raw_text: str = "",
    ) -> Answer:
        """The finished answer, with everything gathered on the way."""
        total = time.perf_counter() - self.began
        return Answer(
            question=" ".join(self.question.split()),
            sentences=sentences,
            sources=sources,
            refusal=refusal,
            writer=writer,
            timings={step: round(seconds, 6) for step, seconds in (self.timings | {"total": total}).items()},
            notices=tuple(self.notices),
            raw_text=raw_text,
            hits=tuple(self.hits),
            filters=self.filters,
        )


def _quoted(chosen: Sequence[Evidence]) -> tuple[tuple[Sentence, ...], tuple[Source, ...]]:
    numbers: dict[str, int] = {}
    papers: dict[str, Paper] = {}
    sentences = []
    for item in chosen:
        number = numbers.setdefault(item.paper.id, len(numbers) + 1)
        papers[item.paper.id] = item.paper
        citation = Citation(number, item.paper.id, item.text, item.start, item.end)
        sentences.append(Sentence(item.text, (citation,), Support.SUPPORTED))
    return tuple(sentences), tuple(Source(number, papers[paper_id]) for paper_id, number in numbers.items())
