"""The writer that uses a language model: streamed text, then every sentence resolved and checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citewell import wording
from citewell.answer import Notice, NoticeKind
from citewell.answering import prompts, summary
from citewell.answering.builder import AnswerBuilder
from citewell.answering.language_model import Writer, explain
from citewell.answering.markers import MarkedSentence, marked_sentences
from citewell.checking.support import Backing, SupportCheck
from citewell.citation import Citation, Source
from citewell.errors import LanguageModelError
from citewell.events import Delta, Done, Event
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.rendering.markdown import markdown_pieces
from citewell.sentence import Sentence, Support
from citewell.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

ATTACH_FROM = Support.SUPPORTED
# A model that has said the same sentence this often will go on saying it.
LOOP = 3
MOST = 0.5


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a model's text: checked sentences, sources by first use, and what was changed."""

    sentences: tuple[Sentence, ...]
    sources: tuple[Source, ...]
    notices: tuple[Notice, ...]
    refused: bool

    @property
    def is_mostly_unsupported(self) -> bool:
        """Whether fewer than half of the sentences are supported, even in part."""
        backed = sum(sentence.support in (Support.SUPPORTED, Support.PARTLY) for sentence in self.sentences)
        return not self.refused and backed < MOST * len(self.sentences)


def write(
    builder: AnswerBuilder,
    snapshot: Snapshot,
    settings: Settings,
    writer: Writer,
    support: SupportCheck,
    stop: Callable[[], bool],
) -> Iterator[Event]:
    """The model's answer as it comes, then checked; quotes instead where there is none that can be believed."""
    found = [sentences[0].paper for each in builder.retrieved for sentences in each.evidence if sentences]
    papers = list({paper.id: paper for paper in found}.values())[: settings.max_sources]
    pieces: list[str] = []
    trouble = ""
    try:
        with builder.timed("model"):
            for piece in stream_text(writer.chat_model(), settings, builder.question, papers, stop):
                pieces.append(piece)
                yield Delta(piece)
    except LanguageModelError as error:
        trouble = str(error)
    raw = "".join(pieces)
    if trouble or not raw.strip():
        if trouble:
            builder.tell(NoticeKind.MODEL_FAILED, trouble=trouble)
        else:
            builder.tell(NoticeKind.MODEL_EMPTY, model=writer.name)
        yield from _quoted(builder, snapshot, settings)
        return
    if stop():
        builder.tell(NoticeKind.MODEL_STOPPED)
    with builder.timed("check"):
        written = check(raw, papers, support)
    builder.notices.extend(written.notices)
    if written.is_mostly_unsupported:
        builder.tell(NoticeKind.MODEL_UNSUPPORTED, model=writer.name)
        yield from _quoted(builder, snapshot, settings, written.sentences, raw)
        return
    refusal = builder.not_in_library() if written.refused else None
    yield Done(builder.answer(written.sentences, written.sources, refusal=refusal, model=writer.name, raw_text=raw))


def _quoted(
    builder: AnswerBuilder, snapshot: Snapshot, settings: Settings, draft: tuple[Sentence, ...] = (), raw: str = ""
) -> Iterator[Event]:
    answer = summary.quotes(builder, snapshot, settings.max_sources, draft, raw)
    yield from map(Delta, markdown_pieces(answer))
    yield Done(answer)


def stream_text(
    model: BaseChatModel, settings: Settings, question: str, papers: Sequence[Paper], stop: Callable[[], bool]
) -> Iterator[str]:
    """The model's text as it comes. Raises `LanguageModelError`; ends early when `stop()` says so."""
    written = ""
    try:
        for chunk in model.stream(prompts.answer_messages(question, papers)):
            if text := chunk.text if isinstance(chunk.text, str) else str(chunk.content):
                yield text
                written += text
            if stop() or is_looping(written):
                return
    except Exception as error:
        if isinstance(error, ValueError) and "No generation chunks" in str(error):
            return  # LangChain's word for an empty reply
        raise explain(error, settings) from None


def is_looping(text: str) -> bool:
    """Whether the last whole sentence of `text` has been said `LOOP` times."""
    if not text.rstrip().endswith((".", "!", "?")):
        return False
    said = [" ".join(piece.lower().split()) for piece in re.split(r"(?<=[.!?])\s+", text.strip())]
    return len(said[-1]) > 20 and said.count(said[-1]) >= LOOP


def check(text: str, papers: Sequence[Paper], support: SupportCheck) -> Written:
    """Resolve the markers of `text` against `papers` (source `n` is `papers[n - 1]`) and check each sentence."""
    marked, removed = marked_sentences(text, len(papers))
    notices = []
    if removed:
        notices.append(Notice(NoticeKind.MARKERS_REMOVED, {"what": wording.counted(removed, "citation")}))
    marked, repeated = _without_repeats(marked)
    if repeated:
        notices.append(Notice(NoticeKind.REPEATS_CUT, {"what": wording.counted(repeated, "repeated sentence")}))
    if len(marked) == 1 and _is_refusal(marked[0].text):
        return Written((), (), tuple(notices), refused=True)
    numbers: dict[str, int] = {}
    sentences = []
    for item in marked:
        if _is_refusal(item.text):
            continue
        cited = [papers[number - 1] for number in item.numbers]
        backings = support.judge(item.text, cited or papers)
        if not cited:
            best = max(backings, key=lambda backing: backing.score, default=None)
            backings = [best] if best is not None and best.support is ATTACH_FROM else []
        citations = tuple(citation for backing in backings for citation in _citations(backing, numbers))
        verdict = _verdict(backings)
        doubt = next((backing.doubt for backing in backings if backing.support is verdict), None)
        sentences.append(Sentence(item.text, citations, verdict, doubt))
    by_id = {paper.id: paper for paper in papers}
    sources = tuple(Source(number, by_id[paper_id]) for paper_id, number in numbers.items())
    return Written(tuple(sentences), sources, tuple(notices), refused=not sentences)


def _verdict(backings: Sequence[Backing]) -> Support:
    """The best verdict among the cited abstracts: one that says it is enough."""
    order = (Support.SUPPORTED, Support.PARTLY, Support.UNSUPPORTED)
    found = {backing.support for backing in backings}
    return next((verdict for verdict in order if verdict in found), Support.UNCITED)


def _citations(backing: Backing, numbers: dict[str, int]) -> list[Citation]:
    """The stretch that backs a sentence, and a second one that adds to it."""
    number = numbers.setdefault(backing.paper.id, len(numbers) + 1)
    stretches = [(backing.start, backing.end), *([backing.more] if backing.more else [])]
    return [Citation.of(number, backing.paper, start, end) for start, end in stretches]


def _without_repeats(marked: list[MarkedSentence]) -> tuple[list[MarkedSentence], int]:
    seen: set[str] = set()
    kept = []
    for item in marked:
        key = " ".join(item.text.lower().split())
        if key not in seen:
            kept.append(item)
        seen.add(key)
    return kept, len(marked) - len(kept)


def _is_refusal(text: str) -> bool:
    return wording.NOT_IN_LIBRARY.rstrip(".").lower() in text.lower()
