"""Locks between processes on one library.

Two files: `writer.lock` is held for a whole ingest and names its holder, so that a second writer is told whom it
waits for; `store.lock` is held for each single use of the embedded Chroma store, which is not safe across
processes, not even for reading beside a writer.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from citewell.errors import LibraryBusy

WRITER_WAIT = 0.2
STORE_WAIT = 1.5


@contextmanager
def writer_lock(home: Path, purpose: str, wait: float = WRITER_WAIT) -> Iterator[None]:
    """Hold the right to write. Raises `LibraryBusy`, naming the holder, after `wait` seconds."""
    home.mkdir(parents=True, exist_ok=True)
    lock = FileLock(home / "writer.lock", timeout=wait)
    try:
        lock.acquire()
    except Timeout:
        holder = describe_holder(home)
        raise LibraryBusy(
            f"The library in {home} is being written by {holder}.",
            "Questions are still answered; to add or remove papers, wait until it has finished.",
            holder=holder,
        ) from None
    note = home / "writer.json"
    try:
        note.write_text(json.dumps({"pid": os.getpid(), "command": purpose, "since": time.time()}))
        yield
    finally:
        with suppress(OSError):
            note.unlink()
        lock.release()


def describe_holder(home: Path) -> str:
    """Who holds the writer lock, in words: `process 4711 (citewell ingest, for 12 s)`."""
    try:
        holder = json.loads((home / "writer.json").read_text())
        return f"process {holder['pid']} ({holder['command']}, for {time.time() - holder['since']:.0f} s)"
    except (OSError, ValueError, KeyError):
        return "another process"


def this_command() -> str:
    """The running command in a few words, for the holder's note."""
    return " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]]) or "python"


@contextmanager
def store_lock(home: Path, wait: float = STORE_WAIT) -> Iterator[None]:
    """Hold the embedded vector store for one use. Raises `LibraryBusy` after `wait` seconds."""
    home.mkdir(parents=True, exist_ok=True)
    lock = FileLock(home / "store.lock", timeout=wait)
    try:
        lock.acquire()
    except Timeout:
        holder = describe_holder(home)
        raise LibraryBusy(
            f"The vector store in {home} is in use by {holder}.", "Ask again in a moment.", holder=holder
        ) from None
    try:
        yield
    finally:
        lock.release()
