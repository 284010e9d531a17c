"""The assistant: one question in, events and a checked answer out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rag.answering import comparison, extractive, prompts
from rag.answering.aspects import STANDARD
from rag.answering.events import Delta, Done, Event, Found, Searching
from rag.answering.evidence import Evidence, EvidenceFinder
from rag.answering.generative import check, stream_text
from rag.answering.markdown import sentence_markdown
from rag.answering.models import make_chat_model, model_name
from rag.answering.nli import Entailment
from rag.answering.parts import question_parts
from rag.answering.refusal import NEAREST, PART_BAR, decide, fitting, unknown_names
from rag.answering.support import SupportCheck
from rag.errors import CitewellError, LanguageModelError
from rag.library import Library
from rag.records import (
    Answer,
    Citation,
    Comparison,
    Filters,
    Hit,
    Paper,
    Refusal,
    RefusalKind,
    Sentence,
    Source,
    Support,
)
from rag.retrieval import HybridSearch, Intent, Query, understand
from rag.retrieval.reranker import Reranker
from rag.settings import Settings
from rag.timing import timed

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
        self._support = SupportCheck(library, Entailment.from_settings(self.settings))

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
        about: Sequence[str] = (),
        compared: Sequence[str] = (),
        aspects: Sequence[str] = (),
        swapped: bool = False,
    ) -> Iterator[Event]:
        """Events while the question is answered; the last is `Done`.

        Only papers that pass `filters` are searched, and with `read_filters` those that the question itself names
        ("since 2024", "by Hazan") count too. `stop` is asked between the pieces of a model's text; when it says yes,
        what has come is checked and shown. `about` are papers that the question is about without naming them;
        `compared` are papers to set side by side on `aspects`, with `swapped` the papers as rows.
        """
        work = _Work(question)
        with work.timed("understand"):
            parts = [question] if about or compared else question_parts(question)
            queries = [
                understand(part, self.library, filters, read_filters=read_filters, about=about) for part in parts
            ]
        if queries[0].intent.is_chitchat:
            yield Done(work.answer(sentences=(Sentence(_CHITCHAT[queries[0].intent], (), Support.UNCITED),)))
            return
        yield Searching(queries[0])
        papers = self._compared(queries[0], compared) if len(queries) == 1 else []
        if len(papers) >= comparison.FEWEST:
            yield Done(self._comparison(work, queries[0], papers, aspects, swapped=swapped))
            return
        for query in queries:
            work.looks.append(self._look(query, work, PART_BAR if len(queries) > 1 else 0.0))
        if len(queries) > 1 and all(look.refusal is not None for look in work.looks):
            # What no part finds alone, the whole may.
            whole = understand(question, self.library, filters, read_filters=read_filters)
            work.looks = [self._look(whole, work)]
        yield Found(work.hits)
        if (waiting := self.library.pending) > 0:
            work.notices.append(f"{waiting} papers are not indexed yet; finish with: citewell doctor --repair")
        answered = [look for look in work.looks if look.refusal is None]
        if not answered:
            yield Done(self._refused(work))
            return
        work.name_what_is_missing(self.library)
        work.looks = answered
        if self._model is not None or model_name(self.settings):
            yield from self._generate(work, stop)
        else:
            yield from self._extract(work)

    def _compared(self, query: Query, compared: Sequence[str]) -> list[Paper]:
        """The papers that a question wants set side by side: given, named, or described."""
        if compared:
            return list(self.library.papers_by_id(compared).values())[: comparison.MOST]
        if query.intent is not Intent.COMPARE:
            return []
        ids = [named.paper_ids[0] for named in query.named]
        for side in comparison.sides(query.text) if len(ids) < comparison.FEWEST else ():
            own = understand(side, self.library, query.filters, read_filters=False)
            hits = () if own.named else self._search.search(own, HITS).hits
            if hits and decide(own, hits, self._evidence.find(own, hits), self.library) is None:
                ids.append(hits[0].paper.id)
        return list(self.library.papers_by_id(dict.fromkeys(ids)).values())[: comparison.MOST]

    def _comparison(
        self, work: _Work, query: Query, papers: Sequence[Paper], aspects: Sequence[str], *, swapped: bool
    ) -> Answer:
        """The table of these papers with the remarks under it."""
        wanted = tuple(aspects) or comparison.wanted_aspects(query.text) or STANDARD
        with work.timed("compare"):
            table = replace(comparison.compare(self.library, papers, wanted), swapped=swapped)
            said = comparison.remarks(self.library, table)
        work.name_unknown(query, self.library)
        return work.answer(sentences=said, sources=comparison.sources_of(table), table=table)

    def compare(self, papers: Sequence[Paper], aspects: Sequence[str] = ()) -> Answer:
        """The comparison of given papers, for callers that need no question."""
        question = f"Compare {', '.join(comparison.short_name(paper) for paper in papers)}"
        query = Query(question, Intent.COMPARE, question)
        return self._comparison(_Work(question), query, papers, aspects, swapped=False)

    def summarise(self, papers: Sequence[Paper]) -> Answer:
        """Problem, approach and result of each paper in two to four of its own sentences."""
        question = f"Summarise {', '.join(comparison.short_name(paper) for paper in papers)}"
        work = _Work(question)
        chosen: list[Evidence] = []
        for paper in papers:
            query = understand("Summarise it.", self.library, read_filters=False, about=(paper.id,))
            with work.timed("evidence"):
                evidence = self._evidence.find(query, [Hit(paper, 0.0)])
            chosen += extractive.choose(query, evidence, 1)
        sentences, sources = _quoted(chosen)
        if not sentences:
            reason = prompts.NO_ABSTRACT.format(title=papers[0].title)
            return work.answer(refusal=Refusal(RefusalKind.NO_ABSTRACT, reason, tuple(papers[:NEAREST])))
        return work.answer(sentences=sentences, sources=sources)

    def _look(self, query: Query, work: _Work, bar: float = 0.0) -> _Look:
        """Search for one question and decide whether what was found answers it."""
        result = self._search.search(query, SURVEY_HITS if query.is_survey else HITS)
        for step, seconds in result.timings.items():
            work.timings[step] = work.timings.get(step, 0.0) + seconds
        if result.notice and result.notice not in work.notices:
            work.notices.append(result.notice)
        with work.timed("evidence"):
            evidence: Sequence[Sequence[Evidence]] = self._evidence.find(query, result.hits)
            refusal = decide(query, result.hits, evidence, self.library, bar)
            if query.is_survey:
                evidence = fitting(query, result.hits, evidence, self.library)
        return _Look(query, result.hits, evidence, refusal)

    def _refused(self, work: _Work) -> Answer:
        """The refusal; when a paper is there but does not say it, with what it does state that is nearest."""
        look = work.looks[0]
        assert look.refusal is not None
        if look.refusal.kind is not RefusalKind.NOT_STATED or not look.refusal.nearest:
            return work.answer(refusal=look.refusal)
        own = [own for own in look.evidence if own and own[0].paper.id == look.refusal.nearest[0].id]
        nearest = [max(own[0], key=lambda item: item.score)] if own else []
        sentences, sources = _quoted(nearest)
        return work.answer(sentences=sentences, sources=sources, refusal=look.refusal)

    def _extract(self, work: _Work, draft: tuple[Sentence, ...] = (), raw: str = "") -> Iterator[Event]:
        with work.timed("write"):
            chosen: dict[tuple[str, int], Evidence] = {}
            for look in work.looks:
                for item in extractive.choose(look.query, look.evidence, self.settings.max_sources):
                    chosen.setdefault((item.paper.id, item.start), item)
            sentences, sources = _quoted(list(chosen.values()))
        if not sentences:
            yield Done(work.answer(refusal=work.not_in_library(), raw_text=raw))
            return
        for position, sentence in enumerate(sentences):
            before = sentences[position - 1] if position else None
            yield Delta(sentence_markdown(sentence, before, sources))
        yield Done(work.answer(sentences=sentences, sources=sources, draft=draft, raw_text=raw))

    def _generate(self, work: _Work, stop: Callable[[], bool]) -> Iterator[Event]:
        found = [sentences[0].paper for look in work.looks for sentences in look.evidence if sentences]
        papers = list({paper.id: paper for paper in found}.values())[: self.settings.max_sources]
        name = model_name(self.settings) or type(self._model).__name__
        pieces: list[str] = []
        trouble = ""
        try:
            with work.timed("model"):
                model = self._model or make_chat_model(self.settings)
                for piece in stream_text(model, self.settings, work.question, papers, stop):
                    pieces.append(piece)
                    yield Delta(piece)
        except LanguageModelError as error:
            trouble = str(error)
        raw = "".join(pieces)
        if trouble or not raw.strip():
            work.notices.append(f"{trouble or f'{name} wrote nothing.'} This answer is made of quotes instead.")
            yield from self._extract(work)
            return
        if stop():
            work.notices.append("Stopped before the model had finished.")
        with work.timed("check"):
            written = check(raw, papers, self._support)
        work.notices.extend(written.notices)
        if written.is_mostly_unsupported:
            work.notices.append(
                f"Most of what {name} wrote is not supported by the abstracts: quotes are shown, its text is below."
            )
            yield from self._extract(work, written.sentences, raw)
            return
        refusal = work.not_in_library() if written.refused else None
        yield Done(
            work.answer(
                sentences=written.sentences, sources=written.sources, refusal=refusal, writer=name, raw_text=raw
            )
        )


@dataclass(frozen=True, slots=True)
class _Look:
    """What was found for one question, and why that does not answer it, if so."""

    query: Query
    hits: Sequence[Hit]
    evidence: Sequence[Sequence[Evidence]]
    refusal: Refusal | None


@dataclass(slots=True)
class _Work:
    """What has been found and said so far on the way to one answer."""

    question: str
    looks: list[_Look] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)

    def timed(self, step: str) -> AbstractContextManager[None]:
        """Add the seconds inside to the step's time."""
        return timed(self.timings, step)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Everything found, each paper once."""
        return tuple({hit.paper.id: hit for look in reversed(self.looks) for hit in look.hits}.values())

    def name_what_is_missing(self, library: Library) -> None:
        """Say which part of the question, or which name in it, the answer will not be about."""
        for look in self.looks:
            if look.refusal is not None:
                self.notices.append(prompts.MISSING_PART.format(part=look.query.text))
            else:
                self.name_unknown(look.query, library)

    def name_unknown(self, query: Query, library: Library) -> None:
        """Say which names in the question stand nowhere in the library."""
        self.notices.extend(prompts.UNKNOWN_NAME.format(name=name) for name in unknown_names(query, library))

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
        draft: tuple[Sentence, ...] = (),
        table: Comparison | None = None,
    ) -> Answer:
        """The finished answer, with everything gathered on the way."""
        total = time.perf_counter() - self.began
        return Answer(
            question=" ".join(self.question.split()),
            sentences=sentences,
            sources=sources,
            comparison=table,
            refusal=refusal,
            writer=writer,
            timings={step: round(seconds, 6) for step, seconds in (self.timings | {"total": total}).items()},
            notices=tuple(self.notices),
            raw_text=raw_text,
            draft=draft,
            hits=self.hits,
            filters=self.looks[0].query.filters if self.looks else Filters(),
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
