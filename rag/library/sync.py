"""From files to catalog rows: what each record means for the library, and writing it down."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from dataclasses import asdict
from pathlib import Path

from rag.batches import batched
from rag.library.catalog import Catalog
from rag.library.identity import draft_keys, folded, merged, new_paper, paper_keys
from rag.library.passages import text_hash
from rag.library.report import FileReport, IngestReport, Progress, no_progress
from rag.readers import BibliographyFile, open_bibliographies
from rag.readers.base import Draft, Failure
from rag.records import Paper
from rag.text.names import paper_names
from rag.text.words import index_tokens

RECORDS_A_TRANSACTION = 500
SAME_PAPER_OVERLAP = 0.5


def sync_files(catalog: Catalog, paths: list[Path], progress: Progress = no_progress) -> IngestReport:
    """Read `paths` into the catalog; papers whose text is new or changed are left pending.

    All files are opened before anything is written: raises `UnreadableFile`, with nothing changed, when one
    of them is no bibliography.
    """
    files = open_bibliographies(paths)
    report = IngestReport()
    for number, file in enumerate(files):
        progress("Reading", number, len(files))
        report.files.append(_sync_file(catalog, file))
    progress("Reading", len(files), len(files))
    return report


def _sync_file(catalog: Catalog, file: BibliographyFile) -> FileReport:
    report = FileReport(str(file.path), file.format, file.encoding)
    for batch in batched(file.items, RECORDS_A_TRANSACTION):
        with catalog.transaction() as connection:
            for item in batch:
                report.records += 1
                if isinstance(item, Failure):
                    report.failed.append(item)
                elif not item.abstract and not item.title:
                    report.failed.append(Failure(item.record, item.line, "neither a title nor an abstract"))
                else:
                    outcome = _sync_record(catalog, connection, str(file.path), item)
                    setattr(report, outcome, getattr(report, outcome) + 1)
                    report.without_abstract += not item.abstract
    return report


def _sync_record(catalog: Catalog, connection: sqlite3.Connection, source: str, draft: Draft) -> str:
    """Write one record down; returns what it was: added, updated, merged or unchanged."""
    content = _content_hash(draft)
    row = connection.execute(
        "SELECT content_hash, paper_id FROM records WHERE source = ? AND record = ?", (source, draft.record)
    ).fetchone()
    if row and row[0] == content:
        return "unchanged"
    paper = _same_paper(catalog, draft)
    replaced = catalog.paper(row[1]) if row and paper is None else None
    if paper is None and replaced is not None and _still_the_same(replaced, draft):
        paper = replaced
    if paper is None:
        result, outcome = new_paper(draft, lambda key: catalog.paper(key) is not None), "added"
    else:
        own = bool(row) and row[1] == paper.id and len(paper.sources) == 1
        result = merged(paper, draft, newer=own)
        outcome = "updated" if own else "merged"
    if paper != result:
        catalog.save_paper(
            connection,
            result,
            text_hash(result),
            paper_keys(result),
            paper_names(_given_title(result), result.abstract),
        )
    connection.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)", (source, draft.record, content, result.id))
    return outcome


def _given_title(paper: Paper) -> str:
    return "" if paper.title_from_text else paper.title


def _content_hash(draft: Draft) -> str:
    fields = asdict(draft)
    del fields["line"]
    return hashlib.sha256(json.dumps(fields, ensure_ascii=False).encode()).hexdigest()[:32]


def _same_paper(catalog: Catalog, draft: Draft) -> Paper | None:
    """The paper of the library that the draft is, by its surest key."""
    for key in draft_keys(draft):
        for paper in catalog.papers_by_id(catalog.find_by_key(key)).values():
            if not key.startswith("title:") or not (paper.abstract and draft.abstract):
                return paper
            if _overlap(paper.abstract, draft.abstract) >= SAME_PAPER_OVERLAP:
                return paper
    return None


def _still_the_same(paper: Paper, draft: Draft) -> bool:
    """Whether an edited record at the same place of the same file is an edit, not another paper."""
    if draft.title and not paper.title_from_text and folded(draft.title) == folded(paper.title):
        return True
    return bool(paper.abstract and draft.abstract) and _overlap(paper.abstract, draft.abstract) >= SAME_PAPER_OVERLAP


def _overlap(one: str, other: str) -> float:
    """Jaccard similarity of the stems of two texts, 0 to 1."""
    first, second = set(index_tokens(one)), set(index_tokens(other))
    return len(first & second) / max(1, len(first | second))
