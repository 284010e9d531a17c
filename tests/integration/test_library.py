from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from citewell.errors import LibraryBusy, ModelMismatch, UnreadableFile
from citewell.library import Library
from citewell.library.doctor import examine, repair
from citewell.library.lock import writer_lock
from citewell.library.sync import sync_files
from citewell.paper import Paper
from citewell.retrieval.retriever import CitewellRetriever
from citewell.retrieval.search import HybridSearch
from citewell.settings import Settings
from citewell.understanding import understand
from tests.conftest import SEEDS

TEXT = "We propose {name}, a method for sorting lists of numbers quickly. It compares neighbours and swaps them. " * 3


def write_papers(path: Path, names: list[str], **fields: object) -> Path:
    rows = [{"title": f"{name}: A Paper", "abstract": TEXT.format(name=name), **fields} for name in names]
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n")
    return path


@pytest.fixture
def empty(settings: Settings, embeddings) -> Library:
    return Library.open(settings.model_copy(update={"seed": False}), embeddings)


@pytest.fixture
def encoded(embeddings, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each call to the encoder was given."""
    calls: list[int] = []
    real = embeddings.encode
    monkeypatch.setattr(embeddings, "encode", lambda texts, **kw: (calls.append(len(texts)), real(texts, **kw))[1])
    return calls


def test_an_empty_library_starts_with_the_29_seeds(library: Library) -> None:
    assert len(library) == 29
    assert library.catalog.pending() == []
    shared_by_both = [paper for paper in library.papers() if len(paper.files) == 2]
    assert len(shared_by_both) == 9


def test_a_second_ingest_changes_and_encodes_nothing(library: Library, encoded: list[int]) -> None:
    version = library.version
    totals = library.ingest([SEEDS]).totals
    assert totals == {
        "records": 38, "added": 0, "updated": 0, "merged": 0, "unchanged": 38, "without_abstract": 0, "failed": 0,
    }  # fmt: skip
    assert encoded == []
    assert library.version == version


def test_the_first_ingest_accounts_for_every_record(empty: Library) -> None:
    report = empty.ingest([SEEDS])
    assert [(f.records, f.added, f.merged) for f in report.files] == [(19, 19, 0), (19, 10, 9)]
    for file in report.files:
        assert file.added + file.updated + file.merged + file.unchanged + len(file.failed) == file.records


def test_passages_in_chroma_stand_at_their_offsets(library: Library) -> None:
    with library.store.use(library.version):
        rows = library.store._collection.get(include=["documents", "metadatas"])
    abstracts = {paper.id: paper.abstract for paper in library.papers()}
    assert len(rows["ids"]) > 29  # some abstracts are longer than the model reads
    covered: dict[str, str] = {}
    for text, where in sorted(zip(rows["documents"], rows["metadatas"], strict=True), key=lambda row: row[1]["start"]):
        assert text == abstracts[where["paper_id"]][where["start"] : where["end"]]
        covered[where["paper_id"]] = covered.get(where["paper_id"], "") + text
    assert {key: "".join(text.split()) for key, text in covered.items()} == {
        key: "".join(text.split()) for key, text in abstracts.items()
    }


def test_no_passage_is_longer_than_the_model_reads(library: Library) -> None:
    from citewell.library.passages import cut_passages, embedded_text

    offsets = library.embeddings.token_offsets
    huge = Paper("x", "A Title", "word " * 900)
    for paper in [*library.papers(), huge]:
        for passage in cut_passages(paper, offsets, library.embeddings.max_tokens):
            (pieces,) = offsets([embedded_text(paper, passage, offsets)])
            assert len(pieces) + 2 <= library.embeddings.max_tokens


def test_stamp_of_the_collection_and_another_model(library: Library, settings: Settings) -> None:
    with library.store.use(library.version):
        stamp = library.store._collection.metadata
    assert stamp["citewell_model"] == "all-MiniLM-L6-v2"
    assert stamp["citewell_dimension"] == 384
    library.close()

    class Other(type(library.embeddings)):
        name = "other-model"

    other = Library(settings, Other())
    with pytest.raises(ModelMismatch) as caught, other.store.use(other.version):
        pass
    for word in ("all-MiniLM-L6-v2", "other-model", "citewell doctor --rebuild"):
        assert word in str(caught.value)


def test_edited_and_removed_text_is_found_anew(empty: Library, tmp_path: Path) -> None:
    path = write_papers(tmp_path / "a.jsonl", ["Foo", "Bar"])
    empty.ingest([path])
    ids = {paper.title: paper.id for paper in empty.papers()}
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[0]["abstract"] += " It also handles duplicate keys in zebra order."
    path.write_text("\n".join(json.dumps(row) for row in rows))
    report = empty.ingest([path])
    assert (report.files[0].updated, report.files[0].unchanged) == (1, 1)
    assert {paper.title: paper.id for paper in empty.papers()} == ids
    hits = HybridSearch(empty.snapshot()).search(understand("zebra order", empty.snapshot())).hits
    assert hits[0].paper.title == "Foo: A Paper"
    assert examine(empty).ok


def test_merging_keeps_what_the_other_lacks(empty: Library, tmp_path: Path) -> None:
    empty.ingest([write_papers(tmp_path / "a.jsonl", ["Foo"])])
    empty.ingest([write_papers(tmp_path / "b.jsonl", ["Foo"], year=2024, authors=["Ann Lee"], doi="10.1234/foo")])
    (paper,) = empty.papers()
    assert (paper.year, paper.authors, paper.doi) == (2024, ("Ann Lee",), "10.1234/foo")
    assert paper.files == ("a.jsonl", "b.jsonl")


def test_two_papers_with_one_title_stay_two(empty: Library, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    other = "Birds of the northern coast migrate in autumn and rest on small islands where food is plentiful. " * 3
    rows = [{"title": "Foo: A Paper", "abstract": text, "year": 2024} for text in (TEXT.format(name="Foo"), other)]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    empty.ingest([path])
    assert len(empty) == 2


def test_an_unreadable_file_changes_nothing(library: Library, tmp_path: Path) -> None:
    good = write_papers(tmp_path / "a.jsonl", ["Foo"])
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7")
    with pytest.raises(UnreadableFile):
        library.ingest([good, tmp_path / "b.pdf"])
    assert len(library) == 29


def test_a_paper_without_abstract_is_kept_and_found_by_title(empty: Library, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"title": "Quicksort for Penguins on Ice"}))
    report = empty.ingest([path])
    assert (report.files[0].added, report.files[0].without_abstract) == (1, 1)
    assert (
        HybridSearch(empty.snapshot())
        .search(understand("penguins", empty.snapshot()))
        .hits[0]
        .paper.title.startswith("Quicksort")
    )
    assert examine(empty).ok


def test_the_langchain_retriever(library: Library) -> None:
    documents = CitewellRetriever(library=library, k=3).invoke("reward-guided speculative decoding")
    assert len(documents) == 3
    assert documents[0].metadata["title"].startswith("Reward-Guided")
    assert documents[0].page_content == library.snapshot().paper(documents[0].id).abstract


def test_damaged_weights_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from citewell.errors import WeightsError
    from citewell.models import bundled as weights

    weights.bundled_model_folder.cache_clear()
    monkeypatch.setattr(weights, "ENCODER", replace(weights.ENCODER, sha256="0" * 64))
    with pytest.raises(WeightsError, match="not the expected ones"):
        weights.bundled_model_folder()
    weights.bundled_model_folder.cache_clear()


def test_doctor_finds_and_repairs_what_is_missing(library: Library) -> None:
    paper = next(library.papers())
    with library.store.use(library.version):
        library.store.delete_papers([paper.id])
    health = examine(library)
    assert not health.ok
    assert any("missing from the vector store" in problem for problem in health.problems)
    repair(library)
    library.resume()
    assert examine(library).ok


def test_rebuilding_encodes_nothing_again(library: Library, encoded: list[int]) -> None:
    assert library.rebuild() == 29
    assert encoded == []
    assert examine(library).ok


def test_a_writer_is_named_to_the_next_one(library: Library, settings: Settings) -> None:
    with writer_lock(settings.home, "citewell ingest"):
        started = time.monotonic()
        code = (
            "from citewell.settings import load_settings; from citewell.library import Library; from pathlib import Path\n"
            f"Library(load_settings()).ingest([Path({str(SEEDS)!r})])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        assert "LibraryBusy" in done.stderr
        assert f"process {os.getpid()} (citewell ingest" in done.stderr
        assert time.monotonic() - started < 30


READER = """
import json, sys, time
from citewell.settings import load_settings, quiet_environment
quiet_environment()
from citewell.library import Library
import chromadb
import numpy as np
vector = np.array(json.load(open(sys.argv[1])), dtype=np.float32)
times, notices, found = [], set(), 0
for _ in range(12):
    started = time.monotonic()
    library = Library(load_settings())
    near, trouble = library.snapshot().nearest_passages(vector, 5)
    found += len(near)
    notices.add(trouble)
    library.close()
    times.append(time.monotonic() - started)
    time.sleep(0.15)
print(json.dumps({"slowest": max(times), "notices": sorted(notices), "found": found}))
"""


def test_a_reader_beside_a_writer_answers_within_two_seconds(library: Library, tmp_path: Path) -> None:
    query = tmp_path / "vector.json"
    query.write_text(json.dumps(library.embeddings.query_vector("robot skills").tolist()))
    path = write_papers(tmp_path / "many.jsonl", [f"Method{number}x" for number in range(200)])
    reader = subprocess.Popen(
        [sys.executable, "-c", READER, str(query)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    library.ingest([path])
    out, err = reader.communicate(timeout=120)
    seen = json.loads(out)
    assert seen["slowest"] < 2.0, (seen, err)
    assert seen["found"] > 0
    assert examine(library).ok


def test_a_busy_store_is_told_not_waited_for(library: Library, settings: Settings) -> None:
    hold = (
        "import sys, time; from pathlib import Path; from citewell.library.lock import store_lock\n"
        f"with store_lock(Path({str(settings.home)!r})):\n print('held', flush=True); time.sleep(20)"
    )
    holder = subprocess.Popen([sys.executable, "-c", hold], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "held\n"
        started = time.monotonic()
        result = HybridSearch(library.snapshot()).search(
            understand("Which paper scales sim2real data?", library.snapshot())
        )
        assert time.monotonic() - started < 2.5
        assert result.trouble.startswith("The vector store is in use by")
        assert result.hits[0].paper.title.startswith("DexScale")
    finally:
        holder.kill()


def test_killed_during_ingest_the_library_opens_answers_and_resumes(
    library: Library, settings: Settings, tmp_path: Path, embeddings
) -> None:
    from citewell.assistant import Assistant

    path = write_papers(tmp_path / "many.jsonl", [f"Method{number}x" for number in range(300)])
    library.close()
    child = subprocess.Popen([sys.executable, "-m", "citewell.cli", "ingest", str(path)], stderr=subprocess.DEVNULL)
    watcher = Library(settings, embeddings)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (
        len(watcher) > 29 and len(watcher.catalog.pending()) < len(watcher) - 29
    ):
        time.sleep(0.05)
    child.send_signal(signal.SIGKILL)
    child.wait()
    left = len(watcher.catalog.pending())
    assert 0 < left < 300
    reopened = Library.open(settings, embeddings)
    answer = Assistant(reopened).answer("What is DexScale?")
    assert answer.sources[0].paper.title.startswith("DexScale")
    assert any("not indexed yet" in notice.text for notice in answer.notices) or not reopened.catalog.pending()
    totals = reopened.ingest([path]).totals
    assert totals["failed"] == 0
    assert reopened.catalog.pending() == []
    assert len(reopened) == 329
    assert examine(reopened).ok


def test_a_failed_sync_leaves_no_half_record(empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_papers(tmp_path / "a.jsonl", ["Foo", "Bar"])
    monkeypatch.setattr("citewell.library.sync.paper_names", lambda *_: (_ for _ in ()).throw(RuntimeError("stop")))
    with pytest.raises(RuntimeError):
        sync_files(empty.catalog, [path])
    assert len(empty) == 0


def test_the_lock_is_free_again_after_an_error(settings: Settings) -> None:
    with pytest.raises(RuntimeError), writer_lock(settings.home, "a"):
        raise RuntimeError
    with writer_lock(settings.home, "b"):
        pass
    assert not (settings.home / "writer.json").exists()


def test_busy_is_an_error_for_the_user(settings: Settings) -> None:
    assert issubclass(LibraryBusy, Exception)
    with writer_lock(settings.home, "citewell ingest"):
        record = json.loads((settings.home / "writer.json").read_text())
    assert record["pid"] == os.getpid()
