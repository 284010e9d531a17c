"""The library's search field and filters as SQL: words by SQLite's FTS5, filters by the dictionaries of values."""

from __future__ import annotations

import re
from collections.abc import Callable

from citewell.facets import Facets
from citewell.filters import Filters, same_author, same_venue
from citewell.library.ports import Sort
from citewell.text.tokens import plain

_WORD = re.compile(r"[^\W_]+")
# Languages without blanks between words: FTS5 takes a run of these for one word.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# How much a word counts in title, authors, venue, year, abstract.
_WEIGHTS = "10.0, 4.0, 2.0, 2.0, 1.0"
_ORDER: dict[Sort, str] = {
    "relevance": "seq",
    "title": "title COLLATE NOCASE, seq",
    "newest": "COALESCE(year, 0) DESC, title COLLATE NOCASE, seq",
    "oldest": "COALESCE(year, 9999), title COLLATE NOCASE, seq",
    "added": "seq DESC",
}
_LIKE = "p.title || ' ' || p.authors || ' ' || p.venue || ' ' || COALESCE(p.year, '') || ' ' || p.abstract LIKE ?"


def match_values(text: str) -> list[object]:
    """The values for the words of a search: one FTS5 expression, or a pattern a word."""
    if _UNSPACED.search(text):
        return [f"%{word}%" for word in text.split()]
    # The folding of FTS5 takes accents off; commands of TeX and compatibility forms are taken off here.
    words = _WORD.findall(plain(text))
    return [" ".join(f'"{word}"*' for word in words)] if words else []


def statements(text: str, where: str, sort: Sort, limit: int | None, offset: int) -> tuple[str, str]:
    """The statement that counts the papers and the one that gives a page of their ids."""
    values = match_values(text)
    tables, order = "papers AS p", _ORDER[sort]
    if values and _UNSPACED.search(text):
        held = " AND ".join([_LIKE] * len(values))
        where = f"WHERE {held}" + (f" AND {where.removeprefix('WHERE ')}" if where else "")
    elif values:
        tables = "paper_text JOIN papers AS p ON p.seq = paper_text.rowid"
        where = "WHERE paper_text MATCH ?" + (f" AND {where.removeprefix('WHERE ')}" if where else "")
        order = f"bm25(paper_text, {_WEIGHTS}), seq" if sort == "relevance" else order
    elif text.strip():
        # Signs alone, which no paper is looked for by.
        where = "WHERE 0" + (f" AND {where.removeprefix('WHERE ')}" if where else "")
    order = re.sub(r"\b(seq|title|year)\b", r"p.\1", order)
    page = f"LIMIT {-1 if limit is None else int(limit)} OFFSET {int(offset)}"
    return f"SELECT COUNT(*) FROM {tables} {where}", f"SELECT p.id FROM {tables} {where} ORDER BY {order} {page}"


def conditions(filters: Filters, facets: Callable[[], Facets]) -> tuple[str, list[object]]:
    """`WHERE …` and its values. Venues, authors and files are looked up among the library's own first."""
    found: list[str] = []
    values: list[object] = []

    def among(sql: str, chosen: list[str]) -> None:
        found.append(sql.format(marks=",".join("?" * len(chosen))))
        values.extend(chosen)

    if filters.year_from is not None:
        found.append("p.year >= ?")
        values.append(filters.year_from)
    if filters.year_to is not None:
        found.append("p.year <= ?")
        values.append(filters.year_to)
    if filters.venues:
        known = facets().venues
        among("p.venue IN ({marks})", [v for v in known if any(same_venue(wanted, v) for wanted in filters.venues)])
    for wanted in filters.authors:
        names = [author for author in facets().authors if same_author(wanted, author)]
        among("p.id IN (SELECT paper_id FROM authors WHERE name IN ({marks}))", names)
    if filters.files:
        folded = {name.casefold() for name in filters.files}
        names = [name for name in facets().files if name.casefold() in folded]
        # No pattern: a file's name may hold the signs of one.
        ends = " OR ".join(["source = ? OR substr(source, -length(?) - 1) = '/' || ?"] * len(names)) or "0"
        found.append(f"p.id IN (SELECT paper_id FROM records WHERE {ends})")
        values.extend(name for name in names for _ in range(3))
    return (f"WHERE {' AND '.join(found)}" if found else ""), values
