"""`titles.csv`: bibliographic facts for abstracts that stand in a text file without titles.

The file lies beside the abstracts. A row belongs to the abstract that begins with its `abstract_starts_with`.
"""

from __future__ import annotations

import csv
from pathlib import Path

from citewell.readers.base import Draft
from citewell.readers.links import identifiers_of, year_of

TITLES_FILE = "titles.csv"
KEY_COLUMN = "abstract_starts_with"


def is_titles_file(path: Path) -> bool:
    """Whether `path` is such a table, by its name and its first column."""
    if path.name != TITLES_FILE or not path.is_file():
        return False
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return file.readline().split(",")[0].strip().strip('"') == KEY_COLUMN


def titles_beside(path: Path) -> dict[str, Draft]:
    """Rows of the `titles.csv` in the folder of `path`, by the folded beginning of the abstract."""
    table = path.parent / TITLES_FILE
    if not is_titles_file(table):
        return {}
    rows: dict[str, Draft] = {}
    with table.open(encoding="utf-8-sig", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=1):
            cells = {key: (value or "").strip() for key, value in row.items() if isinstance(key, str)}
            opening = fold(cells.get(KEY_COLUMN, ""))
            if not opening or not cells.get("title"):
                continue
            links = [cells.get("url", ""), cells.get("openreview_url", ""), cells.get("doi", "")]
            rows[opening] = Draft(
                record=number,
                line=number + 1,
                title=cells["title"],
                authors=tuple(name.strip() for name in cells.get("authors", "").split(";") if name.strip()),
                year=year_of(cells.get("year", "")),
                venue=cells.get("venue", ""),
                url=next((link for link in links if link), ""),
                doi=cells.get("doi", ""),
                identifiers=identifiers_of(*links),
            )
    return rows


def fold(text: str) -> str:
    """Blanks folded, for comparing how abstracts begin."""
    return " ".join(text.split())
