"""MEDLINE tagged text: PubMed's `.nbib`, and ERIC's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from citewell.readers.base import Draft, Failure
from citewell.readers.fields import make_draft
from citewell.readers.tagged import Grammar, TaggedRecord, tagged_records

_TAG = re.compile(r"^(?P<tag>[A-Z]{2,4})\s{0,2}-(?:\s(?P<value>.*))?$")
_START = re.compile(r"^(?:PMID|OWN) {0,2}- ", re.MULTILINE)
_DOI = re.compile(r"(10\.\d{4,9}/\S+)\s*\[doi\]", re.IGNORECASE)


def _opens(tag: str, record: TaggedRecord | None) -> bool:
    return record is None or (tag in ("PMID", "OWN") and tag in record.values)


GRAMMAR = Grammar(_TAG, opens=_opens, closes=lambda tag: False)


def looks_like_medline(text: str) -> bool:
    return bool(_START.search(text)) and "\nTI  - " in text


def read_medline(lines: Iterable[str]) -> Iterator[Draft | Failure]:
    """One draft a record that starts with `PMID` (or `OWN`, where there is none)."""
    for number, record in enumerate(tagged_records(lines, GRAMMAR), start=1):
        yield _draft(record, number)


def _draft(record: TaggedRecord, number: int) -> Draft | Failure:
    ids = " ".join((*record.values.get("LID", []), *record.values.get("AID", [])))
    doi = _DOI.search(ids)
    pmid = record.first("PMID")
    return make_draft(
        number,
        record.line,
        title=record.first("TI", "BTI"),
        abstract=record.first("AB"),
        authors=record.all("FAU", "AU"),
        year=record.first("DP", "EDAT"),
        venue=record.first("JT", "TA", "SO"),
        doi=doi.group(1) if doi else "",
        links=[record.first("LR") if record.first("LR").startswith("http") else "", _pubmed(pmid)],
    )


def _pubmed(pmid: str) -> str:
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid.isdigit() else ""
