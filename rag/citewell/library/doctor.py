"""Comparing what is derived (vectors, word index) with the catalog, by counting and by one real query."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import Any

from citewell.errors import CitewellError
from citewell.library.chroma_store import as_store_error
from citewell.library.library import Library
from citewell.text.tokens import index_tokens

FIX = "run: citewell doctor --repair"


@dataclass(slots=True)
class Health:
    """What was found; `ok` when there is no problem."""

    ok: bool = True
    papers: int = 0
    passages: int = 0
    embedding_model: str = ""
    problems: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `citewell doctor --json`."""
        return asdict(self)


def examine(library: Library) -> Health:
    """Check the library; changes nothing."""
    health = Health(papers=len(library), embedding_model=library.embeddings.name)
    problems = health.problems
    if verdict := library.catalog.check():
        problems.append(f"The catalog file is damaged ({verdict}): move it away and ingest your files again.")
    if pending := len(library.catalog.pending()):
        problems.append(f"{pending} papers are not indexed yet; {FIX}")
    _examine_vectors(library, health)
    _examine_words(library, problems)
    health.ok = not problems
    return health


def _examine_vectors(library: Library, health: Health) -> None:
    expected = library.catalog.indexed_passages(library.embeddings.name)
    try:
        with library.store.use(library.version, wait=5):
            held = library.store.ids()
            health.passages = len(held)
            if missing := expected.keys() - held:
                health.problems.append(f"{len(missing)} passages are missing from the vector store; {FIX}")
            if extra := held - expected.keys():
                health.problems.append(f"{len(extra)} passages in the vector store belong to no paper; {FIX}")
            _ask_once(library, expected, health)
    except CitewellError as error:
        health.problems.append(str(error))
    except Exception as error:
        health.problems.append(str(as_store_error(error)))


def _ask_once(library: Library, expected: dict[str, str], health: Health) -> None:
    """One real query: an abstract's own vector must find its paper."""
    paper_id = next(iter(expected.values()), None)
    paper = library.catalog.papers_by_id([paper_id]).get(paper_id) if paper_id else None
    if paper is None:
        return
    _, vectors = library.catalog.vectors("passage", [paper], library.embeddings.name)[paper.id]
    started = time.perf_counter()
    found = library.store.search(vectors[0].tolist(), 3)
    if paper.id not in {passage.paper_id for passage, _ in found}:
        health.problems.append("A query for a paper's own text does not find it; run: citewell doctor --rebuild")
    elif (seconds := time.perf_counter() - started) > 2:
        health.problems.append(f"The vector store is slow: one query took {seconds:.1f} s.")


def _examine_words(library: Library, problems: list[str]) -> None:
    words = library.snapshot().word_index
    if len(words) != len(library):
        problems.append(f"The word index holds {len(words)} of {len(library)} papers; {FIX}")
        return
    paper = next(library.papers(), None)
    tokens = index_tokens(paper.abstract or paper.title) if paper else []
    if paper and tokens and words.scores(tokens)[words.rows[paper.id]] <= 0:
        problems.append(f"The word index does not find a paper by its own words; {FIX}")


def repair(library: Library) -> None:
    """Mark for indexing whatever the store lacks, and drop what belongs to no paper."""
    expected = library.catalog.indexed_passages(library.embeddings.name)
    with library.store.use(library.version, wait=10):
        held = library.store.ids()
        orphans = {key.rsplit(":", 1)[0] for key in held - expected.keys()}
        broken = {expected[key] for key in expected.keys() - held} | orphans
        library.store.delete_papers(sorted(orphans))
    library.catalog.mark_pending(sorted(broken))
