"""Conversations on disk: `conversations.sqlite` in the home folder.

Each turn is kept whole, with the papers as they were cited, so that it reads the same after a paper was removed.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from citewell.chat.conversation import Conversation, Turn
from citewell.chat.upgrade import upgraded
from citewell.errors import CitewellError
from citewell.retrieval.trace import TRACED
from citewell.text.tokens import plain

SCHEMA = """
CREATE TABLE IF NOT EXISTS conversations (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, changed REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS turns (
    conversation TEXT NOT NULL, position INTEGER NOT NULL, question TEXT NOT NULL, turn TEXT NOT NULL,
    PRIMARY KEY (conversation, position)
) WITHOUT ROWID;
"""


# Version 1 is what 0.1 of Citewell wrote, without a number.
VERSION = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """A conversation in a list: `changed` is in seconds since the epoch."""

    id: str
    name: str
    turns: int
    changed: float


@lru_cache(maxsize=1)
def _turns() -> TypeAdapter[Turn]:
    return TypeAdapter(Turn)


def _slim(turn: Turn) -> Turn:
    """A turn with as much of what search found as is shown."""
    hits = tuple(replace(hit, passages=hit.passages[:1]) for hit in turn.answer.hits[:TRACED])
    return replace(turn, answer=replace(turn.answer, hits=hits))


def _upgrade(connection: sqlite3.Connection) -> None:
    """Bring turns that an earlier version wrote into the present shape, all or none."""
    rows = connection.execute("SELECT conversation, position, turn FROM turns").fetchall()
    connection.executemany(
        "UPDATE turns SET turn = ? WHERE conversation = ? AND position = ?",
        [(json.dumps(upgraded(json.loads(text)), ensure_ascii=False), key, position) for key, position, text in rows],
    )
    connection.execute(f"PRAGMA user_version = {VERSION}")


class ConversationStore:
    """The conversations of one home folder. Safe to share between threads: each use opens its own connection."""

    def __init__(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.path = home / "conversations.sqlite"
        with self._connection() as connection:
            if int(connection.execute("PRAGMA user_version").fetchone()[0]) < VERSION:
                connection.executescript(SCHEMA)
                _upgrade(connection)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=5)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            with connection:
                yield connection
        except sqlite3.DatabaseError as error:
            raise CitewellError(f"The conversations in {self.path} cannot be used: {error}.") from None
        finally:
            connection.close()

    def list(self, words: str = "") -> list[Entry]:
        """Conversations, the last changed first; with `words`, those that hold them in their name or a question."""
        sql = """SELECT c.id, c.name, COUNT(t.position), c.changed, COALESCE(GROUP_CONCAT(t.question, ' '), '')
                 FROM conversations AS c LEFT JOIN turns AS t ON t.conversation = c.id
                 GROUP BY c.id ORDER BY c.changed DESC"""
        wanted = plain(words).casefold().split()
        with self._connection() as connection:
            rows = connection.execute(sql).fetchall()
        return [
            Entry(str(key), str(name), int(count), float(changed))
            for key, name, count, changed, questions in rows
            if all(word in plain(f"{name} {questions}").casefold() for word in wanted)
        ]

    def load(self, name_or_id: str) -> Conversation | None:
        """The conversation with this id or name; None when there is none."""
        sql = "SELECT id, name FROM conversations WHERE id = ?1 OR name = ?1 ORDER BY id = ?1 DESC, changed DESC"
        with self._connection() as connection:
            row = connection.execute(sql, (name_or_id,)).fetchone()
            if row is None:
                return None
            turns = connection.execute(
                "SELECT turn FROM turns WHERE conversation = ? ORDER BY position", (row[0],)
            ).fetchall()
        return Conversation(str(row[0]), str(row[1]), [_turns().validate_json(text) for (text,) in turns])

    def save(self, conversation: Conversation) -> None:
        """Write the turns that are not on disk yet, and the name."""
        with self._connection() as connection:
            connection.execute(
                "INSERT INTO conversations VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, "
                "changed = excluded.changed",
                (conversation.id, conversation.name, time.time()),
            )
            sql = "SELECT COUNT(*) FROM turns WHERE conversation = ?"
            kept = int(connection.execute(sql, (conversation.id,)).fetchone()[0])
            for position, turn in enumerate(conversation.turns[kept:], start=kept):
                text = _turns().dump_json(_slim(turn)).decode()
                connection.execute(
                    "INSERT OR REPLACE INTO turns VALUES (?, ?, ?, ?)", (conversation.id, position, turn.question, text)
                )

    def rename(self, conversation_id: str, name: str) -> None:
        with self._connection() as connection:
            connection.execute("UPDATE conversations SET name = ? WHERE id = ?", (name, conversation_id))

    def delete(self, conversation_id: str) -> None:
        with self._connection() as connection:
            connection.execute("DELETE FROM turns WHERE conversation = ?", (conversation_id,))
            connection.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
