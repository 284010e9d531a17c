"""An answer cut into blocks, so that the terminal, Markdown and the page print the same text in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from citewell import wording
from citewell.answer import Answer
from citewell.citation import Source
from citewell.comparison import Comparison
from citewell.paper import Paper
from citewell.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Heading:
    """What the paragraphs below it have in common."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences that stand together; `paper` is named before them when they are quoted from it."""

    sentences: tuple[Sentence, ...]
    paper: Paper | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Papers set side by side."""

    comparison: Comparison


@dataclass(frozen=True, slots=True)
class Message:
    """A fixed sentence of Citewell's own."""

    text: str


@dataclass(frozen=True, slots=True)
class PaperList:
    """Papers named one below the other."""

    papers: tuple[Paper, ...]


Block = Heading | Paragraph | Table | Message | PaperList


def blocks_of(answer: Answer) -> list[Block]:
    """The whole answer; a refusal gives its sentence and what comes nearest."""
    if answer.refusal is not None:
        return _refusal(answer)
    if answer.comparison is not None:
        said: list[Block] = [Paragraph(answer.sentences)] if answer.sentences else []
        return [Table(answer.comparison), *said]
    if not answer.is_extractive:
        return [Paragraph(answer.sentences)]
    return paragraphs(answer.sentences, answer.sources)


def _refusal(answer: Answer) -> list[Block]:
    assert answer.refusal is not None
    reason = Message(answer.refusal.reason)
    if answer.sentences:
        return [reason, Message(wording.NEAREST_STATED), Paragraph(answer.sentences)]
    if answer.refusal.nearest:
        return [reason, Message(wording.NEAREST), PaperList(answer.refusal.nearest)]
    return [reason]


def paragraphs(sentences: Sequence[Sentence], sources: Sequence[Source]) -> list[Block]:
    """Quotes under their headings, a new paragraph with each new paper."""
    found: list[Block] = []
    before: Sentence | None = None
    for sentence in sentences:
        heading = sentence.group if before is None or before.group != sentence.group else ""
        paper = _opened(sentence, before, sources)
        if heading:
            found.append(Heading(heading))
        last = found[-1] if found else None
        if isinstance(last, Paragraph) and paper is None:
            found[-1] = replace(last, sentences=(*last.sentences, sentence))
        else:
            found.append(Paragraph((sentence,), paper))
        before = sentence
    return found


def _opened(sentence: Sentence, before: Sentence | None, sources: Sequence[Source]) -> Paper | None:
    """The paper that a quoted sentence is the first one of; None inside a paper's quotes."""
    # A sentence that joins several papers names them itself.
    if len(sentence.citations) != 1 or sentence.text != sentence.citations[0].quote:
        return None
    number = sentence.citations[0].number
    if before is not None and before.citations and before.citations[0].number == number:
        return None
    return next((source.paper for source in sources if source.number == number), None)
