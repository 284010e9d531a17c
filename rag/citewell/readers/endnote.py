"""EndNote: tagged text (`%T`, `%A`, `%X`) and XML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from citewell.readers.base import Draft, Failure
from citewell.readers.fields import make_draft
from citewell.readers.tagged import Grammar, TaggedRecord, tagged_records

_TAG = re.compile(r"^%(?P<tag>[0-9A-Z@!#$&()*+,<=>?\[\]^~|]|.)\s(?P<value>.*)$")
_START = re.compile(r"^%[0TA] \S", re.MULTILINE)


def _opens(tag: str, record: TaggedRecord | None) -> bool:
    # A record has one type and one title; whichever comes again begins the next.
    return record is None or (tag in ("0", "T") and tag in record.values)


GRAMMAR = Grammar(_TAG, opens=_opens, closes=lambda tag: False)


def looks_like_endnote(text: str) -> bool:
    return len(_START.findall(text[:20_000])) >= 2


def read_endnote(lines: Iterable[str]) -> Iterator[Draft | Failure]:
    """One draft a record; records are set apart by a blank line or by a type or title that comes again."""
    for number, record in enumerate(tagged_records(lines, GRAMMAR), start=1):
        yield _draft(record, number)


def _draft(record: TaggedRecord, number: int) -> Draft | Failure:
    return make_draft(
        number,
        record.line,
        title=record.first("T"),
        abstract=record.first("X"),
        authors=record.all("A", "E"),
        year=record.first("D", "8"),
        venue=record.first("J", "B", "S"),
        doi=record.first("R"),
        links=record.values.get("U", []),
    )
