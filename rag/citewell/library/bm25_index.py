"""BM25 over titles and abstracts (bm25s), derived from the catalog and kept beside it."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citewell.paper import Paper
from citewell.text.tokens import index_tokens

FORMAT = "words/2"
K1, B = 1.2, 0.75
TITLE_WEIGHT = 2
log = logging.getLogger(__name__)


class Bm25Index:
    """Scores of every paper for a bag of words, and how rare each word is in the library."""

    def __init__(self, ids: list[str], retriever: Any, version: int) -> None:
        self.ids = ids
        self.version = version
        self.rows = {paper_id: row for row, paper_id in enumerate(ids)}
        self._retriever = retriever
        self._vocabulary: dict[str, int] = retriever.vocab_dict if retriever is not None else {}

    @classmethod
    def build(cls, papers: Iterable[Paper], version: int) -> Bm25Index:
        """Index `papers`; a title counts twice, a label cut from the abstract not at all."""
        import bm25s

        ids: list[str] = []
        corpus: list[list[str]] = []
        for paper in papers:
            ids.append(paper.id)
            title = [] if paper.title_from_text else index_tokens(paper.title)
            corpus.append(title * TITLE_WEIGHT + index_tokens(paper.abstract))
        if not any(corpus):
            return cls(ids, None, version)
        retriever = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numpy")
        retriever.index(corpus, show_progress=False)
        return cls(ids, retriever, version)

    def save(self, folder: Path) -> None:
        """Write the index so that a reader sees the old one or the new one, never a half."""
        if self._retriever is None:
            return
        fresh, old = folder.with_name(folder.name + ".new"), folder.with_name(folder.name + ".old")
        for leftover in (fresh, old):
            shutil.rmtree(leftover, ignore_errors=True)
        self._retriever.save(str(fresh), show_progress=False)
        (fresh / "ids.json").write_text(json.dumps({"format": FORMAT, "version": self.version, "ids": self.ids}))
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old, ignore_errors=True)

    @classmethod
    def load(cls, folder: Path, version: int) -> Bm25Index | None:
        """The saved index when it is of this library version, else None."""
        import bm25s

        if not (folder / "ids.json").is_file():
            return None
        try:
            state = json.loads((folder / "ids.json").read_text())
            if state["format"] == FORMAT and state["version"] == version:
                return cls(state["ids"], bm25s.BM25.load(str(folder), show_progress=False, backend="numpy"), version)
        except (OSError, ValueError, KeyError) as error:
            log.warning("the word index in %s is made anew: %s", folder, error)
        return None

    def __len__(self) -> int:
        return len(self.ids)

    def scores(self, tokens: Sequence[str]) -> NDArray[np.float32]:
        """BM25 score of every paper, in the order of `ids`; shape `(papers,)`."""
        known = [token for token in tokens if token in self._vocabulary]
        if not known:
            return np.zeros(len(self.ids), dtype=np.float32)
        return np.asarray(self._retriever.get_scores(known), dtype=np.float32)

    def document_frequency(self, token: str) -> int:
        """In how many papers a token of the index stands."""
        column = self._vocabulary.get(token)
        if column is None:
            return 0
        pointers = self._retriever.scores["indptr"]
        return int(pointers[column + 1] - pointers[column])

    def share(self, tokens: Iterable[str], held: Iterable[str]) -> float:
        """How many of `tokens` are among `held`, weighted by rarity, 0 to 1."""
        weights = {token: self.idf(token) for token in tokens}
        return sum(weights[token] for token in weights.keys() & set(held)) / (sum(weights.values()) or 1.0)

    def idf(self, token: str) -> float:
        """Inverse document frequency, smoothed; highest for a word that the library does not hold."""
        count = len(self.ids)
        return float(np.log(1.0 + (count + 0.5) / (self.document_frequency(token) + 0.5)))
