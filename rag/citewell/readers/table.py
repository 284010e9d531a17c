"""CSV and TSV with any delimiter, and Excel sheets, by the column names of the usual exporters."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from citewell.readers.base import Draft, Failure
from citewell.readers.fields import make_draft, split_authors

# Scopus, IEEE Xplore, Springer, PubMed, Embase, Web of Science, Zotero, OpenAlex, Semantic Scholar, plain ones;
# the better name of each field first.
COLUMNS: dict[str, tuple[str, ...]] = {
    "title": (
        "title", "document title", "article title", "item title", "primary title", "display name", "paper title", "ti",
    ),
    "abstract": ("abstract", "abstract note", "summary", "abstracts", "abstract text", "ab", "description"),
    "authors": (
        "author full names", "authors", "author", "author names", "author full name", "author s", "creators",
        "authorships author display name", "au",
    ),
    "year": (
        "year", "publication year", "year of publication", "py", "published", "publication date", "date", "pub date",
        "online date", "create date", "date published", "update date",
    ),
    "venue": (
        "source title", "publication title", "journal", "journal book", "venue", "journal title", "source",
        "primary location source display name", "booktitle", "conference", "container title", "publication", "so",
    ),
    "doi": ("doi", "item doi", "digital object identifier", "doi link", "externalids doi", "di"),
    "url": ("url", "link", "pdf link", "urls", "full text link", "pdf url", "article url", "embase link"),
}  # fmt: skip
_DELIMITERS = (",", ";", "\t", "|")
_KNOWN = {name for names in COLUMNS.values() for name in names}
# Springer exports people with nothing between them: "Andy SmithTom Weber", but also "Ian McKay".
_RUN_TOGETHER = re.compile(
    r"(?<=[a-zß-ÿ])(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bLe)(?<!\bLa)(?<!\bDi)(?<!\bVan)(?=[A-ZÀ-Þ])"
)
_HEADER_WITHIN = 12


def column_name(cell: object) -> str:
    """A header cell in the form of `COLUMNS`."""
    return re.sub(r"[^a-z0-9]+", " ", str(cell or "").lower()).strip()


def known_columns(cells: Iterable[object]) -> int:
    """How many header cells are known names; 0 without a title or abstract among them."""
    names = [column_name(cell) for cell in cells]
    if not any(name in COLUMNS["title"] or name in COLUMNS["abstract"] for name in names):
        return 0
    return sum(name in _KNOWN for name in names)


def delimiter_of(text: str) -> str | None:
    """The delimiter of a table whose header names at least two known columns, else None."""
    header = next((line for line in text.splitlines() if line.strip()), "")
    best = max(
        _DELIMITERS, key=lambda sign: (known_columns(next(csv.reader([header], delimiter=sign))), header.count(sign))
    )
    return best if known_columns(next(csv.reader([header], delimiter=best))) >= 2 else None


def read_delimited(lines: Iterable[str], delimiter: str) -> Iterator[Draft | Failure]:
    """One draft a row."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    reader = csv.reader((line.replace("\x00", "") for line in lines), delimiter=delimiter)
    header: list[str] | None = None
    record = 0
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            record += 1
            yield Failure(record, line, f"damaged row: {error}")
            continue
        if not any(cell.strip() for cell in row):
            continue
        if header is None:
            header = [column_name(cell) for cell in row]
            continue
        record += 1
        yield _draft(header, row, record, line)


def read_workbook(stream: BinaryIO) -> Iterator[Draft | Failure]:
    """One draft a row of every sheet that has a header."""
    from openpyxl import load_workbook

    try:
        workbook = load_workbook(stream, read_only=True, data_only=True)
    except Exception as error:  # a damaged archive fails in many ways
        yield Failure(1, 1, f"the workbook cannot be opened: {error}")
        return
    record = 0
    for sheet in workbook.worksheets:
        header: list[str] | None = None
        for line, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
            if header is None:
                if known_columns(cells) >= 2:
                    header = [column_name(cell) for cell in cells]
                elif line >= _HEADER_WITHIN:
                    break
                continue
            row = ["" if cell is None else str(cell) for cell in cells]
            if any(cell.strip() for cell in row):
                record += 1
                yield _draft(header, row, record, line)


def _draft(header: Sequence[str], row: Sequence[str], record: int, line: int) -> Draft | Failure:
    # Of two columns with one name the first counts.
    padded = [*row[: len(header)], *[""] * (len(header) - len(row))]
    cells = dict(zip(reversed(header), reversed(padded), strict=True))

    def field(name: str) -> str:
        return next((cells[column].strip() for column in COLUMNS[name] if cells.get(column, "").strip()), "")

    authors = re.sub(r"\s*\(\d+\)", "", field("authors"))  # Scopus puts its author numbers in brackets
    if "item title" in cells:
        authors = _RUN_TOGETHER.sub("; ", authors)
    return make_draft(
        record,
        line,
        title=field("title"),
        abstract=field("abstract"),
        authors=split_authors(authors),
        year=field("year") or field("venue"),
        venue=field("venue"),
        doi=field("doi"),
        links=[field("url"), cells.get("openreview url", ""), cells.get("arxiv id", ""), cells.get("id", "")],
    )
