"""Citewell as a library for programs: open a home, ask, ingest, compare, check.

Everything here is also what the command line and the screens are made of.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from citewell.answer import Answer
from citewell.assistant import Assistant
from citewell.chat import Conversation
from citewell.checking.verdicts import Verdict
from citewell.comparison import Comparison
from citewell.events import Event
from citewell.filters import Filters
from citewell.library import Library
from citewell.library.ports import Embeddings
from citewell.library.report import IngestReport
from citewell.paper import Paper
from citewell.progress import Progress, no_progress
from citewell.request import Request
from citewell.settings import Settings, load_settings
from citewell.understanding.aspects import named_aspects
from citewell.understanding.names import resolve_paper

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from citewell.retrieval.retriever import CitewellRetriever


class Citewell:
    """An open library with its assistant. Safe to share between threads; use it in `with`, or `close` it.

    `assistant` and `library` are the parts that it is made of, for what is not offered here.
    """

    def __init__(
        self, settings: Settings, *, embeddings: Embeddings | None = None, model: BaseChatModel | None = None
    ) -> None:
        self.settings = settings
        self.library = Library.open(settings, embeddings)
        self.assistant = Assistant(self.library, settings, model)

    def __enter__(self) -> Citewell:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files of the library."""
        self.library.close()

    # -- papers --------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.library)

    def papers(self, query: str = "", filters: Filters | None = None) -> list[Paper]:
        """Every paper, or those that hold every word of `query` and pass the filters."""
        return self.library.snapshot().matching(query, filters=filters)

    def paper(self, name: str) -> Paper:
        """The paper with this id, title or method name. Raises `NoSuchPaper`, with what comes nearest."""
        return resolve_paper(name, self.library.snapshot())

    def ingest(
        self,
        *paths: str | PathLike[str],
        progress: Progress = no_progress,
        dry_run: bool = False,
        remove_missing: bool = False,
    ) -> IngestReport:
        """Read bibliography files, folders and zip archives into the library; tells what became of every record.

        Raises `UnreadableFile` with nothing changed, or `LibraryBusy` when another process writes.
        """
        files = [Path(path).expanduser() for path in paths]
        return self.library.ingest(files, progress, dry_run=dry_run, remove_missing=remove_missing)

    def remove(self, *names: str, file: str = "") -> int:
        """Delete papers by id, title or method name, and those that only `file` holds; returns how many went."""
        return self.library.remove([self.paper(name).id for name in names], file)

    # -- answers -------------------------------------------------------------------------------------------------

    def ask(
        self, question: str | Request, *, conversation: Conversation | None = None, filters: Filters | None = None
    ) -> Answer:
        """The checked answer; with a `conversation` the question is understood in its light, and joins it."""
        request = _request(question, filters)
        if conversation is None:
            return self.assistant.answer(request)
        return conversation.answer(request, self.assistant).answer

    def stream(
        self,
        question: str | Request,
        *,
        conversation: Conversation | None = None,
        filters: Filters | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Iterator[Event]:
        """Events while the question is answered: `Searching`, `Found`, `Delta`, …, `Done` with the answer."""
        request = _request(question, filters)
        if conversation is None:
            return self.assistant.ask(request, stop)
        return conversation.ask(request, self.assistant, stop)

    def compare(self, names: Sequence[str], aspects: Iterable[str] = ()) -> Comparison:
        """A table of two to six papers, each named by id, title or method; every cell is a quote or not stated."""
        if not 2 <= len(set(names)) <= 6:
            raise ValueError("Name two to six papers.")
        papers = [self.paper(name) for name in dict.fromkeys(names)]
        table = self.assistant.compare(papers, named_aspects(aspects)).comparison
        assert table is not None
        return table

    def summarise(self, *names: str) -> Answer:
        """Problem, approach and result of each paper in its own sentences; and what differs."""
        return self.assistant.summarise([self.paper(name) for name in names])

    def check(self, text: str) -> list[Verdict]:
        """Each sentence of anybody's text against the library: whether an abstract says it, and its words."""
        return self.assistant.check(text)

    def as_retriever(self, k: int = 6) -> CitewellRetriever:
        """A LangChain retriever over the hybrid search, usable in any chain or graph."""
        from citewell.retrieval.retriever import CitewellRetriever

        return CitewellRetriever(library=self.library, k=k)

    # -- the same for servers that must not block ----------------------------------------------------------------

    async def aask(
        self, question: str | Request, *, conversation: Conversation | None = None, filters: Filters | None = None
    ) -> Answer:
        """Like `ask`, on a thread of its own."""
        return await asyncio.to_thread(self.ask, question, conversation=conversation, filters=filters)

    async def aingest(self, *paths: str | PathLike[str], progress: Progress = no_progress) -> IngestReport:
        """Like `ingest`, on a thread of its own."""
        return await asyncio.to_thread(self.ingest, *paths, progress=progress)

    async def acompare(self, names: Sequence[str], aspects: Iterable[str] = ()) -> Comparison:
        """Like `compare`, on a thread of its own."""
        return await asyncio.to_thread(self.compare, names, aspects)

    async def acheck(self, text: str) -> list[Verdict]:
        """Like `check`, on a thread of its own."""
        return await asyncio.to_thread(self.check, text)

    async def astream(
        self, question: str | Request, *, conversation: Conversation | None = None, filters: Filters | None = None
    ) -> AsyncIterator[Event]:
        """Like `stream`; leaving the loop early stops the writer."""
        stopped = threading.Event()
        events = self.stream(question, conversation=conversation, filters=filters, stop=stopped.is_set)
        try:
            while (event := await asyncio.to_thread(next, events, None)) is not None:
                yield event
        finally:
            stopped.set()


def open(home: str | PathLike[str] | Settings | None = None, **options: Any) -> Citewell:
    """Open the library in a folder (made when it is not there), or the one that a `Settings` describes.

    Without `home` the folder is `CITEWELL_HOME`, or the platform's user data folder. `options` are settings by name
    (`llm="openai:gpt-5-mini"`), and `embeddings` or `model` an encoder or a LangChain chat model of your own.
    """
    own = {name: options.pop(name) for name in ("embeddings", "model") if name in options}
    if isinstance(home, Settings):
        if options:
            raise TypeError("Settings are given whole, or by name, not both.")
        return Citewell(home, **own)
    if home is not None:
        options["home"] = Path(home)
    return Citewell(load_settings(**options), **own)


def check(text: str, library: Citewell) -> list[Verdict]:
    """Each sentence of anybody's text against a library: whether an abstract says it, and the words that do."""
    return library.check(text)


def _request(question: str | Request, filters: Filters | None) -> Request:
    return question if isinstance(question, Request) else Request(question, filters, filters is None)
