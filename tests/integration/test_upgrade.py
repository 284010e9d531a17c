"""A home made by version 0.1.0 (19 seed abstracts, a conversation of eight turns) opens and goes on."""

from __future__ import annotations

import sqlite3
import tarfile
from pathlib import Path

import pytest

import citewell
from citewell.chat import ConversationStore
from citewell.chat.upgrade import recognise, upgraded
from citewell.library.doctor import examine
from citewell.refusal import RefusalKind

DATA = Path(__file__).resolve().parents[1] / "data"


@pytest.fixture
def old_home(home: Path) -> Path:
    with tarfile.open(DATA / "home-0.1.0.tar.xz") as archive:
        archive.extractall(home.parent / "unpacked", filter="data")
    (home.parent / "unpacked" / "first").rename(home)
    return home


def test_an_old_library_answers_and_is_sound(old_home: Path, embeddings) -> None:
    with citewell.open(old_home, seed=False, embeddings=embeddings) as library:
        assert len(library) == 19
        answer = library.ask("What is RLTHF?")
        assert answer.sentences[0].text.startswith("To address these challenges, we propose RLTHF")
        assert {paper.files for paper in library.papers()} == {("000_b9b2f900a43ccba7.txt",)}
        assert examine(library.library).problems == []


def test_an_old_library_takes_new_papers(old_home: Path, embeddings, tmp_path: Path) -> None:
    (tmp_path / "more.ris").write_text("TY  - JOUR\nTI  - Snowflake Nets\nAB  - We fold snow into nets.\nER  -\n")
    with citewell.open(old_home, seed=False, embeddings=embeddings) as library:
        assert library.ingest(tmp_path / "more.ris").totals["added"] == 1
        assert library.paper("Snowflake Nets").files == ("more.ris",)


def test_an_old_conversation_reads_the_same(old_home: Path) -> None:
    conversation = ConversationStore(old_home).load("first")
    assert conversation is not None
    turns = conversation.turns
    assert [turn.note for turn in turns] == ["", "about RLTHF", "", "", "", "", "", ""]
    assert [
        (turn.answer.refusal.kind, turn.answer.refusal.reason) if turn.answer.refusal else None for turn in turns
    ] == [
        None,
        None,
        (RefusalKind.UNKNOWN_NAME, "Nothing in the library speaks of “FooNet”."),
        None,
        None,
        None,
        (RefusalKind.NOTHING_MATCHES, "Nothing in the library matches the words of this question."),
        (RefusalKind.NOBODY_SAYS, "No abstract in the library says this."),
    ]
    assert [notice.text for turn in turns for notice in turn.answer.notices] == [
        "Nothing in the library speaks of “FooNetX”."
    ]
    assert [len(turn.answer.sentences) for turn in turns] == [3, 3, 0, 2, 3, 2, 0, 0]
    assert turns[0].answer.is_extractive
    assert turns[0].answer.hits[0].bm25_rank == 1
    table = turns[4].answer.comparison
    assert table is not None
    assert all(
        cell.text == "not stated in the abstract" for row in table.rows for cell in row.cells if not cell.citations
    )


def test_an_old_conversation_goes_on(old_home: Path, embeddings) -> None:
    with citewell.open(old_home, seed=False, embeddings=embeddings) as library:
        store = ConversationStore(old_home)
        conversation = store.load("first")
        assert conversation is not None
        library.ask("What results does RLTHF report?", conversation=conversation)
        store.save(conversation)
        again = ConversationStore(old_home).load("first")
        assert again is not None
        assert again.turns == conversation.turns
        assert len(again.turns) == 9


def test_upgrading_happens_once(old_home: Path) -> None:
    ConversationStore(old_home)
    texts = (
        sqlite3.connect(old_home / "conversations.sqlite")
        .execute("SELECT turn FROM turns ORDER BY position")
        .fetchall()
    )
    ConversationStore(old_home)
    assert (
        sqlite3.connect(old_home / "conversations.sqlite")
        .execute("SELECT turn FROM turns ORDER BY position")
        .fetchall()
        == texts
    )


def test_texts_that_no_kind_wrote_keep_their_words() -> None:
    sentence = {"text": "A.", "citations": [], "support": "partly", "reason": "quite another doubt", "group": ""}
    old = {
        "question": "q",
        "answer": {
            "question": "q", "writer": "openai:m", "sentences": [sentence], "notices": ["Something odd."],
            "refusal": {"kind": "not-in-library", "reason": "No way.", "nearest": []},
        },
        "settings": "x", "asked_at": 1.0,
    }  # fmt: skip
    assert upgraded(old) == {
        "question": "q",
        "answer": {
            "question": "q", "model": "openai:m", "notices": [{"kind": "earlier", "values": {"text": "Something odd."}}],
            "sentences": [{
                "text": "A.", "citations": [], "support": "partly", "group": "",
                "doubt": {"kind": "earlier", "words": ["quite another doubt"]},
            }],
            "refusal": {"kind": "earlier", "nearest": [], "missing": "No way."},
        },
    }  # fmt: skip


def test_recognising_takes_the_template_with_most_words() -> None:
    templates = {"one": "{a} fails.", "two": "The model fails.", "three": "“{a}” and {b} fail."}
    assert recognise(templates, "The model fails.") == ("two", {})
    assert recognise(templates, "“x” and y, z fail.") == ("three", {"a": "x", "b": "y, z"})
    assert recognise(templates, "nothing of it") is None
