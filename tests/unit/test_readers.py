from __future__ import annotations

import json
from pathlib import Path

import pytest

from citewell.errors import UnreadableFile
from citewell.readers import open_bibliographies, open_bibliography
from citewell.readers.abstracts import read_abstracts
from citewell.readers.base import Draft, Failure
from tests.conftest import SEEDS

LONG = "This is an abstract of a paper that goes on for long enough to be taken for one by the reader of the file. " * 2


def drafts(path: Path) -> list[Draft]:
    return [item for item in open_bibliography(path).items if isinstance(item, Draft)]


def test_the_seed_files_hold_29_papers_in_38_abstracts(seed_titles: dict[str, str]) -> None:
    found = [item for file in open_bibliographies([SEEDS]) for item in file.items if isinstance(item, Draft)]
    assert len(found) == 38
    assert {draft.title for draft in found} == set(seed_titles.values())
    assert len(seed_titles) == 29
    for draft in found:
        assert draft.year == 2025
        assert draft.url.startswith("https://proceedings.mlr.press/")
        assert any(key.startswith("openreview:") for key in draft.identifiers)
        assert len(draft.abstract) > 300


@pytest.mark.parametrize(
    "literal",
    [
        "DI*",
        "**SSDE**",
        r"$\tilde O(d\sqrt{T}/\kappa+dC/\kappa)$",
        r"24.7\%",
        r"\url{https://github.com/shiming-chen/GenZSL}",
        r"\texttt{RCDB}",
        "*fine-tuning multiplicity*",
    ],
)
def test_markup_of_the_seeds_survives(literal: str) -> None:
    texts = [item.abstract for file in open_bibliographies([SEEDS]) for item in file.items]
    assert any(literal in text for text in texts)


def test_headings_give_venue_and_year_and_are_no_papers() -> None:
    items = list(read_abstracts(f"NeurIPS 2024 Papers\n\n{LONG}\n\n{LONG}x.\n".splitlines()))
    assert [type(item) for item in items] == [Draft, Draft]
    assert items[0].venue == "NeurIPS"
    assert items[0].year == 2024
    assert items[0].title == ""
    assert items[0].line == 3


def test_titles_above_abstracts_are_titles() -> None:
    items = list(read_abstracts(f"ICML 2025\n\nA First Title\n\n{LONG}\n\nA Second Title\n\n{LONG}y.\n".splitlines()))
    assert [item.title for item in items] == ["A First Title", "A Second Title"]


def test_titles_without_a_heading() -> None:
    items = list(read_abstracts(f"A First Title\n\n{LONG}\n\nA Second Title\n\nAbstract: {LONG}y.\n".splitlines()))
    assert [item.title for item in items] == ["A First Title", "A Second Title"]
    assert items[1].abstract.startswith("This is")


def test_a_title_with_nothing_under_it_is_a_failure_with_its_line() -> None:
    items = list(read_abstracts(f"A First Title\n\n{LONG}\n\nLost Title\n\nSecond Title\n\n{LONG}y.\n".splitlines()))
    failures = [item for item in items if isinstance(item, Failure)]
    assert len(failures) == 1
    assert failures[0].line == 5
    assert "Lost Title" in failures[0].reason


def test_lines_of_one_abstract_are_joined() -> None:
    items = list(read_abstracts(LONG.replace(". ", ".\n").splitlines()))
    assert len(items) == 1
    assert "\n" not in items[0].abstract


def test_json_lines_report_the_bad_line_and_keep_the_others(tmp_path: Path) -> None:
    path = tmp_path / "papers.jsonl"
    good = {"title": "T", "abstract": LONG, "authors": ["A B"], "year": 2024, "venue": "X", "doi": "10.1234/ab.c"}
    path.write_text(f"{json.dumps(good)}\n{{broken\n{json.dumps({'title': ''})}\n{json.dumps(good | {'title': 'U'})}\n")
    items = list(open_bibliography(path).items)
    assert [type(item) for item in items] == [Draft, Failure, Failure, Draft]
    assert items[1].line == 2
    assert items[0].identifiers == ("doi:10.1234/ab.c",)


def test_json_list_inside_an_object(tmp_path: Path) -> None:
    path = tmp_path / "papers.json"
    path.write_text(json.dumps({"count": 1, "results": [{"title": "T", "summary": LONG, "authors": "A B; C D"}]}))
    (draft,) = drafts(path)
    assert draft.authors == ("A B", "C D")
    assert draft.abstract.startswith("This is")


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"%PDF-1.7 x", "PDF"),
        (b"\x89PNG\r\n", "image"),
        (b"ab\x00\x01cd", "binary"),
    ],
)
def test_what_is_no_bibliography_is_said_in_one_sentence(tmp_path: Path, content: bytes, word: str) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile) as caught:
        open_bibliography(path)
    assert word in str(caught.value)
    assert "othing was changed" in str(caught.value)


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no file or folder"):
        open_bibliographies([tmp_path / "nowhere.bib"])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes((LONG + "Schönlieb über naïve Bayes, c’est ça. " * 8).encode(encoding))
    file = open_bibliography(path)
    (draft,) = list(file.items)
    assert "Schönlieb" in draft.abstract
    assert file.encoding
