"""RIS, also as Zotero, Ovid, Rayyan, Scopus, ProQuest and Web of Science export it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from citewell.readers.base import Draft, Failure
from citewell.readers.fields import make_draft
from citewell.readers.tagged import Grammar, TaggedRecord, tagged_records

_TAG = re.compile(r"^\s*(?:\d+\.\s*)?(?P<tag>[A-Z][A-Z0-9])\s{0,2}-(?:\s(?P<value>.*))?$")
_TYPE = re.compile(r"^\s*(?:\d+\.\s*)?TY\s{0,2}-", re.MULTILINE)
GRAMMAR = Grammar(_TAG, opens=lambda tag, _: tag == "TY", closes=lambda tag: tag == "ER")


def looks_like_ris(text: str) -> bool:
    return bool(_TYPE.search(text))


def read_ris(lines: Iterable[str]) -> Iterator[Draft | Failure]:
    """One draft a record that starts with `TY`."""
    for number, record in enumerate(tagged_records(lines, GRAMMAR), start=1):
        yield _draft(record, number)


def _draft(record: TaggedRecord, number: int) -> Draft | Failure:
    authors = list(dict.fromkeys(record.all("AU", "A1", "A2", "A3")))
    return make_draft(
        number,
        record.line,
        title=record.first("TI", "T1", "CT", "BT", "ST", "TT"),
        abstract=record.first("AB", "N2"),
        authors=authors,
        year=record.first("PY", "Y1", "DA", "Y2"),
        venue=record.first("T2", "JO", "JF", "JA", "J2", "BT", "T3"),
        doi=record.first("DO", "DI") or _doi_among(record),
        links=[*record.values.get("UR", []), *record.values.get("LK", []), *record.values.get("L2", [])],
    )


def _doi_among(record: TaggedRecord) -> str:
    """A DOI in the fields where exporters also put it."""
    places = ("M3", "ID", "AN", "N1", "C7", "L3")
    return next(
        (v for tag in places for v in record.values.get(tag, ()) if re.match(r"^(?:doi:\s*)?10\.\d{4,9}/\S+$", v)), ""
    )
