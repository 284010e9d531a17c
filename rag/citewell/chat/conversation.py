"""A conversation: its turns, and the next question answered in their light."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from citewell import wording
from citewell.answer import Answer
from citewell.assistant import Assistant, never
from citewell.chat.rewriting import rewritten
from citewell.errors import CitewellError
from citewell.events import Done, Event
from citewell.request import Request
from citewell.understanding.follow_up import resolve
from citewell.understanding.names import named_papers

NAME_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Turn:
    """A question as typed, how it was understood ("about RLTHF"), its answer, and the library it was answered from."""

    question: str
    answer: Answer
    note: str = ""
    library_version: int = 0


@dataclass(slots=True)
class Conversation:
    """Turns under one name."""

    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    name: str = ""
    turns: list[Turn] = field(default_factory=list)

    def ask(
        self,
        request: Request | str,
        assistant: Assistant,
        stop: Callable[[], bool] = never,
        *,
        follow: bool = True,
        focus: Sequence[str] = (),
    ) -> Iterator[Event]:
        """Events while the question is answered; the turn is added when it is done.

        Without `follow` the question is taken as it stands. `focus` are papers that it is about unless it points at
        others.
        """
        request = Request(request) if isinstance(request, str) else request
        asked = request.question
        if follow:
            request = self._resolved(request, assistant)
        if focus and not request.names_papers and not named_papers(asked, assistant.library.snapshot()):
            note = wording.ABOUT_COUNTED.format(papers=wording.counted(len(focus), "paper"))
            request = replace(request, about=tuple(focus), note=note)
        for event in assistant.ask(request, stop):
            if isinstance(event, Done):
                self.add(asked, event.answer, request.note, assistant.library.version)
            yield event

    def _resolved(self, request: Request, assistant: Assistant) -> Request:
        """The question in the light of the turns before it."""
        answers = [turn.answer for turn in self.turns]
        resolved = resolve(request, answers, assistant.library.snapshot())
        return rewritten(resolved, answers, assistant) if assistant.writer.name else resolved

    def answer(self, request: Request | str, assistant: Assistant) -> Turn:
        """The finished turn."""
        for _ in self.ask(request, assistant):
            pass
        if not self.turns:
            raise CitewellError("The question was not answered.")
        return self.turns[-1]

    def add(self, question: str, answer: Answer, note: str = "", library_version: int = 0) -> None:
        """Put a finished answer into the conversation."""
        self.turns.append(Turn(question, answer, note, library_version))
        self.name = self.name or " ".join(question.split())[:NAME_LENGTH]
