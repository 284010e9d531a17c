"""What became of every record of an ingest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from rag.readers.base import Failure

Progress = Callable[[str, int, int], None]
COUNTS = ("records", "added", "updated", "merged", "unchanged", "without_abstract")


def no_progress(stage: str, done: int, total: int) -> None:
    """A progress callback that shows nothing."""


@dataclass(slots=True)
class FileReport:
    """One file: `added + updated + merged + unchanged + len(failed) == records`."""

    path: str
    format: str
    encoding: str
    records: int = 0
    added: int = 0
    updated: int = 0
    merged: int = 0
    unchanged: int = 0
    without_abstract: int = 0
    failed: list[Failure] = field(default_factory=list)


@dataclass(slots=True)
class IngestReport:
    """All files of one run."""

    files: list[FileReport] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The JSON of `citewell ingest --json`."""
        totals: dict[str, int] = {name: _total(self.files, name) for name in COUNTS}
        totals["failed"] = sum(len(file.failed) for file in self.files)
        return {"files": [asdict(file) for file in self.files], "totals": totals}


def _total(files: Iterable[FileReport], name: str) -> int:
    return sum(getattr(file, name) for file in files)
