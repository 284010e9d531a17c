"""BM25 over titles and abstracts (bm25s), derived from the catalog and kept beside it.

How rare a word is can be asked without bm25s and scipy being imported; they are when papers are scored.
"""

from __future__ import annotations

import json
import logging
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citewell.paper import Paper
from citewell.text.tokens import index_tokens

FORMAT = "words/3"
K1, B = 1.2, 0.75
TITLE_WEIGHT = 2
log = logging.getLogger(__name__)


class Bm25Index:
    """Scores of every paper for a bag of words, and how rare each word is in the library."""

    def __init__(
        self, ids: list[str], frequencies: Mapping[str, int], version: int, make_scorer: Callable[[], Any]
    ) -> None:
        self.ids = ids
        self.version = version
        self._frequencies = frequencies
        self._make_scorer = make_scorer

    @cached_property
    def rows(self) -> dict[str, int]:
        """The place of each paper in `ids`."""
        return {paper_id: row for row, paper_id in enumerate(self.ids)}

    @cached_property
    def _scorer(self) -> Any:
        return self._make_scorer()

    @classmethod
    def build(cls, papers: Iterable[Paper], version: int) -> Bm25Index:
        """Index `papers`; a title counts twice, a label cut from the abstract not at all."""
        ids: list[str] = []
        corpus: list[list[str]] = []
        frequencies: Counter[str] = Counter()
        for paper in papers:
            ids.append(paper.id)
            title = [] if paper.title_from_text else index_tokens(paper.title)
            corpus.append(title * TITLE_WEIGHT + index_tokens(paper.abstract))
            frequencies.update(set(corpus[-1]))
        return cls(ids, frequencies, version, lambda: _scorer_of(corpus))

    def save(self, folder: Path) -> None:
        """Write the index so that a reader sees the old one or the new one, never a half."""
        if not self._frequencies:
            return
        fresh, old = folder.with_name(folder.name + ".new"), folder.with_name(folder.name + ".old")
        for leftover in (fresh, old):
            shutil.rmtree(leftover, ignore_errors=True)
        self._scorer.save(str(fresh), show_progress=False)
        state = {"format": FORMAT, "version": self.version, "ids": self.ids, "frequencies": self._frequencies}
        (fresh / "state.json").write_text(json.dumps(state))
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old, ignore_errors=True)

    @classmethod
    def load(cls, folder: Path, version: int) -> Bm25Index | None:
        """The saved index when it is of this library version, else None."""
        if not (folder / "state.json").is_file():
            return None
        try:
            state = json.loads((folder / "state.json").read_text())
            if state["format"] == FORMAT and state["version"] == version:
                return cls(state["ids"], state["frequencies"], version, lambda: _loaded_scorer(folder))
        except (OSError, ValueError, KeyError) as error:
            log.warning("the word index in %s is made anew: %s", folder, error)
        return None

    def __len__(self) -> int:
        return len(self.ids)

    def scores(self, tokens: Sequence[str]) -> NDArray[np.float32]:
        """BM25 score of every paper, in the order of `ids`; shape `(papers,)`."""
        known = [token for token in tokens if token in self._frequencies]
        if not known:
            return np.zeros(len(self.ids), dtype=np.float32)
        return np.asarray(self._scorer.get_scores(known), dtype=np.float32)

    def document_frequency(self, token: str) -> int:
        """In how many papers a token of the index stands."""
        return self._frequencies.get(token, 0)

    def share(self, tokens: Iterable[str], held: Iterable[str]) -> float:
        """How many of `tokens` are among `held`, weighted by rarity, 0 to 1."""
        weights = {token: self.idf(token) for token in tokens}
        return sum(weights[token] for token in weights.keys() & set(held)) / (sum(weights.values()) or 1.0)

    def idf(self, token: str) -> float:
        """Inverse document frequency, smoothed; highest for a word that the library does not hold."""
        count = len(self.ids)
        return float(np.log(1.0 + (count + 0.5) / (self.document_frequency(token) + 0.5)))


def _scorer_of(corpus: list[list[str]]) -> Any:
    import bm25s

    scorer = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numpy")
    scorer.index(corpus, show_progress=False)
    return scorer


def _loaded_scorer(folder: Path) -> Any:
    import bm25s

    return bm25s.BM25.load(str(folder), show_progress=False, backend="numpy")
