"""The writer that uses a language model: streamed text, then every sentence resolved and checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel

from rag.answering import prompts
from rag.answering.citations import MarkedSentence, marked_sentences
from rag.answering.models import explain
from rag.answering.support import Backing, SupportCheck
from rag.records import Citation, Paper, Sentence, Source, Support
from rag.settings import Settings

ATTACH_FROM = Support.SUPPORTED
# A model that has said the same sentence this often will go on saying it.
LOOP = 3
MOST = 0.5


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a model's text: checked sentences, sources by first use, and what was changed."""

    sentences: tuple[Sentence, ...]
    sources: tuple[Source, ...]
    notices: tuple[str, ...]
    refused: bool

    @property
    def is_mostly_unsupported(self) -> bool:
        """Whether fewer than half of the sentences are supported, even in part."""
        backed = sum(sentence.support in (Support.SUPPORTED, Support.PARTLY) for sentence in self.sentences)
        return not self.refused and backed < MOST * len(self.sentences)


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
    notices = [f"{removed} citation{'s' if removed > 1 else ''} that pointed to no source removed."] if removed else []
    marked, repeated = _without_repeats(marked)
    if repeated:
        notices.append(f"{repeated} repeated sentence{'s' if repeated > 1 else ''} cut.")
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
        reason = next((backing.reason for backing in backings if backing.support is verdict), "")
        sentences.append(Sentence(item.text, citations, verdict, reason))
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
    return prompts.NOT_IN_LIBRARY.rstrip(".").lower() in text.lower()
