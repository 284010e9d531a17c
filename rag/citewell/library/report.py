"""What became of every record of an ingest."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from citewell.readers.base import Failure

COUNTS = ("records", "added", "updated", "merged", "unchanged", "without_abstract")


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
    # Ids of papers that no file holds any more.
    missing: list[str] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether the library is another one than before."""
        return any(file.added or file.updated or file.merged for file in self.files)

    @property
    def totals(self) -> dict[str, int]:
        """Records, added, updated, merged, unchanged, without an abstract and failed, over all files."""
        counts = {name: sum(getattr(file, name) for file in self.files) for name in COUNTS}
        return counts | {"failed": sum(len(file.failed) for file in self.files)}

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `citewell ingest --json`."""
        return {"files": [asdict(file) for file in self.files], "totals": self.totals}

    def save(self, folder: Path) -> None:
        """Write the report beside the library, the last one under a name of its own."""
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
        (folder / f"{time.strftime('%Y%m%d-%H%M%S')}.json").write_text(text, encoding="utf-8")
        (folder / "last.json").write_text(text, encoding="utf-8")
