"""From files to catalog rows: what each record means for the library, and writing it down."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from citewell.batches import batched
from citewell.library.identity import draft_keys, is_same, merged, new_paper, paper_keys
from citewell.library.passages import text_hash
from citewell.library.ports import Catalog, FileRecord
from citewell.library.report import FileReport, IngestReport
from citewell.paper import Paper
from citewell.progress import Progress, no_progress
from citewell.readers import BibliographyFile, open_bibliographies
from citewell.readers.base import Draft, Failure
from citewell.text.names import paper_names

RECORDS_A_TRANSACTION = 500
# Texts that share one hash of their sketch may be alike by chance; so many must be shared to look closer.
SHARED_HASHES = 3


class DryRun(Exception):
    """Raised inside a transaction to undo it."""


def sync_files(
    catalog: Catalog, paths: Sequence[Path], progress: Progress = no_progress, *, dry_run: bool = False
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
    report.missing = catalog.papers_without_file()
    progress("Reading", len(files), len(files))


class _FileSync:
    """One file against the catalog."""

    def __init__(self, catalog: Catalog, file: BibliographyFile) -> None:
        self._catalog = catalog
        self._file = file
        self._report = FileReport(file.path, file.format, file.encoding)
        # What the file held the last time, by content and by place.
        self._before: dict[str, deque[str]] = {}
        self._at: dict[int, str] = {}
        for record in catalog.records(file.path):
            self._before.setdefault(record.content_hash, deque()).append(record.paper_id)
            self._at[record.record] = record.paper_id

    def run(self) -> FileReport:
        report = self._report
        for batch in batched(self._file.items, RECORDS_A_TRANSACTION):
            with self._catalog.transaction():
                for item in batch:
                    report.records += 1
                    if isinstance(item, Failure):
                        report.failed.append(item)
                    else:
                        outcome = self._record(item)
                        setattr(report, outcome, getattr(report, outcome) + 1)
                        report.without_abstract += not item.abstract
        last = max(report.records, *(failure.record for failure in report.failed), 0)
        self._catalog.drop_records_after(self._file.path, last)
        return report

    def _record(self, draft: Draft) -> str:
        """Write one record down; returns what it was: added, updated, merged or unchanged."""
        content = _content_hash(draft)
        if before := self._before.get(content):
            self._note(draft, content, before.popleft())
            return "unchanged"
        paper = same_paper(self._catalog, draft)
        here = self._at.get(draft.record, "")
        if paper is None and here:
            paper = self._edited(here, draft)
        if paper is None:
            result, outcome = new_paper(draft, lambda key: bool(self._catalog.papers_by_id([key]))), "added"
        else:
            own = paper.id == here and self._catalog.count_records(paper.id) == 1
            result, outcome = merged(paper, draft, newer=own), "updated" if own else "merged"
        if paper != result:
            names = paper_names("" if result.title_from_text else result.title, result.abstract)
            self._catalog.save_paper(result, text_hash(result), paper_keys(result), names)
        self._note(draft, content, result.id)
        return outcome

    def _note(self, draft: Draft, content: str, paper_id: str) -> None:
        self._catalog.save_record(self._file.path, FileRecord(draft.record, content, paper_id))

    def _edited(self, paper_id: str, draft: Draft) -> Paper | None:
        """The paper that stood at this place of the file, when the draft is an edit of it."""
        paper = self._catalog.papers_by_id([paper_id]).get(paper_id)
        if paper is None:
            return None
        both = [key for key in draft_keys(draft) if key.startswith("title:") and key in paper_keys(paper)]
        return paper if both or (paper.abstract and draft.abstract and is_same(paper, draft, "title:")) else None


def same_paper(catalog: Catalog, draft: Draft) -> Paper | None:
    """The paper of the library that the draft is, by its surest key."""
    keys = draft_keys(draft)
    known = catalog.find_by_keys(keys)
    papers = catalog.papers_by_id(
        paper_id for key in keys if not key.startswith("near:") for paper_id in known.get(key, ())
    )
    for key in keys:
        for paper_id in known.get(key, ()) if not key.startswith("near:") else ():
            if is_same(papers[paper_id], draft, key):
                return papers[paper_id]
    near = Counter(paper_id for key in keys if key.startswith("near:") for paper_id in known.get(key, ()))
    candidates = [paper_id for paper_id, shared in near.most_common(5) if shared >= SHARED_HASHES]
    return next((p for p in catalog.papers_by_id(candidates).values() if is_same(p, draft, "near:")), None)


def _content_hash(draft: Draft) -> str:
    fields = asdict(draft)
    del fields["line"], fields["record"]
    return hashlib.sha256(json.dumps(fields, ensure_ascii=False).encode()).hexdigest()[:32]
