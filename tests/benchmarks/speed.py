"""Ingest beside raw encoding, a warm question by step, peak memory, and the first answer of a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from citewell.settings import load_settings, quiet_environment
from tests.conftest import SEEDS, SHARED

QUESTIONS = [
    "How much faster does GenZSL train than f-VAEGAN on AWA2?",
    "What regret bound does RCDB achieve?",
    "Which paper combines Hawkes processes with neural temporal point processes?",
    "How does MoMa adapt image foundation models to video?",
    "Which papers work on differential equations?",
    "What is DexScale?",
    "Why might two fine-tuned LLMs disagree about the same row of a table?",
    "What is the capital of France?",
]
ROUNDS = 12
PAPERS = 600


def main() -> None:
    quiet_environment()
    print("== ingest beside raw encoding of the same texts")
    ingest_rate()
    print("\n== a warm extractive question, milliseconds")
    for name, files in (("seeds", [SEEDS]), ("ICML 2025", [SEEDS, SHARED / "data/icml-2025.jsonl"])):
        if all(path.exists() for path in files):
            question_times(name, files)
        else:
            print(f"{name}: left out, its data is not on this machine")
    print("\n== peak memory, MB")
    memory()
    print("\n== first answer of a fresh process, seconds")
    first_answer()


def ingest_rate() -> None:
    """Papers per second through the whole ingest, and the same passages and sentences straight through the model."""
    from citewell.library import Library
    from citewell.library.embeddings import ModelEmbeddings
    from citewell.library.passages import cut_passages, embedded_text
    from citewell.text.sentences import split_sentences

    source = SHARED / "data/icml-2025.jsonl"
    if not source.exists():
        print("left out: its data is not on this machine")
        return
    lines = source.read_text(encoding="utf-8").splitlines()[:PAPERS]
    embeddings = ModelEmbeddings()
    embeddings.encode(["warm up"] * 8)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "papers.jsonl"
        path.write_text("\n".join(lines))
        library = Library(load_settings(home=Path(folder) / "home"), embeddings)
        started = time.perf_counter()
        library.ingest([path])
        whole = time.perf_counter() - started
        texts = []
        for paper in library.papers():
            passages = cut_passages(paper, embeddings.token_offsets, embeddings.max_tokens)
            texts += [embedded_text(paper, passage, embeddings.token_offsets) for passage in passages]
            texts += [paper.abstract[start:end] for start, end in split_sentences(paper.abstract)]
        count = len(library)
        library.close()
    started = time.perf_counter()
    embeddings._encoder.encode(texts, batch_size=32, normalize_embeddings=True, show_progress_bar=False)
    raw = time.perf_counter() - started
    print(
        f"{count} papers, {len(texts)} texts: ingest {whole:.1f} s, raw encoding {raw:.1f} s, ratio {raw / whole:.2f}"
    )


def question_times(name: str, files: list[Path]) -> None:
    """Median and 95th percentile of each step."""
    import numpy as np

    from citewell.assistant import Assistant
    from citewell.library import Library

    home = Path(tempfile.gettempdir()) / f"citewell-bench-{name.replace(' ', '-').lower()}"
    library = Library(load_settings(home=home))
    library.ingest(files)
    assistant = Assistant(library)
    steps: dict[str, list[float]] = {}
    for round_number in range(ROUNDS):
        for question in QUESTIONS:
            library._query_vector.cache_clear()
            answer = assistant.answer(question)
            if round_number:  # the first round warms up
                for step, seconds in answer.timings.items():
                    steps.setdefault(step, []).append(seconds * 1000)
                rest = answer.timings["total"] - answer.timings.get("encode", 0.0)
                steps.setdefault("all but encode", []).append(rest * 1000)
    print(f"{name}, {len(library)} papers:")
    for step, values in steps.items():
        print(f"  {step:15} median {np.median(values):7.2f}   95th {np.percentile(values, 95):7.2f}")
    library.close()


# The high-water mark of this process alone; what getrusage tells of a child includes its parent's.
_PEAK = """
print(next(int(line.split()[1]) // 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
_ENCODER = """
from citewell.library.embedder import ModelEmbeddings
ModelEmbeddings().encode(["a text"])
"""
_ASK = """
from citewell.settings import load_settings, quiet_environment
quiet_environment()
from citewell.library import Library
from citewell.answering import Assistant
Assistant(Library.open(load_settings())).answer("What is DexScale?")
"""


def memory() -> None:
    """Peak of a process that only loads the encoder, and of one that opens a library and answers."""
    encoder = int(subprocess.run([sys.executable, "-c", _ENCODER + _PEAK], capture_output=True, text=True).stdout)
    print(f"the loaded encoder alone {encoder}")
    for name in ("seeds", "icml-2025"):
        home = Path(tempfile.gettempdir()) / f"citewell-bench-{name}"
        if home.exists():
            environment = {**os.environ, "CITEWELL_HOME": str(home)}
            done = subprocess.run([sys.executable, "-c", _ASK + _PEAK], capture_output=True, text=True, env=environment)
            print(f"a question over {name} {int(done.stdout)}, {int(done.stdout) - encoder:+d}")


def first_answer() -> None:
    """`citewell ask` from the shell, with a library that is there, and from nothing."""
    command = [str(Path(sys.executable).with_name("citewell")), "ask", "What is DexScale?", "--json"]
    for name, home in (
        ("seeds indexed before", Path(tempfile.gettempdir()) / "citewell-bench-seeds"),
        ("from an empty home", Path(tempfile.mkdtemp()) / "home"),
    ):
        started = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "CITEWELL_HOME": str(home)})
        assert json.loads(done.stdout)["refused"] is False
        print(f"{name}: {time.perf_counter() - started:.1f}")
