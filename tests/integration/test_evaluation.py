from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from citewell.errors import CitewellError
from citewell.evaluation.retrieval import evaluation_library, measured, read_beir, score_retrieval


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    """Three documents and two questions; the second question's words are in no document."""
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    documents = [
        {"_id": "d1", "title": "Heaps", "text": "A heap sorts a long list of numbers in place."},
        {"_id": "d2", "title": "Penguins", "text": "Penguins live on the ice and eat fish."},
        {"_id": "d3", "title": "Bread", "text": "Flour, water and salt make bread."},
    ]
    with gzip.open(folder / "corpus.jsonl.gz", "wt") as file:
        file.write("\n".join(json.dumps(row) for row in documents))
    queries = [
        {"_id": "q1", "text": "sorting with a heap"},
        {"_id": "q2", "text": "antarctic birds"},
        {"_id": "q3", "text": "x"},
    ]
    (folder / "queries.jsonl").write_text("\n".join(json.dumps(row) for row in queries))
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n")
    return folder


def test_measures_are_right() -> None:
    grades = {"q": {"a": 1, "b": 1}}
    assert measured(grades, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}})["ndcg@10"] == pytest.approx(0.9197, abs=1e-4)
    assert measured(grades, {"q": {f"x{n}": 9.0 - n for n in range(5)} | {"a": 1.0}}) == {
        "ndcg@10": pytest.approx(0.2184, abs=1e-4), "recall@5": 0.0, "recall@20": 0.5,
    }  # fmt: skip


def test_a_folder_is_scored_and_its_vectors_are_kept(beir: Path, settings, embeddings, monkeypatch) -> None:
    data = read_beir(beir)
    assert (len(data.documents), set(data.queries)) == (3, {"q1", "q2"})
    library = evaluation_library(data, settings, embeddings=embeddings)
    scores = score_retrieval(data, library)
    assert set(scores) == {"dense", "words", "hybrid"}
    assert scores["dense"]["ndcg@10"] == scores["hybrid"]["ndcg@10"] == 1.0
    assert scores["words"]["recall@5"] == 0.5
    assert scores["hybrid"]["queries_per_second"] > 0
    library.close()
    calls: list[int] = []
    monkeypatch.setattr(embeddings, "encode", lambda texts, **_: calls.append(len(texts)))
    again = evaluation_library(data, settings, embeddings=embeddings)
    assert (len(again), calls) == (3, [])


def test_a_folder_that_is_none_says_what_is_missing(tmp_path: Path, beir: Path) -> None:
    with pytest.raises(CitewellError, match=r"corpus\.jsonl"):
        read_beir(tmp_path / "home")
    (beir / "qrels" / "test.tsv").unlink()
    with pytest.raises(CitewellError, match="qrels"):
        read_beir(beir)
