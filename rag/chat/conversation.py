"""A conversation: its turns, and the next question answered in their light."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rag.answering import Assistant
from rag.answering.assistant import never
from rag.answering.events import Done, Event
from rag.chat.follow_up import Resolved, resolve
from rag.chat.rewriting import rewritten
from rag.errors import CitewellError
from rag.records import Answer, Filters
from rag.retrieval.query import named_papers
from rag.text.words import counted


@dataclass(frozen=True, slots=True)
class Turn:
    """A question as typed, how it was understood ("about RLTHF"), its answer, and the library it was answered from.

    `asked_at` is in seconds since the epoch.
    """

    question: str
    answer: Answer
    note: str = ""
    library_version: int = 0
    settings: str = ""
    asked_at: float = 0.0


@dataclass(slots=True)
class Conversation:
    """Turns under one name."""

    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    name: str = ""
    turns: list[Turn] = field(default_factory=list)

    def resolve(self, question: str, assistant: Assistant) -> Resolved:
        """`question` in the light of the turns before it."""
        return resolve(question, [turn.answer for turn in self.turns], assistant.library)

    def ask(
        self,
        question: str,
        assistant: Assistant,
        stop: Callable[[], bool] = never,
        *,
        filters: Filters | None = None,
        read_filters: bool = True,
        follow: bool = True,
        focus: Sequence[str] = (),
    ) -> Iterator[Event]:
        """Events while the question is answered; the turn is added when it is done.

        Without `follow` the question is taken as it stands. `focus` are papers that it is
        about unless it points at others.
        """
        resolved = self.resolve(question, assistant) if follow else Resolved(question)
        if assistant.writer:
            resolved = rewritten(resolved, [turn.answer for turn in self.turns], assistant)
        if focus and not (resolved.about or resolved.compared or named_papers(question, assistant.library)):
            resolved = replace(resolved, about=tuple(focus), note=f"about {counted(len(focus), 'paper')}")
        for event in assistant.ask(
            resolved.question, stop, filters=filters, read_filters=read_filters, about=resolved.about,
            compared=resolved.compared, aspects=resolved.aspects, swapped=resolved.swapped,
        ):  # fmt: skip
            if isinstance(event, Done):
                self.add(question, resolved, event.answer, assistant)
            yield event

    def answer(
        self, question: str, assistant: Assistant, filters: Filters | None = None, *, read_filters: bool = True
    ) -> Turn:
        """The finished turn."""
        for _ in self.ask(question, assistant, filters=filters, read_filters=read_filters):
            pass
        if not self.turns:
            raise CitewellError("The question was not answered.")
        return self.turns[-1]

    def add(self, question: str, resolved: Resolved, answer: Answer, assistant: Assistant) -> None:
        """Put a finished answer into the conversation."""
        settings = assistant.settings
        print_of = f"{settings.llm or 'extractive'} max_sources={settings.max_sources}"
        version = assistant.library.version
        self.turns.append(Turn(question, answer, resolved.note, version, print_of, time.time()))
        self.name = self.name or " ".join(question.split())[:80]
