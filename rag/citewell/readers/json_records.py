"""JSON and JSON Lines: plain records, OpenReview notes, paper lists, OpenAlex, Semantic Scholar, arXiv metadata."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from citewell.readers.base import Draft, Failure
from citewell.readers.fields import make_draft, split_authors

_TITLE = ("title", "display_name", "name", "paper_title")
_ABSTRACT = ("abstract", "summary", "abstractText", "description", "tldr", "TL;DR")
_AUTHORS = ("authors", "author", "authorships", "creators")
_YEAR = ("year", "publication_year", "date", "published", "publicationDate", "publication_date", "update_date", "cdate")
_VENUE = (
    "venue",
    "journal",
    "booktitle",
    "conference",
    "container-title",
    "publicationVenue",
    "primary_location",
    "host_venue",
    "source",
    "journal-ref",
)
_LINKS = (
    "url",
    "link",
    "article_url",
    "pdf_url",
    "pdf",
    "openreview_url",
    "site",
    "arxiv",
    "arxiv_id",
    "eprint",
    "id",
    "forum",
)
_ARXIV_ID = re.compile(r"^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?$")
_OPENREVIEW_ID = re.compile(r"^[A-Za-z0-9_-]{9,12}$")
LARGE = 50 * 1024**2
# Where the lists of records stand in the answers of the usual services.
_LIST_KEYS = ("results", "data", "papers", "notes", "items", "records", "documents", "message", "entries")


def read_json_lines(lines: Iterable[str]) -> Iterator[Draft | Failure]:
    """One object a line; a line that is no object is reported and the next one read."""
    record = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        record += 1
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield Failure(record, number, f"not valid JSON: {error}")
            continue
        yield draft_of(value, record, number)


def read_json(stream: BinaryIO) -> Iterator[Draft | Failure]:
    """A list of records, or an object that holds one; read piece by piece, so that damage costs only what follows."""
    import ijson

    start = stream.read(1)
    while start in (b" ", b"\n", b"\r", b"\t", b"\xef", b"\xbb", b"\xbf"):
        start = stream.read(1)
    record = 0
    if start == b"{":
        if stream.seek(0, 2) > LARGE:
            yield from _large_object(stream)
            return
        stream.seek(0)
        value = _whole(stream)
        if not isinstance(value, dict):
            yield Failure(1, 1, f"not valid JSON: {value}")
            return
        for record, item in enumerate(_records_in(value), start=1):
            yield draft_of(item, record, 1)
        return
    try:
        for item in ijson.items(_After(start, stream), "item", use_float=True):
            record += 1
            yield draft_of(item, record, 1)
    except (ijson.JSONError, UnicodeDecodeError, RecursionError) as error:
        yield Failure(record + 1, 1, f"not valid JSON from here on: {str(error).splitlines()[0]}")


class _After:
    """A stream that begins with bytes read before."""

    def __init__(self, start: bytes, stream: BinaryIO) -> None:
        self._start, self._stream = start, stream

    def read(self, size: int = -1) -> bytes:
        if size == 0:  # asked to learn whether this gives bytes
            return b""
        start, self._start = self._start, b""
        return start if start else self._stream.read(size)


def _large_object(stream: BinaryIO) -> Iterator[Draft | Failure]:
    """The records of an object too large to hold: those of the first usual key that has any."""
    import ijson

    for key in _LIST_KEYS:
        stream.seek(0)
        record = 0
        try:
            for item in ijson.items(stream, f"{key}.item", use_float=True):
                record += 1
                yield draft_of(item, record, 1)
        except (ijson.JSONError, UnicodeDecodeError) as error:
            if record or key == _LIST_KEYS[-1]:
                yield Failure(record + 1, 1, f"not valid JSON from here on: {str(error).splitlines()[0]}")
        if record:
            return
    yield Failure(1, 1, f"no list of records under {', '.join(_LIST_KEYS)}")


def _whole(stream: BinaryIO) -> Any:
    try:
        return json.loads(stream.read().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return error


def _records_in(value: dict[str, Any]) -> list[Any]:
    """The list of records of an object: under a usual key, else its longest list of objects, else itself."""
    for key in _LIST_KEYS:
        inner = value.get(key)
        if isinstance(inner, dict):
            return _records_in(inner)
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            return inner
    if any(key in value for key in (*_TITLE[:2], *_ABSTRACT[:2], "content")):
        return [value]
    lists = [item for item in value.values() if isinstance(item, list) and item and isinstance(item[0], dict)]
    if lists:
        return max(lists, key=len)
    objects = [item for item in value.values() if isinstance(item, dict)]
    return objects if objects and len(objects) == len(value) else [value]


def draft_of(value: Any, record: int, line: int) -> Draft | Failure:
    """The draft of one JSON value."""
    if not isinstance(value, dict):
        return Failure(record, line, "not a record: an object with fields was expected")
    if isinstance(value.get("content"), dict):  # an OpenReview note
        value = {**value, **{key: _unwrapped(item) for key, item in value["content"].items()}}
    abstract = _text(value, _ABSTRACT) or _from_inverted_index(value.get("abstract_inverted_index"))
    return make_draft(
        record,
        line,
        title=_text(value, _TITLE),
        abstract=abstract,
        authors=people(next((value[key] for key in _AUTHORS if value.get(key)), ())),
        year=_text(value, _YEAR),
        venue=_text(value, _VENUE),
        doi=_doi(value),
        links=_links(value),
    )


def _unwrapped(item: Any) -> Any:
    return item["value"] if isinstance(item, dict) and "value" in item else item


def _text(value: Mapping[str, Any], keys: Iterable[str]) -> str:
    """The first field that holds text, or a name inside it."""
    for key in keys:
        found = _unwrapped(value.get(key))
        if isinstance(found, list) and found:
            found = found[0]
        if isinstance(found, dict):
            found = (
                found.get("name") or found.get("display_name") or (found.get("source") or {}).get("display_name", "")
            )
        if isinstance(found, int) and found > 10**11:  # a time stamp in milliseconds
            continue
        if isinstance(found, str | int | float) and not isinstance(found, bool) and str(found).strip():
            return str(found).strip()
    return ""


def _from_inverted_index(index: Any) -> str:
    """OpenAlex keeps an abstract as the places of each of its words."""
    if not isinstance(index, dict):
        return ""
    places = [
        (place, word)
        for word, where in index.items()
        if isinstance(where, list)
        for place in where
        if isinstance(place, int)
    ]
    return " ".join(word for _, word in sorted(places))


def people(value: Any) -> list[str]:
    """The names in a field: a text, or a list of texts or objects."""
    value = _unwrapped(value)
    if isinstance(value, str):
        return split_authors(value)
    if not isinstance(value, list):
        return []
    return [name for item in value if (name := _person(item))]


def _person(item: Any) -> str:
    if isinstance(item, str):
        return item
    if not isinstance(item, dict):
        return ""
    if isinstance(item.get("author"), dict):
        item = item["author"]
    given = item.get("given") or item.get("first") or item.get("forename") or ""
    family = item.get("family") or item.get("last") or item.get("surname") or ""
    return str(item.get("name") or item.get("display_name") or item.get("fullname") or f"{given} {family}").strip()


def _doi(value: Mapping[str, Any]) -> str:
    outside = value.get("externalIds") or value.get("ids") or {}
    inner = outside.get("DOI") or outside.get("doi") if isinstance(outside, dict) else ""
    return _text(value, ("doi", "DOI")) or str(inner or "")


def _links(value: Mapping[str, Any]) -> list[str]:
    links = [_text(value, (key,)) for key in _LINKS]
    outside = value.get("externalIds")
    if isinstance(outside, dict) and outside.get("ArXiv"):
        links.append(f"arXiv:{outside['ArXiv']}")
    for key in ("id", "arxiv_id", "eprint"):
        if _ARXIV_ID.match(_text(value, (key,))):
            links.append(f"arXiv:{_text(value, (key,))}")
    forum = _text(value, ("forum", "id"))
    if "content" in value and _OPENREVIEW_ID.match(forum):
        links.append(f"https://openreview.net/forum?id={forum}")
    links += [str(item["url"]) for item in value.get("urls") or () if isinstance(item, dict) and item.get("url")]
    return [link for link in links if link]
