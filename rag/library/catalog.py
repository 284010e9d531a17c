"""The catalog: papers, where they came from, and the keys by which they are known again (SQLite).

One connection a thread; write-ahead logging, so readers never wait for a writer.
"""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rag.errors import CitewellError
from rag.library.schema import SCHEMA, SCHEMA_VERSION
from rag.records import Paper, family_name
from rag.text.names import Name, name_key, paper_names
from rag.text.words import plain


@dataclass(frozen=True)
class Facets:
    """The distinct years, venues, authors (as written) and source file names of a library."""

    years: tuple[int, ...] = ()
    venues: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @cached_property
    def author_names(self) -> frozenset[str]:
        """Every form in which an author may be named: family name, given and family name, as written; folded."""
        names: set[str] = set()
        for author in self.authors:
            family = family_name(author)
            given = author.split(",")[1].strip() if "," in author else author.removesuffix(family).strip()
            names |= {plain(text).casefold() for text in (family, f"{given} {family}".strip(), author)}
            names |= {plain(f"{first} {family}").casefold() for first in given.split()[:1]}
        return frozenset(names)

    @cached_property
    def venue_names(self) -> tuple[str, ...]:
        """Venues as written and the acronyms in them, longest first."""
        names: set[str] = set()
        for venue in self.venues:
            names |= {venue, venue.upper()} if len(venue) > 2 else set()
            names |= set(re.findall(r"\b[A-Z][A-Za-z]*[A-Z]{2,}[A-Za-z]*\b", venue))
        return tuple(sorted(names, key=len, reverse=True))


_COLUMNS = "id, title, title_from_text, abstract, authors, year, venue, url, doi, identifiers"
BATCH_OF_IDS = 500
# A source is named by its path or by its file's name.
_IS_SOURCE = "({0} = ?1 OR substr({0}, -length(?1) - 1) = '/' || ?1)"


