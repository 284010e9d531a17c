"""`citewell eval retrieval`: nDCG@10, recall and speed of each leg on a folder in BEIR layout.

The corpus becomes a library of its own under `CITEWELL_HOME/evaluation`, through the same code as any library, so a
second run finds its vectors there.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from citewell.batches import batched
from citewell.errors import CitewellError
from citewell.library import Library
from citewell.library.passages import text_hash
from citewell.library.ports import Embeddings
from citewell.paper import Paper
from citewell.progress import Progress, no_progress
from citewell.retrieval.search import PASSAGES, HybridSearch
from citewell.settings import Settings
from citewell.text.names import paper_names
from citewell.understanding import understand

DEPTH = 100
LEGS = ("dense", "words", "hybrid")


@dataclass(slots=True)
class BeirSet:
    """A retrieval set: documents, queries, and which documents answer which query (query → document → grade)."""

    name: str
    documents: list[Paper]
    queries: dict[str, str]
    grades: dict[str, dict[str, int]] = field(default_factory=dict)


def read_beir(folder: Path) -> BeirSet:
    """Read `corpus.jsonl`, `queries.jsonl` (plain or gzipped) and `qrels/test.tsv`. Raises `CitewellError`."""
    documents = []
    for row in _rows(folder, "corpus.jsonl"):
        documents.append(Paper(str(row["_id"]), str(row.get("title") or ""), str(row.get("text") or "")))
    grades: dict[str, dict[str, int]] = {}
    qrels = next((path for path in (folder / "qrels/test.tsv", folder / "qrels.tsv") if path.is_file()), None)
    if qrels is None:
        raise CitewellError(f"{folder} has no qrels/test.tsv.", "A folder in BEIR layout is expected.")
    for line in qrels.read_text(encoding="utf-8").splitlines():
        query, document, grade = ([*line.split("\t"), "", ""])[:3]
        if grade.strip().lstrip("-").isdigit():
            grades.setdefault(query, {})[document] = int(grade)
    queries = {str(row["_id"]): str(row["text"]) for row in _rows(folder, "queries.jsonl") if str(row["_id"]) in grades}
    return BeirSet(folder.resolve().name, documents, queries, grades)


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    plain, packed = folder / name, folder / f"{name}.gz"
    if not plain.is_file() and not packed.is_file():
        raise CitewellError(f"{folder} has no {name}.", "A folder in BEIR layout is expected.")
    opened = plain.open(encoding="utf-8") if plain.is_file() else gzip.open(packed, "rt", encoding="utf-8")  # noqa: SIM115
    with opened as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                _ = row["_id"]
            except (ValueError, KeyError, TypeError):
                raise CitewellError(f"Line {number} of {folder / name} is not a record with an _id.") from None
            yield row


def evaluation_library(
    data: BeirSet,
    settings: Settings,
    progress: Progress = no_progress,
    embeddings: Embeddings | None = None,
) -> Library:
    """The set's documents as a library; made once, kept for the next run, each document under its own id."""
    digest = hashlib.sha256("\0".join(f"{d.id}\1{d.title}\1{d.abstract}" for d in data.documents).encode()).hexdigest()
    home = settings.home / "evaluation" / f"{data.name}-{digest[:12]}"
    library = Library(settings.model_copy(update={"home": home, "seed": False, "chroma_url": ""}), embeddings)
    if len(library) < len(data.documents):
        for batch in batched(data.documents, 1000):
            with library.catalog.transaction():
                for paper in batch:
                    names = paper_names(paper.title, paper.abstract)
                    library.catalog.save_paper(paper, text_hash(paper), (), names)
    library.resume(progress)
    return library


def score_retrieval(data: BeirSet, library: Library, progress: Progress = no_progress) -> dict[str, dict[str, float]]:
    """nDCG@10, recall@5, recall@20 and queries per second of each leg, means over the queries."""
    rankings: dict[str, dict[str, dict[str, float]]] = {}
    speeds: dict[str, float] = {}
    for leg, search in _legs(library).items():
        library.embeddings.query_vector("warm up")
        started = time.perf_counter()
        for number, (query, text) in enumerate(data.queries.items()):
            progress(f"Searching: {leg}", number, len(data.queries))
            rankings.setdefault(leg, {})[query] = dict(search(text))
        speeds[leg] = len(data.queries) / (time.perf_counter() - started)
        progress(f"Searching: {leg}", len(data.queries), len(data.queries))
    return {leg: measured(data.grades, rankings[leg]) | {"queries_per_second": round(speeds[leg], 1)} for leg in LEGS}


def measured(grades: dict[str, dict[str, int]], ranking: dict[str, dict[str, float]]) -> dict[str, float]:
    """The measures of one ranking (query → document → score)."""
    import ir_measures
    from ir_measures import R, nDCG

    names = {nDCG @ 10: "ndcg@10", R @ 5: "recall@5", R @ 20: "recall@20"}
    values = ir_measures.calc_aggregate(list(names), grades, ranking)
    return {name: round(float(values[measure]), 4) for measure, name in names.items()}


def _legs(library: Library) -> dict[str, Callable[[str], Iterable[tuple[str, float]]]]:
    words_of = library.snapshot().word_index

    def dense(text: str) -> list[tuple[str, float]]:
        snapshot = library.snapshot()
        vector = snapshot.embeddings.encode_query(understand(text, snapshot).topic)
        near, trouble = snapshot.nearest_passages(vector, PASSAGES)
        if trouble:
            raise CitewellError(trouble)
        best: dict[str, float] = {}
        for passage, cosine in near:
            best[passage.paper_id] = max(cosine, best.get(passage.paper_id, -1.0))
        return list(best.items())[:DEPTH]

    def words(text: str) -> list[tuple[str, float]]:
        scores = words_of.scores(understand(text, library.snapshot()).tokens)
        order = scores.argsort()[::-1][:DEPTH]
        return [(words_of.ids[row], float(scores[row])) for row in order if scores[row] > 0]

    def both(text: str) -> list[tuple[str, float]]:
        # Rank rather than score: papers that the query names stand first whatever their score.
        snapshot = library.snapshot()
        hits = HybridSearch(snapshot).search(understand(text, snapshot), DEPTH).hits
        return [(hit.paper.id, float(DEPTH - rank)) for rank, hit in enumerate(hits)]

    return {"dense": dense, "words": words, "hybrid": both}
