"""What outlives a rerun: the opened library, the answers of a chat, and work going on in the background."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import streamlit as st

from rag.answering import Assistant
from rag.answering.events import Done, Event
from rag.errors import CitewellError
from rag.library import Library
from rag.records import Answer, Filters
from rag.settings import Settings, load_settings, quiet_environment

POLL = 0.03


class LibraryHolder:
    """Opens the library once for all sessions, off the script's thread, then warms the encoder up."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.library: Library | None = None
        self.assistant: Assistant | None = None
        self.error = ""
        self.progress: tuple[str, int, int] = ("Opening the library", 0, 0)
        self._thread = threading.Thread(target=self._open, name="citewell-open", daemon=True)
        self._thread.start()

    @property
    def is_ready(self) -> bool:
        return self.assistant is not None or bool(self.error)

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`; whether the library is open or has failed to open."""
        deadline = time.monotonic() + seconds
        while not self.is_ready and time.monotonic() < deadline:
            time.sleep(POLL)
        return self.is_ready

    def _open(self) -> None:
        try:
            library = Library.open(self.settings, progress=self._note)
            self.library = library
            self.assistant = Assistant(library, self.settings)
            library.embeddings.load()
        except CitewellError as error:
            self.error = str(error)

    def _note(self, stage: str, done: int, total: int) -> None:
        self.progress = (stage, done, total)


@st.cache_resource(show_spinner=False)
def library_holder() -> LibraryHolder:
    """The one library of this server."""
    settings = load_settings()
    quiet_environment(settings)
    return LibraryHolder(settings)


class AnswerJob:
    """One question being answered on a thread of its own, so that a rerun of the script loses nothing."""

    def __init__(self, assistant: Assistant, question: str, filters: Filters | None = None) -> None:
        """`filters` replace those that the question names; None reads them out of it."""
        self.question = question
        self._filters = filters
        self.events: list[Event] = []
        self.answer: Answer | None = None
        self.error = ""
        self._stop = threading.Event()
        self._finished = threading.Event()
        threading.Thread(target=self._run, args=(assistant,), name="citewell-answer", daemon=True).start()

    def stop(self) -> None:
        """Ask the writer to stop; what it has written is checked and kept."""
        self._stop.set()

    def stream(self) -> Iterator[Event]:
        """All events so far and those to come, until the answer is finished."""
        seen = 0
        while True:
            finished = self._finished.is_set()
            while seen < len(self.events):
                yield self.events[seen]
                seen += 1
            if finished:
                return
            self._finished.wait(POLL)

    def _run(self, assistant: Assistant) -> None:
        try:
            for event in assistant.ask(
                self.question, self._stop.is_set, filters=self._filters, read_filters=self._filters is None
            ):
                self.events.append(event)
                if isinstance(event, Done):
                    self.answer = event.answer
        except CitewellError as error:
            self.error = str(error)
        except Exception as error:  # whatever it is, the page must say so rather than wait for ever
            self.error = (
                f"The question could not be answered: {type(error).__name__}. Ask again, or run: citewell doctor"
            )
        finally:
            self._finished.set()


@dataclass(slots=True)
class Turn:
    """A question of this chat and what came of it."""

    question: str
    answer: Answer | None = None
    error: str = ""


@dataclass(slots=True)
class Chat:
    """The chat of one browser session."""

    turns: list[Turn] = field(default_factory=list)
    job: AnswerJob | None = None

    def settle(self) -> None:
        """Move a finished job into the turns."""
        if self.job is not None and (self.job.answer is not None or self.job.error):
            self.turns.append(Turn(self.job.question, self.job.answer, self.job.error))
            self.job = None


def current_chat() -> Chat:
    """The chat of this session, made when there is none."""
    if "chat" not in st.session_state:
        st.session_state["chat"] = Chat()
    chat: Chat = st.session_state["chat"]
    return chat


def new_chat() -> None:
    """Forget this session's chat and stop what is running in it."""
    chat = current_chat()
    if chat.job is not None:
        chat.job.stop()
    st.session_state["chat"] = Chat()