class Catalog:
    """The SQLite file `catalog.sqlite` of a library."""

    def __init__(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.path = home / "catalog.sqlite"
        self._local = threading.local()
        self._open_connections: list[sqlite3.Connection] = []
        try:
            self._prepare()
        except sqlite3.DatabaseError as error:
            raise CitewellError(
                f"The catalog {self.path} cannot be opened: {error}.",
                "If the file is damaged, move it away and ingest your files again.",
            ) from None

    def _prepare(self) -> None:
        connection = self._connection()
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise CitewellError(
                f"The library in {self.path.parent} was made by a newer version of Citewell.",
                "Upgrade with: pip install --upgrade citewell",
            )
        if version < SCHEMA_VERSION:
            connection.executescript(SCHEMA)
            connection.execute("INSERT OR IGNORE INTO meta VALUES ('library_id', ?)", (uuid.uuid4().hex,))
            connection.execute("INSERT OR IGNORE INTO meta VALUES ('version', '0')")
            self._rename_all(connection)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.commit()

    def _rename_all(self, connection: sqlite3.Connection) -> None:
        """Read the names of every paper anew, for a library made when names were read otherwise."""
        for paper_id, title, abstract in connection.execute("SELECT id, title, abstract FROM papers").fetchall():
            _save_names(connection, str(paper_id), paper_names(str(title), str(abstract)))

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self.path, timeout=1.5, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            self._local.connection = connection
            self._open_connections.append(connection)
        return connection

    def close(self) -> None:
        """Close the connections of every thread."""
        for connection in self._open_connections:
            connection.close()
        self._open_connections.clear()
        self._local = threading.local()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A write that happens whole or not at all; one inside another is part of it."""
        connection = self._connection()
        if connection.in_transaction:
            yield connection
            return
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.commit()
        except BaseException:
            connection.rollback()
            raise

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """The rows of a query."""
        return self._connection().execute(sql, parameters).fetchall()

    # -- facts about the library ---------------------------------------------------------------------------------

    def meta(self, key: str, default: str = "") -> str:
        row = self._connection().execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else default

    def set_meta(self, key: str, value: str) -> None:
        with self.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    @property
    def library_id(self) -> str:
        return self.meta("library_id")

    @property
    def version(self) -> int:
        """Counts up with every visible change of the library."""
        return int(self.meta("version", "0"))

    def bump_version(self) -> None:
        with self.transaction() as connection:
            connection.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'version'")

    def count(self) -> int:
        return int(self._connection().execute("SELECT COUNT(*) FROM papers").fetchone()[0])

    # -- papers --------------------------------------------------------------------------------------------------

    def paper(self, paper_id: str) -> Paper | None:
        return next(iter(self.papers_by_id([paper_id]).values()), None)

    def papers_by_id(self, ids: Iterable[str]) -> dict[str, Paper]:
        """The papers with these ids, in the order asked for; unknown ids are left out."""
        wanted = list(dict.fromkeys(ids))
        found: dict[str, Paper] = {}
        for start in range(0, len(wanted), BATCH_OF_IDS):
            batch = wanted[start : start + BATCH_OF_IDS]
            marks = ",".join("?" * len(batch))
            sources = self._sources(f"WHERE paper_id IN ({marks})", batch)
            for row in self.rows(f"SELECT {_COLUMNS} FROM papers WHERE id IN ({marks})", batch):
                found[str(row[0])] = _paper(row, sources.get(str(row[0]), ()))
        return {key: found[key] for key in wanted if key in found}

    def all_papers(self) -> Iterator[Paper]:
        """Every paper, in the order in which they were added."""
        sources = self._sources("", ())
        for row in self._connection().execute(f"SELECT {_COLUMNS} FROM papers ORDER BY seq"):
            yield _paper(row, sources.get(row[0], ()))

    def _sources(self, where: str, parameters: Sequence[object]) -> dict[str, tuple[str, ...]]:
        grouped: dict[str, dict[str, None]] = {}
        for paper_id, source in self.rows(f"SELECT DISTINCT paper_id, source FROM records {where}", parameters):
            grouped.setdefault(str(paper_id), {})[Path(str(source)).name] = None
        return {paper_id: tuple(names) for paper_id, names in grouped.items()}

    def facets(self) -> Facets:
        """The values by which papers can be filtered."""
        years = [int(str(row[0])) for row in self.rows("SELECT DISTINCT year FROM papers WHERE year IS NOT NULL")]
        venues = [str(row[0]) for row in self.rows("SELECT DISTINCT venue FROM papers WHERE venue <> ''")]
        names = self.rows("SELECT DISTINCT value FROM papers, json_each(papers.authors)")
        sources = [Path(str(row[0])).name for row in self.rows("SELECT DISTINCT source FROM records")]
        return Facets(
            years=tuple(sorted(years)),
            venues=tuple(sorted(venues)),
            authors=tuple(sorted(str(row[0]) for row in names)),
            sources=tuple(sorted(set(sources))),
        )

    def find_by_key(self, key: str) -> list[str]:
        """Ids of the papers known by `key`."""
        return [str(row[0]) for row in self.rows("SELECT paper_id FROM keys WHERE key = ?", (key,))]

    def find_by_name(self, keys: Sequence[str]) -> list[tuple[str, str, str, int]]:
        """`(name key, name, paper id, weight)` of the papers that go by one of these names."""
        if not keys:
            return []
        marks = ",".join("?" * len(keys))
        rows = self.rows(f"SELECT key, name, paper_id, weight FROM names WHERE key IN ({marks})", list(keys))
        return [(str(key), str(name), str(paper_id), int(str(weight))) for key, name, paper_id, weight in rows]

    def save_paper(
        self,
        connection: sqlite3.Connection,
        paper: Paper,
        text_hash: str,
        keys: Iterable[str],
        names: Iterable[Name],
    ) -> None:
        """Insert or replace a paper inside a transaction; it becomes pending when its embedded text changed."""
        connection.execute(
            """INSERT INTO papers (id, title, title_from_text, abstract, authors, year, venue, url, doi, identifiers,
                                   text_hash)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
               ON CONFLICT (id) DO UPDATE SET title = excluded.title, title_from_text = excluded.title_from_text,
                   abstract = excluded.abstract, authors = excluded.authors, year = excluded.year,
                   venue = excluded.venue, url = excluded.url, doi = excluded.doi,
                   identifiers = excluded.identifiers,
                   state = CASE WHEN text_hash = excluded.text_hash THEN state ELSE 'pending' END,
                   text_hash = excluded.text_hash""",
            (
                paper.id,
                paper.title,
                int(paper.title_from_text),
                paper.abstract,
                json.dumps(paper.authors, ensure_ascii=False),
                paper.year,
                paper.venue,
                paper.url,
                paper.doi,
                json.dumps(paper.identifiers, ensure_ascii=False),
                text_hash,
            ),
        )
        connection.execute("DELETE FROM keys WHERE paper_id = ?", (paper.id,))
        connection.executemany("INSERT OR IGNORE INTO keys VALUES (?, ?)", [(key, paper.id) for key in keys])
        _save_names(connection, paper.id, names)

    def delete_papers(self, paper_ids: Iterable[str]) -> None:
        """Forget papers and everything known of them."""
        tables = ("keys", "records", "names", "originals", "passage_vectors", "sentence_vectors")
        with self.transaction() as connection:
            for paper_id in paper_ids:
                for table in tables:
                    connection.execute(f"DELETE FROM {table} WHERE paper_id = ?", (paper_id,))
                connection.execute("DELETE FROM papers WHERE id = ?", (paper_id,))

    def original_abstract(self, paper_id: str) -> str:
        """The abstract as its file had it, when cleaning changed it; else empty."""
        row = self._connection().execute("SELECT abstract FROM originals WHERE paper_id = ?", (paper_id,)).fetchone()
        return str(row[0]) if row else ""

    def sources(self) -> list[tuple[str, int]]:
        """Every source file and how many papers of the library it holds."""
        sql = "SELECT source, COUNT(DISTINCT paper_id) FROM records GROUP BY source ORDER BY source"
        return [(str(source), int(str(count))) for source, count in self.rows(sql)]

    def forget_source(self, source: str) -> None:
        """Forget that papers were read from a file; `source` is a path or a file's name."""
        with self.transaction() as connection:
            connection.execute(f"DELETE FROM records WHERE {_IS_SOURCE.format('source')}", (source,))

    def is_source(self, source: str) -> bool:
        """Whether any paper was read from a file; `source` is a path or a file's name."""
        return bool(self.rows(f"SELECT 1 FROM records WHERE {_IS_SOURCE.format('source')} LIMIT 1", (source,)))

    def papers_only_from(self, source: str) -> list[str]:
        """Papers that no other source holds; `source` is a path or a file's name."""
        sql = f"""SELECT DISTINCT paper_id FROM records AS r WHERE {_IS_SOURCE.format("r.source")}
                  AND NOT EXISTS (SELECT 1 FROM records AS o WHERE o.paper_id = r.paper_id
                                  AND NOT {_IS_SOURCE.format("o.source")})"""
        return [str(row[0]) for row in self.rows(sql, (source,))]


def _save_names(connection: sqlite3.Connection, paper_id: str, names: Iterable[Name]) -> None:
    connection.execute("DELETE FROM names WHERE paper_id = ?", (paper_id,))
    rows = [(name_key(name.text), paper_id, name.text, name.weight) for name in names]
    connection.executemany("INSERT OR IGNORE INTO names VALUES (?, ?, ?, ?)", rows)


def _paper(row: Sequence[object], sources: tuple[str, ...]) -> Paper:
    identifier, title, from_text, abstract, authors, year, venue, url, doi, identifiers = row
    return Paper(
        id=str(identifier),
        title=str(title),
        abstract=str(abstract),
        authors=tuple(json.loads(str(authors))),
        year=int(str(year)) if year is not None else None,
        venue=str(venue),
        url=str(url),
        doi=str(doi),
        identifiers=tuple(json.loads(str(identifiers))),
        sources=sources,
        title_from_text=bool(from_text),
    )
