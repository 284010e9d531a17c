"""Comparing what is derived (vectors, word index) with the catalog, by counting and by one real query."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from typing import Any

from rag.errors import CitewellError
from rag.library.library import Library
from rag.library.vectors import as_store_error
from rag.text.words import index_tokens

FIX = "run: citewell doctor --repair"


@dataclass(slots=True)
class Health:
    """What was found; `ok` when there is no problem."""

    ok: bool = True
    papers: int = 0
    passages: int = 0
    embedding_model: str = ""
    problems: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The JSON of `citewell doctor --json`."""
        return asdict(self)


def examine(library: Library) -> Health:
    """Check the library; changes nothing."""
    health = Health(papers=len(library), embedding_model=library.embeddings.name)
    problems = health.problems
    verdict = str(library.catalog.rows("PRAGMA quick_check")[0][0])
    if verdict != "ok":
        problems.append(f"The catalog file is damaged ({verdict}): move it away and ingest your files again.")
    if pending := library.pending:
        problems.append(f"{pending} papers are not indexed yet; {FIX}")
    _examine_vectors(library, health)
    _examine_words(library, problems)
    health.ok = not problems
    return health


def _expected_passages(library: Library) -> dict[str, str]:
    """Passage ids that the store should hold, and the paper of each."""
    rows = library.catalog.rows(
        """SELECT p.id, v.bounds FROM papers AS p JOIN passage_vectors AS v
           ON v.paper_id = p.id AND v.text_hash = p.text_hash AND v.model = ? WHERE p.state = 'indexed'""",
        (library.embeddings.name,),
    )
    return {f"{paper}:{start}-{end}": str(paper) for paper, bounds in rows for start, end in json.loads(str(bounds))}


def _examine_vectors(library: Library, health: Health) -> None:
    expected = _expected_passages(library)
    try:
        with library.store.use(library.version, wait=5) as store:
            held = library.store.ids(store)
            health.passages = len(held)
            if missing := expected.keys() - held:
                health.problems.append(f"{len(missing)} passages are missing from the vector store; {FIX}")
            if extra := held - expected.keys():
                health.problems.append(f"{len(extra)} passages in the vector store belong to no paper; {FIX}")
            _ask_once(library, store, expected, health)
    except CitewellError as error:
        health.problems.append(str(error))
    except Exception as error:
        health.problems.append(str(as_store_error(error)))


def _ask_once(library: Library, store: Any, expected: dict[str, str], health: Health) -> None:
    """One real query: an abstract's own vector must find its paper."""
    paper_id = next(iter(expected.values()), None)
    paper = library.paper(paper_id) if paper_id else None
    if paper is None:
        return
    vector = library.passage_vectors([paper])[paper.id][0]
    started = time.perf_counter()
    found = library.store.search(store, vector.tolist(), 3)
    if paper.id not in {passage.paper_id for passage, _ in found}:
        health.problems.append("A query for a paper's own text does not find it; run: citewell doctor --rebuild")
    elif (seconds := time.perf_counter() - started) > 2:
        health.problems.append(f"The vector store is slow: one query took {seconds:.1f} s.")


def _examine_words(library: Library, problems: list[str]) -> None:
    if len(library.words) != len(library):
        problems.append(f"The word index holds {len(library.words)} of {len(library)} papers; {FIX}")
        return
    paper = next(library.papers(), None)
    tokens = index_tokens(paper.abstract or paper.title) if paper else []
    if paper and tokens and library.words.scores(tokens)[library.words.rows[paper.id]] <= 0:
        problems.append(f"The word index does not find a paper by its own words; {FIX}")


def repair(library: Library) -> None:
    """Mark for indexing whatever the store lacks, and drop what belongs to no paper."""
    expected = _expected_passages(library)
    with library.store.use(library.version, wait=10) as store:
        held = library.store.ids(store)
        orphans = {key.rsplit(":", 1)[0] for key in held - expected.keys()}
        broken = {expected[key] for key in expected.keys() - held} | orphans
        library.store.delete_papers(sorted(orphans))
    library.mark_pending(sorted(broken))
