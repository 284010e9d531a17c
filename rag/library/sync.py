"""From files to catalog rows: what each record means for the library, and writing it down."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter, deque
from dataclasses import asdict
from pathlib import Path

from rag.batches import batched
from rag.library.catalog import Catalog
from rag.library.identity import draft_keys, is_same, merged, new_paper, paper_keys
from rag.library.passages import text_hash
from rag.library.report import FileReport, IngestReport, Progress, no_progress
from rag.readers import BibliographyFile, open_bibliographies
from rag.readers.base import Draft, Failure
from rag.records import Paper
from rag.text.names import paper_names

RECORDS_A_TRANSACTION = 500
# Texts that share one hash of their sketch may be alike by chance; so many must be shared to look closer.
SHARED_HASHES = 3


class DryRun(Exception):
    """Raised inside a transaction to undo it."""


def sync_files(
    catalog: Catalog, paths: list[Path], progress: Progress = no_progress, *, dry_run: bool = False
) -> IngestReport:
    """Read `paths` into the catalog; papers whose text is new or changed are left pending.

    All files are opened before anything is written: raises `UnreadableFile`, with nothing changed, when one
    of them is no bibliography. `dry_run` reports what would happen and changes nothing.
    """
    files = open_bibliographies(paths)
    report = IngestReport()
    try:
        if dry_run:
            with catalog.transaction():
                _sync_all(catalog, files, report, progress)
                raise DryRun
        _sync_all(catalog, files, report, progress)
    except DryRun:
        pass
    return report


def _sync_all(catalog: Catalog, files: list[BibliographyFile], report: IngestReport, progress: Progress) -> None:
    for number, file in enumerate(files):
        progress("Reading", number, len(files))
        report.files.append(_FileSync(catalog, file).run())
    report.missing = [str(row[0]) for row in catalog.rows(_WITHOUT_SOURCE)]
    progress("Reading", len(files), len(files))


_WITHOUT_SOURCE = "SELECT id FROM papers WHERE NOT EXISTS (SELECT 1 FROM records WHERE paper_id = papers.id)"


class _FileSync:
    """One file against the catalog."""

    def __init__(self, catalog: Catalog, file: BibliographyFile) -> None:
        self._catalog = catalog
        self._file = file
        self._report = FileReport(file.path, file.format, file.encoding)
        rows = catalog.rows("SELECT record, content_hash, paper_id FROM records WHERE source = ?", (file.path,))
        # What the file held the last time, by content and by place.
        self._before: dict[str, deque[str]] = {}
        for _, content, paper_id in sorted(rows, key=lambda row: int(str(row[0]))):
            self._before.setdefault(str(content), deque()).append(str(paper_id))
        self._at = {int(str(row[0])): str(row[2]) for row in rows}

    def run(self) -> FileReport:
        report = self._report
        for batch in batched(self._file.items, RECORDS_A_TRANSACTION):
            with self._catalog.transaction() as connection:
                for item in batch:
                    report.records += 1
                    if isinstance(item, Failure):
                        report.failed.append(item)
                    else:
                        outcome = self._record(connection, item)
                        setattr(report, outcome, getattr(report, outcome) + 1)
                        report.without_abstract += not item.abstract
        with self._catalog.transaction() as connection:
            held = "SELECT MAX(record) FROM records WHERE source = ?"
            last = max(report.records, *(failure.record for failure in report.failed), 0)
            if (connection.execute(held, (self._file.path,)).fetchone()[0] or 0) > last:
                connection.execute("DELETE FROM records WHERE source = ? AND record > ?", (self._file.path, last))
        return report

    def _record(self, connection: sqlite3.Connection, draft: Draft) -> str:
        """Write one record down; returns what it was: added, updated, merged or unchanged."""
        content = _content_hash(draft)
        if before := self._before.get(content):
            self._note(connection, draft, content, before.popleft())
            return "unchanged"
        paper = same_paper(self._catalog, draft)
        here = self._at.get(draft.record, "")
        if paper is None and here:
            paper = self._edited(here, draft)
        if paper is None:
            result, outcome = new_paper(draft, lambda key: self._catalog.paper(key) is not None), "added"
        else:
            own = paper.id == here and self._only_record(connection, paper.id)
            result, outcome = merged(paper, draft, newer=own), "updated" if own else "merged"
        if paper != result:
            names = paper_names("" if result.title_from_text else result.title, result.abstract)
            self._catalog.save_paper(connection, result, text_hash(result), paper_keys(result), names)
            if draft.original and result.abstract == draft.abstract:
                connection.execute("INSERT OR REPLACE INTO originals VALUES (?, ?)", (result.id, draft.original))
        self._note(connection, draft, content, result.id)
        return outcome

    def _note(self, connection: sqlite3.Connection, draft: Draft, content: str, paper_id: str) -> None:
        row = (self._file.path, draft.record, content, paper_id)
        connection.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)", row)

    def _edited(self, paper_id: str, draft: Draft) -> Paper | None:
        """The paper that stood at this place of the file, when the draft is an edit of it."""
        paper = self._catalog.paper(paper_id)
        if paper is None:
            return None
        both = [key for key in draft_keys(draft) if key.startswith("title:") and key in paper_keys(paper)]
        return paper if both or (paper.abstract and draft.abstract and is_same(paper, draft, "title:")) else None

    def _only_record(self, connection: sqlite3.Connection, paper_id: str) -> bool:
        count = connection.execute("SELECT COUNT(*) FROM records WHERE paper_id = ?", (paper_id,)).fetchone()[0]
        return bool(count == 1)


def same_paper(catalog: Catalog, draft: Draft) -> Paper | None:
    """The paper of the library that the draft is, by its surest key."""
    keys = draft_keys(draft)
    for key in keys:
        if not key.startswith("near:"):
            for paper in catalog.papers_by_id(catalog.find_by_key(key)).values():
                if is_same(paper, draft, key):
                    return paper
    near = Counter(paper_id for key in keys if key.startswith("near:") for paper_id in catalog.find_by_key(key))
    candidates = [paper_id for paper_id, shared in near.most_common(5) if shared >= SHARED_HASHES]
    return next((p for p in catalog.papers_by_id(candidates).values() if is_same(p, draft, "near:")), None)


def _content_hash(draft: Draft) -> str:
    fields = asdict(draft)
    del fields["line"], fields["record"]
    return hashlib.sha256(json.dumps(fields, ensure_ascii=False).encode()).hexdigest()[:32]
