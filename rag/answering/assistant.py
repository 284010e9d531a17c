"""The assistant: one question in, events and a checked answer out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rag.answering import comparison, extractive, prompts
from rag.answering.aspects import STANDARD
from rag.answering.attribution import attribute, claim_in
from rag.answering.events import Delta, Done, Event, Found, Searching
from rag.answering.evidence import Evidence, EvidenceFinder
from rag.answering.generative import check, stream_text
from rag.answering.markdown import sentence_markdown
from rag.answering.models import make_chat_model, model_name
from rag.answering.nli import Entailment
from rag.answering.parts import question_parts
from rag.answering.refusal import NEAREST, PART_BAR, STRICTNESS, decide, fitting, paper_signals
from rag.answering.structured import choose_cells
from rag.answering.support import SupportCheck
from rag.answering.synthesis import synthesise
from rag.answering.work import EXTRACTIVE, Look, Work, quoted
from rag.errors import CitewellError, LanguageModelError
from rag.library import Library
from rag.records import (
    Answer,
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

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

HITS = 10
SURVEY_HITS = 60
# So many of the papers that a table has no room for are named.
NAMED_LEFT = 8
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
        work = Work(question)
        with work.timed("understand"):
            parts = [question] if about or compared else question_parts(question)
            queries = [
                understand(part, self.library, filters, read_filters=read_filters, about=about) for part in parts
            ]
        if queries[0].intent.is_chitchat:
            yield Done(work.answer(sentences=(Sentence(_CHITCHAT[queries[0].intent], (), Support.UNCITED),)))
            return
        yield Searching(queries[0])
        if not (about or compared) and (found := self._who_says(work, question, filters)) is not None:
            yield Found(work.hits)
            yield Done(found)
            return
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
        if self.writer:
            yield from self._generate(work, stop)
        else:
            yield from self._extract(work)

    def _who_says(self, work: Work, question: str, filters: Filters | None) -> Answer | None:
        """Whose abstract states a claim, when that is asked; None when it is not, or a bare statement is nobody's."""
        asked = claim_in(question)
        if not asked:
            return None
        query = understand(asked.text, self.library, filters, read_filters=False)
        hits = self._searched(query, work, HITS)
        with work.timed("check"):
            sentences, sources = attribute(asked.text, hits, self._support)
        if not sentences and not asked.is_explicit:
            return None
        work.looks.append(Look(query, hits, (), None))
        if sentences:
            return work.answer(sentences=sentences, sources=sources, claim=asked.text)
        nearest = tuple(hit.paper for hit in hits[:NEAREST])
        return work.answer(refusal=Refusal(RefusalKind.NOT_IN_LIBRARY, prompts.NOBODY_SAYS, nearest), claim=asked.text)

    def _searched(self, query: Query, work: Work, count: int) -> tuple[Hit, ...]:
        result = self._search.search(query, count)
        for step, seconds in result.timings.items():
            work.timings[step] = work.timings.get(step, 0.0) + seconds
        if result.notice and result.notice not in work.notices:
            work.notices.append(result.notice)
        return result.hits

    def chat_model(self) -> BaseChatModel | None:
        """The language model that writes, None without one. Raises `LanguageModelError` when it cannot be made."""
        if self._model is None and model_name(self.settings):
            return make_chat_model(self.settings)
        return self._model

    @property
    def writer(self) -> str:
        """The name of the model that writes; empty when answers are made of quotes."""
        return model_name(self.settings) or (type(self._model).__name__ if self._model is not None else "")

    def _compared(self, query: Query, compared: Sequence[str]) -> list[Paper]:
        """The papers that a question wants set side by side: given, named, or described."""
        if compared:
            return list(self.library.papers_by_id(compared).values())
        if query.intent is not Intent.COMPARE:
            return []
        ids = [named.paper_ids[0] for named in query.named]
        for side in comparison.sides(query.text) if len(ids) < comparison.FEWEST else ():
            own = understand(side, self.library, query.filters, read_filters=False)
            hits = () if own.named else self._search.search(own, HITS).hits
            each = paper_signals(own, hits, self._evidence.find(own, hits), self.library)
            if hits and decide(own, hits, each, self.library) is None:
                ids.append(hits[0].paper.id)
        return list(self.library.papers_by_id(dict.fromkeys(ids)).values())

    def _comparison(
        self, work: Work, query: Query, papers: Sequence[Paper], aspects: Sequence[str], *, swapped: bool
    ) -> Answer:
        """The table of these papers with the remarks under it."""
        wanted = tuple(aspects) or comparison.wanted_aspects(query.text) or STANDARD
        if left := papers[comparison.MOST :]:
            shown = [comparison.short_name(paper) for paper in left[:NAMED_LEFT]]
            names = ", ".join(shown) + (f" and {len(left) - NAMED_LEFT:,} more" if len(left) > NAMED_LEFT else "")
            work.notices.append(prompts.LEFT_OUT.format(most=comparison.MOST, names=names))
            papers = papers[: comparison.MOST]
        with work.timed("compare"):
            table = replace(comparison.compare(self.library, papers, wanted), swapped=swapped)
        writer, raw = EXTRACTIVE, ""
        if self.writer:
            table, writer, raw = self._model_cells(work, table)
        said = comparison.remarks(self.library, table)
        work.name_unknown(query, self.library)
        sources = comparison.sources_of(table)
        return work.answer(sentences=said, sources=sources, table=table, writer=writer, raw_text=raw)

    def _model_cells(self, work: Work, table: Comparison) -> tuple[Comparison, str, str]:
        """The table with the model's own choice of quotes, the writer that then counts, and the model's raw text."""
        try:
            with work.timed("model"):
                model = self.chat_model()
                assert model is not None
                chosen = choose_cells(model, self.settings, table, self.writer)
        except LanguageModelError as error:
            work.notices.append(f"{error} This table is made without it.")
            return table, EXTRACTIVE, ""
        work.notices.extend(chosen.notices)
        return chosen.table, self.writer if chosen.kept else EXTRACTIVE, chosen.raw_text

    def compare(self, papers: Sequence[Paper], aspects: Sequence[str] = ()) -> Answer:
        """The comparison of given papers, for callers that need no question."""
        question = f"Compare {', '.join(comparison.short_name(paper) for paper in papers)}"
        query = Query(question, Intent.COMPARE, question)
        return self._comparison(Work(question), query, papers, aspects, swapped=False)

    def summarise(self, papers: Sequence[Paper]) -> Answer:
        """Problem, approach and result of each paper in two to four of its sentences; and what differs."""
        question = f"Summarise {', '.join(comparison.short_name(paper) for paper in papers)}"
        work = Work(question)
        chosen: list[Evidence] = []
        for paper in papers:
            query = understand("Summarise it.", self.library, read_filters=False, about=(paper.id,))
            with work.timed("evidence"):
                evidence = self._evidence.find(query, [Hit(paper, 0.0)])
            chosen += extractive.choose(query, evidence, 1)
        sentences, sources = synthesise(self.library, chosen)
        if not sentences:
            reason = prompts.NO_ABSTRACT.format(title=papers[0].title)
            return work.answer(refusal=Refusal(RefusalKind.NO_ABSTRACT, reason, tuple(papers[:NEAREST])))
        return work.answer(sentences=sentences, sources=sources)

    def _look(self, query: Query, work: Work, bar: float = 0.0) -> Look:
        """Search for one question and decide whether what was found answers it."""
        hits = self._searched(query, work, SURVEY_HITS if query.is_survey else HITS)
        with work.timed("evidence"):
            evidence: Sequence[Sequence[Evidence]] = self._evidence.find(query, hits)
            each = paper_signals(query, hits, evidence, self.library)
            refusal = decide(query, hits, each, self.library, bar + STRICTNESS[self.settings.strictness])
            if query.is_survey:
                evidence = fitting(query, evidence, each)
        return Look(query, hits, evidence, refusal)

    def _refused(self, work: Work) -> Answer:
        """The refusal; when a paper is there but does not say it, with what it does state that is nearest."""
        look = work.looks[0]
        assert look.refusal is not None
        if look.refusal.kind is not RefusalKind.NOT_STATED or not look.refusal.nearest:
            return work.answer(refusal=look.refusal)
        own = [own for own in look.evidence if own and own[0].paper.id == look.refusal.nearest[0].id]
        nearest = [max(own[0], key=lambda item: item.score)] if own else []
        sentences, sources = quoted(nearest)
        return work.answer(sentences=sentences, sources=sources, refusal=look.refusal)

    def _extract(self, work: Work, draft: tuple[Sentence, ...] = (), raw: str = "") -> Iterator[Event]:
        with work.timed("write"):
            sentences, sources = self._quotes(work)
        if not sentences:
            yield Done(work.answer(refusal=work.not_in_library(), raw_text=raw))
            return
        for position, sentence in enumerate(sentences):
            before = sentences[position - 1] if position else None
            yield Delta(sentence_markdown(sentence, before, sources))
        yield Done(work.answer(sentences=sentences, sources=sources, draft=draft, raw_text=raw))

    def _quotes(self, work: Work) -> tuple[tuple[Sentence, ...], tuple[Source, ...]]:
        """The sentences of an answer made of quotes."""
        if len(work.looks) == 1 and work.looks[0].query.is_synthesis:
            chosen = extractive.choose_for_synthesis(work.looks[0].query, work.looks[0].evidence)
            return synthesise(self.library, chosen)
        each: dict[tuple[str, int], Evidence] = {}
        for look in work.looks:
            for item in extractive.choose(look.query, look.evidence, self.settings.max_sources):
                each.setdefault((item.paper.id, item.start), item)
        return quoted(list(each.values()))

    def _generate(self, work: Work, stop: Callable[[], bool]) -> Iterator[Event]:
        found = [sentences[0].paper for look in work.looks for sentences in look.evidence if sentences]
        papers = list({paper.id: paper for paper in found}.values())[: self.settings.max_sources]
        name = self.writer
        pieces: list[str] = []
        trouble = ""
        try:
            with work.timed("model"):
                model = self.chat_model()
                assert model is not None
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
