"""The catalog in one SQLite file. One connection a thread; write-ahead logging, so readers never wait for a writer."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from citewell.errors import CitewellError
from citewell.facets import Facets
from citewell.filters import Filters
from citewell.library import sqlite_search
from citewell.library.ports import Bounds, FileRecord, NameMatch, Page, Sort, VectorKind, Vectors
from citewell.library.schema import prepare
from citewell.library.sqlite_vectors import SqliteVectors
from citewell.paper import Paper
from citewell.text.names import Name, name_key

_COLUMNS = "id, title, title_from_text, abstract, authors, year, venue, url, doi, identifiers"
BATCH_OF_IDS = 500
# A file is named by its path or by its name alone.
_IS_FILE = "({0} = ?1 OR substr({0}, -length(?1) - 1) = '/' || ?1)"


class SqliteCatalog:
    """The file `catalog.sqlite` of a library."""

    def __init__(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.path = home / "catalog.sqlite"
        self._local = threading.local()
        self._open_connections: list[sqlite3.Connection] = []
        try:
            prepare(self.path)
            self.library_id = self.meta("library_id")
        except sqlite3.DatabaseError as error:
            raise CitewellError(
                f"The catalog {self.path} cannot be opened: {error}.",
                "If the file is damaged, move it away and ingest your files again.",
            ) from None
        self._vectors = SqliteVectors(self._connection)
        self._facets: tuple[int, Facets] | None = None

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
    def transaction(self) -> Iterator[None]:
        """A write that happens whole or not at all; one inside another is part of it."""
        connection = self._connection()
        if connection.in_transaction:
            yield
            return
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.commit()
        except BaseException:
            connection.rollback()
            raise

    def _rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        return self._connection().execute(sql, parameters).fetchall()

    def _one(self, sql: str, parameters: Sequence[object] = ()) -> object:
        row = self._connection().execute(sql, parameters).fetchone()
        return row[0] if row else None

    # -- facts about the library ---------------------------------------------------------------------------------

    def meta(self, key: str, default: str = "") -> str:
        value = self._one("SELECT value FROM meta WHERE key = ?", (key,))
        return default if value is None else str(value)

    def set_meta(self, key: str, value: str) -> None:
        with self.transaction():
            self._rows("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    @property
    def version(self) -> int:
        """Counts up with every visible change of the library."""
        return int(self.meta("version", "0"))

    def bump_version(self) -> None:
        with self.transaction():
            self._rows("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'version'")

    def count(self, filters: Filters | None = None) -> int:
        """How many papers pass the filters."""
        where, values = sqlite_search.conditions(filters or Filters(), self.facets) if filters else ("", [])
        return int(str(self._one(f"SELECT COUNT(*) FROM papers AS p {where}", values)))

    def check(self) -> str:
        """What is wrong with the file; empty when nothing is."""
        verdict = str(self._one("PRAGMA quick_check"))
        return "" if verdict == "ok" else verdict

    # -- papers --------------------------------------------------------------------------------------------------

    def papers_by_id(self, ids: Iterable[str]) -> dict[str, Paper]:
        """The papers with these ids, in the order asked for; unknown ids are left out."""
        wanted = list(dict.fromkeys(ids))
        found: dict[str, Paper] = {}
        for start in range(0, len(wanted), BATCH_OF_IDS):
            batch = wanted[start : start + BATCH_OF_IDS]
            marks = ",".join("?" * len(batch))
            files = self._files_of(f"WHERE paper_id IN ({marks})", batch)
            for row in self._rows(f"SELECT {_COLUMNS} FROM papers WHERE id IN ({marks})", batch):
                found[str(row[0])] = _paper(row, files.get(str(row[0]), ()))
        return {key: found[key] for key in wanted if key in found}

    def all_papers(self) -> Iterator[Paper]:
        """Every paper, in the order in which they were added."""
        files = self._files_of("", ())
        for row in self._connection().execute(f"SELECT {_COLUMNS} FROM papers ORDER BY seq"):
            yield _paper(row, files.get(row[0], ()))

    def _files_of(self, where: str, parameters: Sequence[object]) -> dict[str, tuple[str, ...]]:
        grouped: dict[str, dict[str, None]] = {}
        for paper_id, source in self._rows(f"SELECT DISTINCT paper_id, source FROM records {where}", parameters):
            grouped.setdefault(str(paper_id), {})[Path(str(source)).name] = None
        return {paper_id: tuple(names) for paper_id, names in grouped.items()}

    def facets(self) -> Facets:
        """The values by which papers can be filtered; read once a version."""
        version = self.version
        if self._facets is None or self._facets[0] != version:
            self._facets = (version, self._read_facets())
        return self._facets[1]

    def _read_facets(self) -> Facets:
        years = self._rows("SELECT year, COUNT(*) FROM papers WHERE year IS NOT NULL GROUP BY year ORDER BY year")
        venues = self._rows("SELECT venue, COUNT(*) FROM papers WHERE venue <> '' GROUP BY venue ORDER BY venue")
        authors = self._rows("SELECT DISTINCT name FROM authors ORDER BY name")
        files = {Path(str(row[0])).name for row in self._rows("SELECT DISTINCT source FROM records")}
        return Facets(
            years=tuple(int(str(year)) for year, _ in years),
            venues=tuple(str(venue) for venue, _ in venues),
            authors=tuple(str(row[0]) for row in authors),
            files=tuple(sorted(files)),
            year_counts={int(str(year)): int(str(count)) for year, count in years},
            venue_counts={str(venue): int(str(count)) for venue, count in venues},
        )

    def search(
        self,
        text: str = "",
        filters: Filters | None = None,
        sort: Sort = "relevance",
        limit: int | None = None,
        offset: int = 0,
    ) -> Page:
        """Papers that hold every word of `text` (its last letters may be missing) and pass the filters."""
        where, values = sqlite_search.conditions(filters or Filters(), self.facets)
        total, page = sqlite_search.statements(text, where, sort, limit, offset)
        match = sqlite_search.match_values(text)
        ids = [str(row[0]) for row in self._rows(page, [*match, *values])]
        if limit is None and not offset:
            return Page(ids, len(ids))
        return Page(ids, int(str(self._one(total, [*match, *values]))))

    def find_by_keys(self, keys: Sequence[str]) -> dict[str, list[str]]:
        """Ids of the papers known by each of the identity keys; keys that nobody has are left out."""
        found: dict[str, list[str]] = {}
        for start in range(0, len(keys), BATCH_OF_IDS):
            batch = list(keys[start : start + BATCH_OF_IDS])
            sql = f"SELECT key, paper_id FROM keys WHERE key IN ({','.join('?' * len(batch))})"
            for key, paper_id in self._rows(sql, batch):
                found.setdefault(str(key), []).append(str(paper_id))
        return found

    def find_by_names(self, keys: Sequence[str]) -> list[NameMatch]:
        """The papers that go by one of these name keys."""
        found = []
        for start in range(0, len(keys), BATCH_OF_IDS):
            batch = list(keys[start : start + BATCH_OF_IDS])
            sql = f"SELECT key, name, paper_id, weight FROM names WHERE key IN ({','.join('?' * len(batch))})"
            for key, name, paper_id, weight in self._rows(sql, batch):
                found.append(NameMatch(str(key), str(name), str(paper_id), int(str(weight))))
        return found

    def save_paper(self, paper: Paper, text_hash: str, keys: Iterable[str], names: Iterable[Name]) -> None:
        """Insert or replace a paper; it becomes pending when its embedded text changed."""
        values = (
            paper.id, paper.title, int(paper.title_from_text), paper.abstract,
            json.dumps(paper.authors, ensure_ascii=False), paper.year, paper.venue, paper.url, paper.doi,
            json.dumps(paper.identifiers, ensure_ascii=False), text_hash,
        )  # fmt: skip
        with self.transaction():
            connection = self._connection()
            connection.execute(
                """INSERT INTO papers (id, title, title_from_text, abstract, authors, year, venue, url, doi,
                                       identifiers, text_hash)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (id) DO UPDATE SET title = excluded.title, title_from_text = excluded.title_from_text,
                       abstract = excluded.abstract, authors = excluded.authors, year = excluded.year,
                       venue = excluded.venue, url = excluded.url, doi = excluded.doi,
                       identifiers = excluded.identifiers,
                       state = CASE WHEN text_hash = excluded.text_hash THEN state ELSE 'pending' END,
                       text_hash = excluded.text_hash""",
                values,
            )
            for table in ("keys", "authors", "names"):
                connection.execute(f"DELETE FROM {table} WHERE paper_id = ?", (paper.id,))
            rows = [(key, paper.id) for key in keys]
            connection.executemany("INSERT OR IGNORE INTO keys VALUES (?, ?)", rows)
            people = [(name, paper.id, place) for place, name in enumerate(paper.authors)]
            connection.executemany("INSERT OR IGNORE INTO authors VALUES (?, ?, ?)", people)
            called = [(name_key(name.text), paper.id, name.text, name.weight) for name in names]
            connection.executemany("INSERT OR IGNORE INTO names VALUES (?, ?, ?, ?)", called)

    def delete_papers(self, paper_ids: Iterable[str]) -> None:
        """Forget papers and everything known of them."""
        tables = ("keys", "records", "names", "authors", "passage_vectors", "sentence_vectors")
        with self.transaction():
            connection = self._connection()
            for paper_id in paper_ids:
                for table in tables:
                    connection.execute(f"DELETE FROM {table} WHERE paper_id = ?", (paper_id,))
                connection.execute("DELETE FROM papers WHERE id = ?", (paper_id,))

    # -- what is indexed -----------------------------------------------------------------------------------------

    def pending(self) -> list[str]:
        """Papers whose passages are not in the vector store, in the order in which they were added."""
        return [str(row[0]) for row in self._rows("SELECT id FROM papers WHERE state <> 'indexed' ORDER BY seq")]

    def mark_pending(self, paper_ids: Sequence[str] | None = None) -> None:
        """Have these papers indexed again, or all."""
        with self.transaction():
            if paper_ids is None:
                self._rows("UPDATE papers SET state = 'pending'")
            else:
                sql = "UPDATE papers SET state = 'pending' WHERE id = ?"
                self._connection().executemany(sql, [(key,) for key in paper_ids])

    def mark_indexed(self, hashes: Mapping[str, str]) -> None:
        """These papers are in the vector store, unless their text hash has changed meanwhile."""
        with self.transaction():
            sql = "UPDATE papers SET state = 'indexed' WHERE id = ? AND text_hash = ?"
            self._connection().executemany(sql, list(hashes.items()))

    def vectors(self, kind: VectorKind, papers: Iterable[Paper], model: str) -> dict[str, tuple[Bounds, Vectors]]:
        """Character offsets and vectors kept for these papers by this model and for their present text, by id."""
        return self._vectors.read(kind, papers, model)

    def vector_blocks(self, kind: VectorKind, ids: Sequence[str], model: str) -> dict[str, Vectors]:
        """The vectors alone of these papers, flat, in the precision they are kept in."""
        return self._vectors.blocks(kind, ids, model)

    def save_vectors(self, kind: VectorKind, paper: Paper, model: str, bounds: Bounds, vectors: Vectors) -> None:
        with self.transaction():
            self._vectors.save(kind, paper, model, bounds, vectors)

    def without_vectors(self, kind: VectorKind, model: str) -> list[str]:
        """Papers with an abstract that have no vectors of this model for their present text."""
        return self._vectors.missing(kind, model)

    def indexed_passages(self, model: str) -> dict[str, str]:
        """Passage ids that the vector store should hold, and the paper of each."""
        return self._vectors.indexed_passages(model)

    # -- files ---------------------------------------------------------------------------------------------------

    def files(self) -> list[tuple[str, int]]:
        """Every file that papers were read from, and how many papers of the library it holds."""
        sql = "SELECT source, COUNT(DISTINCT paper_id) FROM records GROUP BY source ORDER BY source"
        return [(str(source), int(str(count))) for source, count in self._rows(sql)]

    def forget_file(self, file: str) -> None:
        """Forget that papers were read from a file, given by path or by name."""
        with self.transaction():
            self._rows(f"DELETE FROM records WHERE {_IS_FILE.format('source')}", (file,))

    def is_file(self, file: str) -> bool:
        """Whether any paper was read from a file, given by path or by name."""
        return bool(self._rows(f"SELECT 1 FROM records WHERE {_IS_FILE.format('source')} LIMIT 1", (file,)))

    def papers_only_from(self, file: str) -> list[str]:
        """Papers that no other file holds, the file given by path or by name."""
        sql = f"""SELECT DISTINCT paper_id FROM records AS r WHERE {_IS_FILE.format("r.source")}
                  AND NOT EXISTS (SELECT 1 FROM records AS o WHERE o.paper_id = r.paper_id
                                  AND NOT {_IS_FILE.format("o.source")})"""
        return [str(row[0]) for row in self._rows(sql, (file,))]

    def papers_without_file(self) -> list[str]:
        """Papers that no file holds any more."""
        sql = "SELECT id FROM papers WHERE NOT EXISTS (SELECT 1 FROM records WHERE paper_id = papers.id)"
        return [str(row[0]) for row in self._rows(sql)]

    def records(self, path: str) -> list[FileRecord]:
        """What a file held when it was read last, in its order."""
        sql = "SELECT record, content_hash, paper_id FROM records WHERE source = ? ORDER BY record"
        return [
            FileRecord(int(str(place)), str(content), str(paper)) for place, content, paper in self._rows(sql, (path,))
        ]

    def save_record(self, path: str, record: FileRecord) -> None:
        with self.transaction():
            row = (path, record.record, record.content_hash, record.paper_id)
            self._rows("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)", row)

    def drop_records_after(self, path: str, last: int) -> None:
        """Forget the records of a file behind place `last`: it has become shorter."""
        held = self._one("SELECT MAX(record) FROM records WHERE source = ?", (path,))
        if held is not None and int(str(held)) > last:
            with self.transaction():
                self._rows("DELETE FROM records WHERE source = ? AND record > ?", (path, last))

    def count_records(self, paper_id: str) -> int:
        """How many records of all files are this paper."""
        return int(str(self._one("SELECT COUNT(*) FROM records WHERE paper_id = ?", (paper_id,))))


def _paper(row: Sequence[object], files: tuple[str, ...]) -> Paper:
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
        files=files,
        title_from_text=bool(from_text),
    )
