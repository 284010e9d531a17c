"""Vectors kept in the catalog: of passages (float32) and of sentences (float16), one block a paper."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from rag.batches import batched
from rag.library.catalog import Catalog
from rag.library.embedder import Vectors
from rag.library.passages import text_hash
from rag.records import Paper

Bounds = list[tuple[int, int]]


def kept_vectors(
    catalog: Catalog, table: str, papers: Iterable[Paper], model: str
) -> dict[str, tuple[Bounds, Vectors]]:
    """Bounds and vectors kept for `papers` by this model and for their present text, by paper id."""
    wanted = {paper.id: text_hash(paper) for paper in papers}
    found: dict[str, tuple[Bounds, Vectors]] = {}
    for ids in batched(wanted, 500):
        marks = ",".join("?" * len(ids))
        sql = f"SELECT paper_id, text_hash, bounds, vectors FROM {table} WHERE model = ? AND paper_id IN ({marks})"
        for paper_id, kept_hash, bounds, blob in catalog.rows(sql, (model, *ids)):
            if kept_hash == wanted[str(paper_id)]:
                own = [(int(start), int(end)) for start, end in json.loads(str(bounds))]
                found[str(paper_id)] = (own, _vectors(blob, len(own)))
    return found


def _vectors(blob: object, count: int) -> Vectors:
    """The kept block as float32; its width tells whether it was kept as float16 or float32."""
    assert isinstance(blob, bytes)
    kind = np.float16 if blob[:1] == b"h" else np.float32
    return np.frombuffer(blob[1:], dtype=kind).reshape(count, -1).astype(np.float32)


def keep(
    connection: sqlite3.Connection, table: str, paper: Paper, model: str, bounds: Bounds, vectors: np.ndarray
) -> None:
    """Keep the vectors of one paper in `table`."""
    mark = b"h" if vectors.dtype == np.float16 else b"f"
    connection.execute(
        f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?, ?)",
        (paper.id, model, text_hash(paper), json.dumps(bounds), mark + vectors.tobytes()),
    )


def kept_blocks(catalog: Catalog, table: str, ids: Sequence[str], model: str) -> dict[str, Vectors]:
    """The vectors alone of these papers, for scoring many at once."""
    found: dict[str, Vectors] = {}
    for some in batched(ids, 500):
        marks = ",".join("?" * len(some))
        sql = f"""SELECT v.paper_id, v.vectors FROM {table} AS v JOIN papers AS p ON p.id = v.paper_id
                  AND p.text_hash = v.text_hash WHERE v.model = ? AND v.paper_id IN ({marks})"""
        for paper_id, blob in catalog.rows(sql, (model, *some)):
            assert isinstance(blob, bytes)
            found[str(paper_id)] = np.frombuffer(blob[1:], dtype=np.float16 if blob[:1] == b"h" else np.float32)
    return found


def best_cosines(blocks: dict[str, Vectors], ids: Sequence[str], query: Vectors) -> NDArray[np.float64]:
    """The best cosine of each paper's vectors with a unit vector, -1 where a paper has none; shape `(len(ids),)`."""
    own = [blocks.get(paper_id) for paper_id in ids]
    filled = [(row, block) for row, block in enumerate(own) if block is not None and block.size]
    best = np.full(len(ids), -1.0, dtype=np.float64)
    if filled:
        cosines = np.concatenate([block for _, block in filled]).reshape(-1, query.size).astype(np.float32) @ query
        starts = np.cumsum([0, *(block.size // query.size for _, block in filled[:-1])])
        best[[row for row, _ in filled]] = np.maximum.reduceat(cosines, starts)
    return best
