"""What outlives a rerun: the opened library, the answers of a chat, and work going on in the background."""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module

import streamlit as st

from citewell.assistant import Assistant
from citewell.chat import Conversation, ConversationStore
from citewell.errors import CitewellError
from citewell.events import Event
from citewell.filters import Filters
from citewell.library import Library
from citewell.library.map import LibraryMap
from citewell.library.report import IngestReport
from citewell.progress import Progress
from citewell.request import Request
from citewell.settings import Settings, load_settings, quiet_environment
from citewell_ui.jobs import Job

POLL = 0.03
log = logging.getLogger(__name__)


class LibraryHolder:
    """The one library of all sessions, opened off the script's thread, and the long work that is done on it.

    Once it is open, what questions and other screens need first is made ready beside it.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.library: Library | None = None
        self.assistant: Assistant | None = None
        self.map: LibraryMap | None = None
        self.ingesting: Job[IngestReport] | None = None
        self.drawing: Job[LibraryMap] | None = None
        self.rebuilding: Job[int] | None = None
        self.warming: Job[None] | None = None
        self.conversations = ConversationStore(settings.home)
        self.opening = Job(self._open, "Opening the library")

    @property
    def error(self) -> str:
        """Why the library cannot be used; empty when it can."""
        return self.opening.error or (self.warming.error if self.warming is not None else "")

    def _open(self, progress: Progress) -> None:
        library = Library.open(self.settings, progress=progress)
        self.library, self.assistant = library, Assistant(library, self.settings)
        self.warming = Job(lambda _: _warm_up(library), "Loading the encoder")


def _warm_up(library: Library) -> None:
    library.embeddings.load()
    _ = library.snapshot().facets.author_names
    import_module("plotly.graph_objects")
    # What is loaded now stays for good; looking through it for garbage holds every page up for 0.3 s.
    gc.freeze()


@st.cache_resource(show_spinner=False)
def library_holder() -> LibraryHolder:
    """The one library of this server."""
    settings = load_settings()
    quiet_environment(settings)
    return LibraryHolder(settings)


class AnswerJob:
    """One question being answered on a thread of its own, so that a rerun of the script loses nothing.

    `number` is the place of its turn, which may be in the conversation before the job is seen to be finished.
    """

    def __init__(self, chat: Chat, holder: LibraryHolder, assistant: Assistant, asked: Asked) -> None:
        self.question = asked.question
        self.number = len(chat.conversation.turns)
        self.events: list[Event] = []
        self.error = ""
        self._asked = asked
        self._stop = threading.Event()
        self._finished = threading.Event()
        threading.Thread(target=self._run, args=(chat, holder, assistant), name="citewell-answer", daemon=True).start()

    @property
    def is_finished(self) -> bool:
        return self._finished.is_set()

    def stop(self) -> None:
        """Ask the writer to stop; what it has written is checked and kept."""
        self._stop.set()

    def stream(self, seen: int, seconds: float) -> Iterator[Event]:
        """The events after the first `seen` and those to come, until the answer is finished or `seconds` are over."""
        deadline = time.monotonic() + seconds
        while True:
            finished = self._finished.is_set()
            while seen < len(self.events):
                yield self.events[seen]
                seen += 1
            if finished or time.monotonic() > deadline:
                return
            self._finished.wait(POLL)

    def _run(self, chat: Chat, holder: LibraryHolder, assistant: Assistant) -> None:
        asked = self._asked
        try:
            for event in chat.conversation.ask(
                Request(asked.question, asked.filters, asked.filters is None), assistant, self._stop.is_set,
                follow=asked.follow, focus=chat.focus,
            ):  # fmt: skip
                self.events.append(event)
            holder.conversations.save(chat.conversation)
        except CitewellError as error:
            self.error = str(error)
        except Exception as error:  # whatever it is, the page must say so rather than wait for ever
            log.exception("a question could not be answered")
            self.error = (
                f"The question could not be answered: {type(error).__name__}. Ask again, or run: citewell doctor"
            )
        finally:
            self._finished.set()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on its way: `filters` replace those that it names; without `follow` it is taken as it stands."""

    question: str
    filters: Filters | None = None
    follow: bool = True


@dataclass(slots=True)
class Chat:
    """The conversation on this page, what is being answered in it, and a question that failed.

    `focus` are ids of papers that questions are about until this is taken back; `is_fresh` until it has been drawn.
    """

    conversation: Conversation = field(default_factory=Conversation)
    focus: tuple[str, ...] = ()
    job: AnswerJob | None = None
    failed: tuple[str, str] | None = None
    is_fresh: bool = True

    def settle(self) -> None:
        """Let go of a finished job; the conversation has its turn."""
        if self.job is not None and self.job.is_finished:
            self.failed = (self.job.question, self.job.error) if self.job.error else None
            self.job = None


def current_chat(holder: LibraryHolder) -> Chat:
    """The chat that the page's address names, else the one of this session, else a new one."""
    chat: Chat | None = st.session_state.get("chat")
    wanted = st.query_params.get("chat")
    if chat is None or (wanted and wanted != chat.conversation.id and chat.job is None):
        found = holder.conversations.load(wanted) if wanted else None
        chat = Chat(found) if found is not None else Chat()
        st.session_state["chat"] = chat
    show_address(chat)
    return chat


def show_address(chat: Chat) -> None:
    """Give the page the address of its conversation, once there is something to come back to."""
    if chat.conversation.turns and st.query_params.get("chat") != chat.conversation.id:
        st.query_params["chat"] = chat.conversation.id


def session_settings(holder: LibraryHolder) -> Settings:
    """The settings with what this session has changed."""
    return holder.settings.model_copy(update=st.session_state.get("changed_settings", {}))


def session_assistant(holder: LibraryHolder) -> Assistant:
    """The assistant that answers in this session."""
    assert holder.assistant is not None
    assert holder.library is not None
    changed = st.session_state.get("changed_settings")
    if not changed:
        return holder.assistant
    kept: tuple[Settings, Assistant] | None = st.session_state.get("assistant")
    settings = session_settings(holder)
    if kept is None or kept[0] != settings or kept[1].library is not holder.library:
        kept = settings, Assistant(holder.library, settings)
        st.session_state["assistant"] = kept
    return kept[1]


def ask_about(papers: Sequence[str]) -> None:
    """Go on in a new chat whose questions are about these papers."""
    open_chat()
    st.session_state["chat"] = Chat(focus=tuple(papers))
    st.session_state["go_to"] = "chat"


def open_paper(paper_id: str) -> None:
    """In a callback: show a paper's page, once the Library screen is drawn."""
    st.session_state["open-paper"] = paper_id


def add_to_comparison(paper_id: str) -> None:
    """Put a paper on the Compare screen."""
    chosen: list[str] = st.session_state.setdefault("compared", [])
    if paper_id not in chosen:
        chosen.append(paper_id)


def open_chat(conversation_id: str = "") -> None:
    """Turn to a conversation of the list, or to a new one; what is running in this one is stopped."""
    chat: Chat | None = st.session_state.pop("chat", None)
    if chat is not None and chat.job is not None:
        chat.job.stop()
    st.query_params.clear()
    if conversation_id:
        st.query_params["chat"] = conversation_id
