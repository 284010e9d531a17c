"""The command line: its output, its exit code; as a process of its own too, and that it talks to nobody."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from citewell.cli import main
from citewell.library.sqlite_catalog import SqliteCatalog
from tests.conftest import SEEDS

CITEWELL = str(Path(sys.executable).with_name("citewell"))


@dataclass(frozen=True)
class Finished:
    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str, **environment: str) -> Finished:
    """The command in this process, with an environment of its own: the command sets switches for its clients."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "environ", {**os.environ})
        result = CliRunner().invoke(main, arguments, env=environment)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Finished(result.exit_code, result.stdout, result.stderr)


def start(*arguments: str) -> Finished:
    """The command as a process of its own."""
    done = subprocess.run([CITEWELL, *arguments], capture_output=True, text=True, timeout=240)
    return Finished(done.returncode, done.stdout, done.stderr)


def test_ask_prints_the_promised_object(seeded_home: Path) -> None:
    done = run("ask", "How much faster does GenZSL train than f-VAEGAN on AWA2?", "--json")
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    assert value["refused"] is False
    assert value["writer"] == "extractive"
    assert value["comparison"] is None
    assert "60" in value["answer"]
    assert "[1]" in value["answer"]
    abstracts = {source["paper_id"]: source["abstract"] for source in value["sources"]}
    for sentence in value["sentences"]:
        for citation in sentence["citations"]:
            assert citation["quote"] == abstracts[citation["paper_id"]][citation["start"] : citation["end"]]


def test_a_refusal_is_a_normal_answer(seeded_home: Path) -> None:
    done = run("ask", "What is the capital of France?")
    assert done.returncode == 0
    assert "nearest papers" in done.stdout
    value = json.loads(run("ask", "What is the capital of France?", "--json").stdout)
    assert (value["refused"], value["sentences"], value["sources"]) == (True, [], [])
    assert value["reason"]
    assert value["nearest"]


def test_from_an_empty_home_to_an_answer_in_one_command(home: Path) -> None:
    done = start("ask", "What does SSDE do?")
    assert done.returncode == 0, done.stderr
    assert "symbolic" in done.stdout
    assert done.stdout.count("[1]") >= 2
    assert "Indexing" in done.stderr
    assert "DEBUG" not in done.stderr


def test_ingest_and_papers_and_doctor_as_json(home: Path) -> None:
    done = run("ingest", str(SEEDS), "--json")
    value = json.loads(done.stdout)
    assert value["totals"]["records"] == 38
    assert value["totals"]["added"] == 29
    assert {file["format"] for file in value["files"]} == {"abstracts"}
    assert {file["encoding"] for file in value["files"]} == {"utf-8"}
    papers = json.loads(run("papers", "--json").stdout)
    assert len(papers) == 29
    assert set(papers[0]) == {"paper_id", "title", "authors", "year", "venue", "url", "doi", "sources"}
    (found,) = json.loads(run("papers", "dueling", "bandits", "--json").stdout)
    assert found["title"].startswith("Nearly Optimal")
    health = json.loads(run("doctor", "--json").stdout)
    assert health["ok"] is True
    assert (health["papers"], health["problems"]) == (29, [])
    assert health["passages"] >= 29
    assert health["embedding_model"] == "all-MiniLM-L6-v2"


def test_exit_codes(seeded_home: Path, tmp_path: Path) -> None:
    assert run("ask").returncode == 2
    assert run("nonsense").returncode == 2
    missing = run("ingest", str(tmp_path / "nowhere.bib"))
    assert missing.returncode == 1
    assert missing.stdout == ""
    assert "no file or folder" in missing.stderr
    assert "Traceback" not in missing.stderr
    bad = run("ask", "x", CITEWELL_MAX_SOURCES="many")
    assert bad.returncode == 1
    assert "CITEWELL_MAX_SOURCES" in bad.stderr


def test_another_model_is_refused_with_both_names_and_the_way_out(
    seeded_home: Path, embeddings, tmp_path: Path
) -> None:
    other = tmp_path / "other-model"
    embeddings.load()
    embeddings._encoder.save(str(other))
    done = run("ask", "Which papers work on robots?", CITEWELL_EMBEDDING_MODEL=str(other))
    assert done.returncode == 1
    for word in ("all-MiniLM-L6-v2", "other-model", "citewell doctor --rebuild"):
        assert word in done.stderr
    assert "Traceback" not in done.stderr
    assert run("doctor", "--rebuild", CITEWELL_EMBEDDING_MODEL=str(other)).returncode == 0
    done = run("ask", "Which papers work on robots?", CITEWELL_EMBEDDING_MODEL=str(other))
    assert "DexScale" in done.stdout


