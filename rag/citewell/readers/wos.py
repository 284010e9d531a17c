"""Web of Science tagged text: `FN`, `VR`, then records from `PT` to `ER`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from citewell.readers.base import Draft, Failure
from citewell.readers.fields import make_draft
from citewell.readers.tagged import Grammar, TaggedRecord, tagged_records

_TAG = re.compile(r"^(?P<tag>[A-Z][A-Z0-9])(?:\s(?P<value>.*))?$")
_START = re.compile(r"^(?:FN .*\r?\n\s*VR |PT [A-Z]\b)", re.MULTILINE)
# In these every line is a value of its own.
_A_VALUE_A_LINE = ("AU", "AF", "BA", "BF")
GRAMMAR = Grammar(
    _TAG, opens=lambda tag, _: tag == "PT", closes=lambda tag: tag == "ER", ignored=frozenset({"FN", "VR", "EF"})
)


def looks_like_wos(text: str) -> bool:
    return bool(_START.search(text[:4000])) and bool(re.search(r"^ER\s*$", text, re.MULTILINE))


def read_wos(lines: Iterable[str]) -> Iterator[Draft | Failure]:
    """One draft a record."""
    for number, record in enumerate(tagged_records(_people_tagged(lines), GRAMMAR), start=1):
        yield _draft(record, number)


def _people_tagged(lines: Iterable[str]) -> Iterator[str]:
    """The lines, with the tag repeated before each further name."""
    current = ""
    for line in lines:
        match = _TAG.match(line.rstrip("\r\n"))
        if match:
            current = match["tag"]
        elif current in _A_VALUE_A_LINE and line.startswith("   ") and line.strip():
            line = f"{current} {line.strip()}"
        yield line


def _draft(record: TaggedRecord, number: int) -> Draft | Failure:
    return make_draft(
        number,
        record.line,
        title=record.first("TI", "FT"),
        abstract=record.first("AB"),
        authors=record.all("AF", "AU", "BF", "BA"),
        year=record.first("PY", "EA", "PD"),
        venue=record.first("SO", "SE", "JI"),
        doi=record.first("DI", "D2"),
        links=record.values.get("DL", []),
    )
