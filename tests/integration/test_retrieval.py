"""Search over real and made-up libraries: names, filters, quotations, surveys, feedback, the reranker."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from citewell.assistant import Assistant
from citewell.errors import CitewellError
from citewell.evaluation.known_items import known_items, score_library
from citewell.filters import Filters
from citewell.library import Library
from citewell.paper import Paper
from citewell.request import Request
from citewell.retrieval.fusion import fuse, standardised, with_feedback
from citewell.retrieval.reranker import Reranker
from citewell.retrieval.search import HybridSearch
from citewell.settings import Settings
from citewell.understanding import understand
from citewell.understanding.filters import FilterReader, years
from citewell.understanding.topic import topic


@pytest.fixture
def dated(settings: Settings, embeddings, tmp_path: Path) -> Library:
    """Four papers on bandits and one on penguins, of several years, venues and authors."""
    rows = [
        ("Bandits With Delay", 2019, "NeurIPS 2019", ["Elad Hazan", "Ana Lima"], "We study bandits whose losses are delayed."),
        ("Bandits in Graphs", 2023, "ICML 2023", ["Hazan, Elad"], "We study bandits on graphs with side observations."),
        ("Quiet Bandits", 2024, "ICML 2024", ["Bo Chen"], "We study bandits whose feedback is rare."),
        ("Loud Bandits", 2025, "Journal of Machine Learning Research", ["Ana de la Cruz"], "Bandits with loud feedback."),
        ("Penguins on Ice", 2024, "ICML 2024", ["Bo Chen"], "Penguins walk on the ice and eat fish."),
    ]  # fmt: skip
    path = tmp_path / "dated.jsonl"
    path.write_text(
        "\n".join(
            json.dumps({"title": t, "year": y, "venue": v, "authors": a, "abstract": text}) for t, y, v, a, text in rows
        )
    )
    library = Library(settings, embeddings)
    library.ingest([path])
    return library


@pytest.mark.parametrize(
    ("question", "labels", "titles"),
    [
        ("Which papers since 2024 are about bandits?", ["year: since 2024"], {"Quiet Bandits", "Loud Bandits"}),
        ("Which papers by Hazan are about bandits?", ["author: Hazan"], {"Bandits With Delay", "Bandits in Graphs"}),
        ("papers by Elad Hazan before 2020 on bandits", ["year: until 2018"], None),
        ("Which papers at ICML study bandits?", ["venue: ICML"], {"Bandits in Graphs", "Quiet Bandits"}),
        ("Which ICML 2024 papers study bandits?", ["year: 2024", "venue: ICML"], {"Quiet Bandits"}),
        ("papers by Bo Chen", ["author: Bo Chen"], {"Quiet Bandits", "Penguins on Ice"}),
        ("Which papers did Ana Lima write?", ["author: Ana Lima"], {"Bandits With Delay"}),
        ("What do papers from dated.jsonl say about penguins?", ["file: dated.jsonl"], {"Penguins on Ice"}),
        ("papers between 2019 and 2023 on bandits", ["year: 2019–2023"], {"Bandits With Delay", "Bandits in Graphs"}),
    ],
)
def test_filters_out_of_a_question(dated: Library, question: str, labels: list[str], titles: set[str] | None) -> None:
    answer = Assistant(dated).answer(question)
    if titles is None:
        assert any(label.startswith("year: until 2019") for label in answer.filters.labels())
        return
    assert list(answer.filters.labels()) == labels
    assert {source.paper.title for source in answer.sources} == titles


@pytest.mark.parametrize(
    "question",
    [
        "Which papers since 1950 are about bandits?",  # recognised: years since 1950 exist
        "Which papers by Nobody are about bandits?",
        "Which papers at CHI study bandits?",
        "What happened to bandits by 2024?",
        "How large was the loss in the 2024 challenge?",
        "Which bound by Chen is tight for bandits?",
    ],
)
def test_only_what_the_library_has_is_a_filter(dated: Library, question: str) -> None:
    filters = understand(question, dated.snapshot()).filters
    assert filters == (Filters(year_from=1950) if "1950" in question else Filters())


def test_filters_by_argument_and_none_from_the_question(dated: Library) -> None:
    assistant = Assistant(dated)
    given = assistant.answer(Request("What is said about bandits?", Filters(venues=("ICML",), year_to=2023)))
    assert {source.paper.title for source in given.sources} == {"Bandits in Graphs"}
    assert not assistant.answer(Request("Which papers by Hazan are about bandits?", read_filters=False)).filters
    nothing = assistant.answer(Request("bandits", Filters(year_from=2030)))
    assert nothing.refusal is not None
    assert "year: since 2030" in nothing.refusal.reason


def test_each_filter_can_be_taken_away() -> None:
    filters = Filters(year_from=2020, year_to=2024, venues=("ICML",), authors=("Hazan", "Chen"))
    assert list(filters.labels()) == ["year: 2020–2024", "venue: ICML", "author: Hazan", "author: Chen"]
    assert filters.labels()["author: Hazan"].authors == ("Chen",)
    assert filters.labels()["year: 2020–2024"].year_from is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("2024", (2024, 2024)), ("2020-2024", (2020, 2024)), ("2024-", (2024, None)), ("-2019", (None, 2019))],
)
def test_years(text: str, expected: tuple[int | None, int | None]) -> None:
    assert years(text) == expected


def test_years_that_are_none() -> None:
    with pytest.raises(CitewellError, match="no year"):
        years("lately")


@pytest.mark.parametrize(
    ("wanted", "author", "same"),
    [
        ("Hazan", "Elad Hazan", True), ("Hazan", "Hazan, E.", True), ("E. Hazan", "Elad Hazan", True),
        ("Salman Khan", "Fahad Khan", False), ("Elad", "Elad Hazan", False), ("Nunez", "Rafael Núñez", True),
    ],
)  # fmt: skip
def test_authors(wanted: str, author: str, same: bool) -> None:
    assert Filters(authors=(wanted,)).admits(Paper("p", "t", "a", authors=(author,))) is same


def test_topics() -> None:
    asked = "Are there any studies that apply optimal transport to domain adaptation?"
    assert topic(asked) == "optimal transport to domain adaptation?"
    for question in ("What is DexScale?", "How does RSD work?", "Are there any papers?", "Protein folding is hard."):
        assert topic(question) == question


def test_fusion_and_feedback() -> None:
    assert standardised(np.array([1.0, 1.0])).tolist() == [0.0, 0.0]
    dense, words = np.array([0.9, 0.5, 0.1]), np.array([0.0, 0.0, 0.0])
    assert fuse(dense, words).argmax() == 0
    # Two papers equally near the question: feedback prefers the one that is like the best.
    centres = np.array([[1, 0], [0.9, 0.436], [-1, 0], [1, 0], [1, 0]], dtype=np.float32)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    meaning = np.array([0.9, 0.5, 0.5, 0.8, 0.8])
    drawn = with_feedback(meaning, meaning, centres)
    assert drawn[1] > drawn[2]


def test_names_written_alike_and_made_of_common_words(settings: Settings, embeddings, tmp_path: Path) -> None:
    library = Library(settings, embeddings)
    titles = [
        "QuEST: Stable Training",
        "QuEst: Quick Estimation",
        "CAN: Learning to Wait",
        "Hide & Seek: A Game of Agents",
    ]
    path = tmp_path / "named.jsonl"
    rows = [{"title": title, "abstract": f"We study {title.split(': ')[1].lower()}."} for title in titles]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    library.ingest([path])
    snapshot = library.snapshot()
    search = HybridSearch(snapshot)
    for name, title in (("QuEST", 0), ("QuEst", 1), ("CAN", 2), ("Hide & Seek", 3)):
        assert search.search(understand(f"What is {name}?", library.snapshot())).hits[0].paper.title == titles[title]
    assert not understand("Can agents wait?", library.snapshot()).named


def test_a_claim_that_mentions_a_name_is_not_about_its_paper(library: Library) -> None:
    claim = "Modern recommendation engines such as RSD are trained on very large collections of purchase data."
    assert not understand(claim, library.snapshot()).named
    assert understand("How does RSD work?", library.snapshot()).named


def test_a_sentence_finds_its_own_abstract(library: Library) -> None:
    items = [item for item in known_items(library.papers(), None) if item.kind == "sentence"]
    assert len(items) == 29
    assert score_library(library, items)["sentence"]["recall@1"] == 1.0


def test_known_items_of_the_seeds(library: Library) -> None:
    scores = score_library(library, known_items(library.papers()))
    assert set(scores) == {"name", "title", "sentence"}
    assert scores["name"]["recall@1"] == 1.0
    assert scores["title"]["recall@5"] == 1.0
    assert known_items(library.papers()) == known_items(library.papers())


def test_a_survey_shows_every_paper_that_fits(settings: Settings, embeddings, tmp_path: Path) -> None:
    library = Library(settings, embeddings)
    animals = ["cats", "dogs", "owls", "bees", "rats", "pigs", "cows", "hens", "bats"]
    path = tmp_path / "sleep.jsonl"
    rows = [{"title": f"Sleep of {name}", "abstract": f"We measure the sleep of {name} at night."} for name in animals]
    rows += [{"title": f"Bread {n}", "abstract": f"Flour number {n} makes good bread."} for n in range(9)]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    library.ingest([path])
    answer = Assistant(library).answer("Which papers are about sleep at night?")
    assert {source.paper.title for source in answer.sources} == {f"Sleep of {name}" for name in animals}


def test_a_library_of_the_first_schema_gets_its_names_anew(library: Library, settings: Settings, embeddings) -> None:
    library.close()
    with sqlite3.connect(settings.home / "catalog.sqlite") as connection:
        connection.execute("UPDATE names SET key = 'old ' || key")
        connection.execute("DELETE FROM alembic_version")
        connection.execute("PRAGMA user_version = 1")
    assert understand("What is RSD?", Library(settings, embeddings).snapshot()).named


def test_the_reranker_reads_question_and_abstract_together(
    library: Library, settings: Settings, embeddings, tmp_path: Path
) -> None:
    """A cross-encoder of random weights, made here: the real loading and scoring code on a small network."""
    folder = tiny_cross_encoder(tmp_path / "cross")
    search = HybridSearch(library.snapshot())
    query = understand("How do robots learn from data?", library.snapshot())
    plain = search.search(query).hits
    reranker = Reranker(str(folder), settings)
    again = reranker.reorder(query.text, plain)
    assert {hit.paper.id for hit in again} == {hit.paper.id for hit in plain}
    assert [hit.score for hit in again] == sorted((hit.score for hit in again), reverse=True)
    assert Reranker.from_settings(settings) is None
    configured = Settings(home=settings.home, reranker=str(folder))
    answer = Assistant(library, configured).answer("How do robots learn from data?")
    assert "rerank" in answer.timings


def test_a_reranker_that_is_not_there_is_named(settings: Settings, library: Library) -> None:
    hits = HybridSearch(library.snapshot()).search(understand("robots", library.snapshot())).hits
    with pytest.raises(CitewellError, match="CITEWELL_RERANKER"):
        Reranker("/nowhere/at/all", settings).reorder("robots", hits)


def tiny_cross_encoder(folder: Path, labels: int = 1) -> Path:
    """A BERT of two narrow layers with the bundled vocabulary and weights from a fixed seed."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    from citewell.models.bundled import bundled_model_folder

    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(str(bundled_model_folder()))
    names = {0: "contradiction", 1: "entailment", 2: "neutral"} if labels == 3 else {0: "LABEL_0"}
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        num_labels=labels, id2label=names, label2id={name: number for number, name in names.items()},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_filters_are_read_fast_from_facets() -> None:
    from citewell.facets import Facets

    reader = FilterReader(Facets(years=(2024,), authors=("Ana Lima",), venues=("ICML 2024",)))
    assert reader.read("What is attention?") == (Filters(), "What is attention?")
