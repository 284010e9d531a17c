"""JSON and JSON Lines: a list of records, one object a line, or an object that holds the list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rag.readers.base import Draft, Failure
from rag.readers.links import identifiers_of, year_of

_TITLE = ("title", "name")
_ABSTRACT = ("abstract", "summary", "tldr")
_AUTHORS = ("authors", "author", "authorids")
_YEAR = ("year", "publication_year", "date", "published")
_VENUE = ("venue", "journal", "booktitle", "conference")
_LINKS = ("url", "link", "pdf_url", "pdf", "openreview_url", "doi", "arxiv_id", "id")


def read_json_lines(lines: Iterable[str]) -> Iterator[Draft | Failure]:
    """One object a line; a line that is no object is reported and the next one read."""
    record = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        record += 1
        try:
            value = json.loads(line)
        except ValueError as error:
            yield Failure(record, number, f"not valid JSON: {error}")
            continue
        yield _draft(value, record, number)


def read_json(text: str) -> Iterator[Draft | Failure]:
    """A JSON list of records, or an object whose longest list of objects is taken."""
    try:
        value = json.loads(text)
    except ValueError as error:
        yield Failure(1, getattr(error, "lineno", 1), f"not valid JSON: {error}")
        return
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list) and item and isinstance(item[0], dict)]
        value = max(lists, key=len) if lists else [value]
    for record, item in enumerate(value if isinstance(value, list) else [value], start=1):
        yield _draft(item, record, 1)


def _draft(value: Any, record: int, line: int) -> Draft | Failure:
    if not isinstance(value, dict):
        return Failure(record, line, "not a record: an object with fields was expected")
    title, abstract = _text(value, _TITLE), _text(value, _ABSTRACT)
    if not title and not abstract:
        return Failure(record, line, "neither a title nor an abstract")
    links = [str(value[key]) for key in _LINKS if isinstance(value.get(key), str)]
    identifiers = identifiers_of(*links)
    return Draft(
        record=record,
        line=line,
        title=title,
        abstract=abstract,
        authors=_authors(next((value[key] for key in _AUTHORS if value.get(key)), ())),
        year=year_of(_text(value, _YEAR)),
        venue=_text(value, _VENUE),
        url=next((link for link in links if link.startswith(("http://", "https://"))), ""),
        doi=next((item[4:] for item in identifiers if item.startswith("doi:")), ""),
        identifiers=identifiers,
    )


def _text(value: Mapping[str, Any], keys: Iterable[str]) -> str:
    for key in keys:
        found = value.get(key)
        if isinstance(found, (str, int)) and str(found).strip():
            return str(found).strip()
    return ""


def _authors(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        separator = ";" if ";" in value else " and " if " and " in value else ","
        value = value.split(separator)
    names = [item.get("name", "") if isinstance(item, dict) else str(item) for item in value]
    return tuple(name.strip() for name in names if name and name.strip())
