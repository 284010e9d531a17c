"""A library of 30,000 papers: how long its list, its map and its answers take.

Vectors are sums of fixed random vectors of words, so that the library is filled in minutes: what is measured does not
depend on what they mean.
"""

from __future__ import annotations

import gzip
import shutil
import statistics
import tempfile
import time
import zlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np

from citewell.assistant import Assistant
from citewell.library import Library
from citewell.library.embeddings import BATCH, ModelEmbeddings
from citewell.library.map import current_map, make_map
from citewell.library.ports import Vectors
from citewell.settings import load_settings, quiet_environment
from citewell.text.tokens import raw_words
from tests.conftest import SHARED

PAPERS = SHARED / "data/ml-2023-2025.jsonl.gz"
TYPED = ("d", "di", "dif", "diffusion", "diffusion protein", "nguyen", "2024 bandit", "watermark")
QUESTIONS = (
    "Which papers are about machine unlearning?", "What is TabFlex?", "How are spiking transformers converted?",
    "Which papers from 2024 study contextual bandits?", "What did NeurIPS papers say about watermarks in 2023?",
)  # fmt: skip


T = TypeVar("T")


class WordVectors(ModelEmbeddings):
    """Sums of the words' own random vectors, of length 1."""

    def encode(self, texts: list[str], batch_size: int = BATCH) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for word in set(raw_words(text)):
                vectors[row] += _word_vector(word, self.dimension)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


@lru_cache(maxsize=200_000)
def _word_vector(word: str, dimension: int) -> Vectors:
    vector: Vectors = np.random.default_rng(zlib.crc32(word.encode())).standard_normal(dimension, np.float32)
    return vector


def large_home() -> Path:
    """The home of the large library, filled when that has not been done."""
    home = Path(tempfile.gettempdir()) / "citewell-bench-large"
    library = Library(load_settings(home=home, seed=False), WordVectors())
    if not len(library):
        with tempfile.TemporaryDirectory() as folder:
            plain = Path(folder) / "ml-2023-2025.jsonl"
            with gzip.open(PAPERS) as packed, plain.open("wb") as out:
                shutil.copyfileobj(packed, out)
            began = time.perf_counter()
            library.ingest([plain])
            print(f"filled with {len(library):,} papers in {time.perf_counter() - began:.0f} s")
    library.close()
    return home


def main() -> None:
    quiet_environment()
    if not PAPERS.exists():
        print("left out: its data is not on this machine")
        return
    library = Library.open(load_settings(home=large_home(), seed=False), WordVectors())
    listing = _timed("the list, read once per version", lambda: library.listing)
    keys = [_taken(lambda words=words: library.papers_matching(words, 20)) for words in TYPED]
    print(f"a keystroke in the list: median {statistics.median(keys):.0f} ms, longest {max(keys):.0f} ms")
    ids = listing.search("", None, "title")
    pages = [
        _taken(lambda number=number: library.papers_by_id(ids[20 * number : 20 * number + 20]))
        for number in (0, 700, 1_400)
    ]
    print(f"a page of it: median {statistics.median(pages):.0f} ms")
    if current_map(library) is None:
        _timed("the map, made once per version", lambda: make_map(library))
    _timed("the map, read", lambda: current_map(library))
    assistant = Assistant(library, library.settings)
    _timed("the first answer", lambda: assistant.answer("What is MoMa?"))
    for question in QUESTIONS:
        times = [_taken(lambda question=question: assistant.answer(question)) for _ in range(3)]
        print(f"{statistics.median(times):6.0f} ms  {question}")
    library.close()


def _taken(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def _timed(name: str, work: Callable[[], T]) -> T:
    began = time.perf_counter()
    result = work()
    print(f"{name}: {time.perf_counter() - began:.2f} s")
    return result


if __name__ == "__main__":
    main()
