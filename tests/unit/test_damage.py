"""Damaged files thrown at every reader: no exception escapes, no good record before the damage is lost."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewell.errors import UnreadableFile
from citewell.readers import open_bibliography
from citewell.readers.base import Draft, Failure
from tests.unit import test_formats as files

ABSTRACTS = f"NeurIPS 2024\n\n{files.ABSTRACT} {files.ABSTRACT}\n\n{files.ABSTRACT} {files.ABSTRACT} End.\n"
TABLE = f'title,abstract,year\n"A one","{files.ABSTRACT}",2020\n"B two","{files.ABSTRACT}",2021\n'
LINES = '{"title": "A one", "abstract": "x y"}\n{"title": "B two", "abstract": "x y"}\n'
WHOLE = {
    "a.bib": files.BIBTEX,
    "a.ris": files.RIS,
    "a.nbib": files.MEDLINE,
    "b.ris": files.WOS,
    "a.enl": files.ENDNOTE,
    "a.xml": files.ATOM,
    "b.xml": files.PUBMED,
    "c.xml": files.ENDNOTE_XML,
    "a.md": files.POST,
    "a.csv": TABLE,
    "a.jsonl": LINES,
    "a.json": f"[{LINES.strip().replace(chr(10), ',')}]",
    "a.txt": ABSTRACTS,
}


def items_of(name: str, content: bytes) -> list[Draft | Failure]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        try:
            return list(open_bibliography(path).items)
        except UnreadableFile:
            return []


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_raises_nothing(name: str, data: st.DataObject) -> None:
    content = bytearray(WHOLE[name].encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content)))
        kind = data.draw(st.sampled_from(["cut", "insert", "drop"]))
        if kind == "cut":
            del content[place:]
        elif kind == "insert":
            content[place:place] = data.draw(st.binary(min_size=1, max_size=12))
        else:
            del content[place : place + data.draw(st.integers(1, 20))]
    for item in items_of(name, bytes(content)):
        assert isinstance(item, Draft | Failure)
        assert item.title or item.abstract if isinstance(item, Draft) else item.reason


@pytest.mark.parametrize("name", ["a.bib", "a.ris", "a.nbib", "a.enl", "a.csv", "a.jsonl", "a.json", "a.txt"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_records_before_the_damage_are_kept(name: str, data: st.DataObject) -> None:
    good = items_of(name, WHOLE[name].encode())
    first = good[0]
    assert isinstance(first, Draft)
    content = WHOLE[name].encode()
    mark = {
        "a.bib": b"@article{a2", "a.ris": b"2. TY", "a.nbib": b"PMID- 124", "a.enl": b"\n\n%0", "a.csv": b'"B two"',
        "a.jsonl": b'{"title": "B', "a.json": b'{"title": "B', "a.txt": b"\n\nWe sort",
    }[name]  # fmt: skip
    start = content.rindex(mark)
    rubbish = data.draw(st.binary(min_size=0, max_size=200)).replace(b"\x00", b"")
    kept = items_of(name, content[:start] + mark + rubbish)
    if kept:  # a file that is no text any more as a whole is told as that
        assert isinstance(kept[0], Draft)
        assert kept[0].title.replace("\ufffd", "") == first.title or not rubbish.isascii()


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_anything_at_all(content: bytes) -> None:
    for name in ("a.txt", "a.bib", "a.csv", "a.xml", "a.json", "a.xlsx"):
        for item in items_of(name, content):
            assert isinstance(item, Draft | Failure)
