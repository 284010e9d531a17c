"""The assistant: one question in, events and a checked answer out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rag.answering import extractive, prompts
from rag.answering.events import Delta, Done, Event, Found, Searching
from rag.answering.evidence import Evidence, EvidenceFinder
from rag.answering.generative import Written, check, stream_text
from rag.answering.markdown import sentence_markdown
from rag.answering.models import make_chat_model, model_name
from rag.answering.refusal import decide
from rag.answering.support import SupportCheck
from rag.errors import CitewellError, LanguageModelError
from rag.library import Library
from rag.records import Answer, Citation, Hit, Paper, Refusal, RefusalKind, Sentence, Source, Support
from rag.retrieval import HybridSearch, Intent, Query, understand
from rag.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

HITS = 10
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
        self._search = HybridSearch(library)
        self._evidence = EvidenceFinder(library)
        self._support = SupportCheck(library)

    def answer(self, question: str) -> Answer:
        """The finished answer, for callers that need no events."""
        for event in self.ask(question):
            if isinstance(event, Done):
                return event.answer
        raise CitewellError("The question was not answered.")

    def ask(self, question: str, stop: Callable[[], bool] = never) -> Iterator[Event]:
        """Events while the question is answered; the last is `Done`.

        `stop` is asked between the pieces of a model's text; when it says yes, what has come is checked and shown.
        """
        timings: dict[str, float] = {}
        began = time.perf_counter()
        with _timed(timings, "understand"):
            query = understand(question, self.library)
        if query.intent.is_chitchat:
            sentence = Sentence(_CHITCHAT[query.intent], (), Support.UNCITED)
            yield Done(Answer(question, (sentence,), timings=_total(timings, began)))
            return
        yield Searching(query)
        result = self._search.search(query, HITS)
        timings |= result.timings
        yield Found(result.hits)
        with _timed(timings, "evidence"):
            evidence = self._evidence.find(query, result.hits)
            refusal = decide(query, result.hits, evidence, self.library)
        notices = [result.notice] if result.notice else []
        if (waiting := self.library.pending) > 0:
            notices.append(f"{waiting} papers are not indexed yet; finish with: citewell doctor --repair")
        if refusal is not None:
            yield Done(_refused(question, refusal, result.hits, notices, _total(timings, began)))
            return
        if self._model is not None or model_name(self.settings):
            yield from self._generate(query, result.hits, evidence, notices, timings, began, stop)
        else:
            yield from self._extract(query, result.hits, evidence, notices, timings, began)

    # -- writers -------------------------------------------------------------------------------------------------

    def _extract(
        self,
        query: Query,
        hits: Sequence[Hit],
        evidence: Sequence[Sequence[Evidence]],
        notices: list[str],
        timings: dict[str, float],
        began: float,
    ) -> Iterator[Event]:
        with _timed(timings, "write"):
            chosen = extractive.choose(query, evidence, self.settings.max_sources)
            sentences, sources = _quoted(chosen)
        if not sentences:
            reason = prompts.NOT_IN_LIBRARY
            refusal = Refusal(RefusalKind.NOT_IN_LIBRARY, reason, tuple(hit.paper for hit in hits[:3]))
            yield Done(_refused(query.text, refusal, hits, notices, _total(timings, began)))
            return
        for position, sentence in enumerate(sentences):
            before = sentences[position - 1] if position else None
            yield Delta(sentence_markdown(sentence, before, sources))
        yield Done(
            Answer(
                query.text, sentences, sources, writer=EXTRACTIVE, hits=tuple(hits), notices=tuple(notices),
                timings=_total(timings, began),
            )
        )  # fmt: skip

    def _generate(
        self,
        query: Query,
        hits: Sequence[Hit],
        evidence: Sequence[Sequence[Evidence]],
        notices: list[str],
        timings: dict[str, float],
        began: float,
        stop: Callable[[], bool],
    ) -> Iterator[Event]:
        papers = self._sources_for_model(hits, evidence)
        pieces: list[str] = []
        try:
            with _timed(timings, "model"):
                model = self._model or make_chat_model(self.settings)
                for piece in stream_text(model, self.settings, query.text, papers, stop):
                    pieces.append(piece)
                    yield Delta(piece)
        except LanguageModelError as error:
            notices.append(f"{error} This answer is made of quotes instead.")
            yield from self._extract(query, hits, evidence, notices, timings, began)
            return
        raw = "".join(pieces)
        if not raw.strip():
            notices.append(f"{model_name(self.settings)} wrote nothing. This answer is made of quotes instead.")
            yield from self._extract(query, hits, evidence, notices, timings, began)
            return
        with _timed(timings, "check"):
            written = check(raw, papers, self._support)
        yield Done(self._checked(query, hits, written, raw, notices, _total(timings, began)))

    def _sources_for_model(self, hits: Sequence[Hit], evidence: Sequence[Sequence[Evidence]]) -> list[Paper]:
        """The papers shown to the model: those with an abstract, best first."""
        with_text = [hit.paper for hit, sentences in zip(hits, evidence, strict=True) if sentences]
        return with_text[: self.settings.max_sources]

    def _checked(
        self,
        query: Query,
        hits: Sequence[Hit],
        written: Written,
        raw: str,
        notices: list[str],
        timings: dict[str, float],
    ) -> Answer:
        notices = [*notices, *written.notices]
        writer = model_name(self.settings) or type(self._model).__name__
        refusal = None
        if written.refused:
            nearest = tuple(hit.paper for hit in hits[:3])
            refusal = Refusal(RefusalKind.NOT_IN_LIBRARY, prompts.NOT_IN_LIBRARY, nearest)
        return Answer(
            query.text, written.sentences, written.sources, refusal=refusal, writer=writer, timings=timings,
            notices=tuple(notices), raw_text=raw, hits=tuple(hits),
        )  # fmt: skip


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


def _refused(
    question: str, refusal: Refusal, hits: Sequence[Hit], notices: Sequence[str], timings: dict[str, float]
) -> Answer:
    return Answer(question, refusal=refusal, hits=tuple(hits), notices=tuple(notices), timings=timings)


@contextmanager
def _timed(timings: dict[str, float], step: str) -> Iterator[None]:
    started = time.perf_counter()
    try:
        yield
    finally:
        timings[step] = timings.get(step, 0.0) + time.perf_counter() - started


def _total(timings: dict[str, float], began: float) -> dict[str, float]:
    return {
        **{step: round(seconds, 6) for step, seconds in timings.items()},
        "total": round(time.perf_counter() - began, 6),
    }