def test_eval_answers_prints_scores_and_failures(seeded_home: Path, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    title = "Memory Layers at Scale"
    good = {"id": "a", "kind": "fact", "turns": [{"question": "Up to how many memory parameters?", "papers": [title]}]}
    bad = {"id": "b", "kind": "fact", "turns": [{"question": "What is RSD?", "refuse": True}]}
    path.write_text(f"{json.dumps(good)}\n{json.dumps(bad)}\n")
    value = json.loads(run("eval", "answers", str(path), "--json").stdout)
    assert value["kinds"] == {"fact": {"turns": 2, "passed": 1}}
    assert value["quotes_verbatim"] is True
    assert value["failures"][0]["id"] == "b"
    assert value["failures"][0]["reason"]


SPY = """
import socket, sys
def hook(event, args):
    if event in ("socket.connect", "socket.sendto"):
        address = args[1]
        if isinstance(address, tuple) and not str(address[0]).startswith(("127.", "::1", "localhost")):
            print("OUTSIDE", event, address, file=sys.stderr, flush=True)
    elif event == "socket.getaddrinfo" and args[0] not in (None, "localhost", "127.0.0.1", b"127.0.0.1", "::1"):
        print("OUTSIDE", event, args[0], file=sys.stderr, flush=True)
sys.addaudithook(hook)
from citewell.cli import main
main()
"""


def test_the_default_mode_connects_to_nobody(home: Path) -> None:
    for arguments in (["ask", "What is DexScale?"], ["doctor"]):
        done = subprocess.run([sys.executable, "-c", SPY, *arguments], capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
        assert "OUTSIDE" not in done.stderr


def test_it_works_where_there_is_no_network_at_all(home: Path) -> None:
    probe = subprocess.run(["unshare", "-rn", "true"], capture_output=True)
    if probe.returncode != 0:
        pytest.skip("this machine allows no network namespace of one's own")
    done = subprocess.run(
        ["unshare", "-rn", CITEWELL, "ask", "What is DexScale?"], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert "data engine" in done.stdout


def export_of(path: Path, *titles: str) -> Path:
    text = (
        "This abstract of {} speaks of sorting lists of numbers and of nothing else that matters here, at some length. "
        * 2
    )
    path.write_text(
        "".join(
            f"@article{{k{n}, title={{{t}}}, year={{2024}}, abstract={{{text.replace('{}', t)}}}}}\n"
            for n, t in enumerate(titles)
        )
    )
    return path


def test_a_bibliography_in_out_and_away_again(home: Path, tmp_path: Path) -> None:
    path = export_of(tmp_path / "mine.bib", "Heaps and Runs in Sorting", "A Theory of Penguins on Ice")
    dry = json.loads(run("ingest", str(path), "--dry-run", "--json").stdout)
    assert dry["totals"]["added"] == 2
    assert json.loads(run("ingest", str(path), "--json").stdout)["totals"]["added"] == 2
    assert json.loads((home / "reports" / "last.json").read_text())["totals"]["added"] == 2
    (source,) = json.loads(run("sources", "--json").stdout)
    assert source == {"path": str(path), "papers": 2, "exists": True}
    found = run("export", "--query", "penguins", "--limit", "1")
    assert "A Theory of Penguins on Ice" in found.stdout
    assert found.stdout.startswith("@")
    assert len(json.loads(run("export", "--format", "json").stdout)) == 2

    export_of(path, "Heaps and Runs in Sorting")
    kept = run("ingest", str(path))
    assert "--remove-missing" in kept.stderr
    assert len(json.loads(run("papers", "--json").stdout)) == 2
    gone = run("ingest", str(path), "--remove-missing")
    assert "1 paper that no file" in gone.stderr
    (left,) = json.loads(run("papers", "--json").stdout)
    assert left["title"] == "Heaps and Runs in Sorting"
    assert run("remove", left["paper_id"], "--yes").returncode == 0
    assert json.loads(run("papers", "--json", CITEWELL_SEED="false").stdout) == []
    assert json.loads(run("doctor", "--json").stdout)["ok"] is True
    assert run("remove", "No Such Paper", "--yes").returncode == 1


def test_a_file_is_taken_out_by_its_name_and_no_other_with_it(home: Path, tmp_path: Path) -> None:
    first = export_of(tmp_path / "my_refs.bib", "Heaps and Runs in Sorting")
    # To a pattern in which "_" stands for any letter, this would be the same file.
    second = export_of(tmp_path / "my-refs.bib", "A Theory of Penguins on Ice")
    assert run("ingest", str(first), str(second)).returncode == 0
    assert run("remove", "--source", "nothing.bib", "--yes").returncode == 1
    assert "1 paper removed" in run("remove", "--source", "my_refs.bib", "--yes").stdout
    assert [row["path"] for row in json.loads(run("sources", "--json").stdout)] == [str(second)]
    assert [row["title"] for row in json.loads(run("papers", "--json").stdout)] == ["A Theory of Penguins on Ice"]


def test_interrupting_an_ingest_leaves_a_library_that_resumes(seeded_home: Path, tmp_path: Path) -> None:
    path = export_of(
        tmp_path / "many.bib", *[f"Method Number {number} of the Sorting Kind {number * 7}" for number in range(300)]
    )
    child = subprocess.Popen([CITEWELL, "ingest", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    catalog = SqliteCatalog(seeded_home)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and catalog.count() < 300:
        time.sleep(0.1)
    while time.monotonic() < deadline and len(catalog.pending()) == 300:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "goes on from there" in err
    assert "Traceback" not in err
    done = run("ask", "What is DexScale?")
    assert done.returncode == 0
    assert "data engine" in done.stdout
    again = json.loads(run("ingest", str(path), "--json").stdout)
    assert again["totals"]["unchanged"] == 300
    assert json.loads(run("doctor", "--json").stdout)["problems"] == []
