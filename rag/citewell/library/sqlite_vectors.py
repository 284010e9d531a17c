"""Vectors kept in the catalog, so that nothing is encoded twice: of passages (float32) and of sentences (float16)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from citewell.batches import batched
from citewell.library.passages import text_hash
from citewell.library.ports import Bounds, VectorKind, Vectors
from citewell.paper import Paper

_TABLES: dict[VectorKind, str] = {"passage": "passage_vectors", "sentence": "sentence_vectors"}
_PRECISIONS: dict[VectorKind, type[np.floating]] = {"passage": np.float32, "sentence": np.float16}
# The first byte of a block tells its precision.
_MARKS = {b"h": np.float16, b"f": np.float32}


class SqliteVectors:
    """One block of vectors a paper and kind, with the character offsets of what each row was made from."""

    def __init__(self, connection: Callable[[], sqlite3.Connection]) -> None:
        self._connection = connection

    def read(self, kind: VectorKind, papers: Iterable[Paper], model: str) -> dict[str, tuple[Bounds, Vectors]]:
        """Bounds and float32 vectors kept for `papers` by this model and for their present text, by paper id."""
        wanted = {paper.id: text_hash(paper) for paper in papers}
        found: dict[str, tuple[Bounds, Vectors]] = {}
        for ids in batched(wanted, 500):
            sql = f"""SELECT paper_id, text_hash, bounds, vectors FROM {_TABLES[kind]}
                      WHERE model = ? AND paper_id IN ({",".join("?" * len(ids))})"""
            for paper_id, kept_hash, bounds, block in self._connection().execute(sql, (model, *ids)):
                if kept_hash == wanted[paper_id]:
                    own = [(int(start), int(end)) for start, end in json.loads(bounds)]
                    found[paper_id] = own, _flat(block).reshape(len(own), -1).astype(np.float32)
        return found

    def blocks(self, kind: VectorKind, ids: Sequence[str], model: str) -> dict[str, Vectors]:
        """The vectors alone of these papers, flat, in the precision they are kept in."""
        found: dict[str, Vectors] = {}
        for some in batched(ids, 500):
            sql = f"""SELECT v.paper_id, v.vectors FROM {_TABLES[kind]} AS v JOIN papers AS p ON p.id = v.paper_id
                      AND p.text_hash = v.text_hash
                      WHERE v.model = ? AND v.paper_id IN ({",".join("?" * len(some))})"""
            for paper_id, block in self._connection().execute(sql, (model, *some)):
                found[paper_id] = _flat(block)
        return found

    def save(self, kind: VectorKind, paper: Paper, model: str, bounds: Bounds, vectors: Vectors) -> None:
        """Keep the vectors of one paper."""
        block = vectors.astype(_PRECISIONS[kind])
        mark = next(mark for mark, precision in _MARKS.items() if precision == block.dtype)
        self._connection().execute(
            f"INSERT OR REPLACE INTO {_TABLES[kind]} VALUES (?, ?, ?, ?, ?)",
            (paper.id, model, text_hash(paper), json.dumps(bounds), mark + block.tobytes()),
        )

    def missing(self, kind: VectorKind, model: str) -> list[str]:
        """Papers with an abstract that have no vectors of this model for their present text."""
        sql = f"""SELECT id FROM papers LEFT JOIN {_TABLES[kind]} AS v
                  ON v.paper_id = papers.id AND v.text_hash = papers.text_hash AND v.model = ?
                  WHERE v.paper_id IS NULL AND abstract <> '' ORDER BY seq"""
        return [str(row[0]) for row in self._connection().execute(sql, (model,))]

    def indexed_passages(self, model: str) -> dict[str, str]:
        """Passage ids that the vector store should hold, and the paper of each."""
        sql = """SELECT p.id, v.bounds FROM papers AS p JOIN passage_vectors AS v
                 ON v.paper_id = p.id AND v.text_hash = p.text_hash AND v.model = ? WHERE p.state = 'indexed'"""
        rows = self._connection().execute(sql, (model,))
        return {f"{paper}:{start}-{end}": str(paper) for paper, bounds in rows for start, end in json.loads(bounds)}


def _flat(block: bytes) -> Vectors:
    return np.frombuffer(block[1:], dtype=_MARKS[block[:1]])
