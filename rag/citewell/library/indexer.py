"""Making papers searchable: passages into the vector store, sentence vectors beside them.

Works through whatever is still missing, in batches that are each complete on disk before the next begins, so a
process killed anywhere is resumed by the next one.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from citewell.batches import batched
from citewell.library.passages import cut_passages, embedded_text, text_hash
from citewell.library.ports import Bounds, Catalog, Embeddings, VectorKind, Vectors, VectorStore
from citewell.paper import Paper, Passage
from citewell.progress import Progress, no_progress
from citewell.text.sentences import split_sentences

PAPERS_A_BATCH = 256


class Indexer:
    """Brings the vector store and the sentence vectors up to the catalog."""

    def __init__(self, catalog: Catalog, store: VectorStore, embeddings: Embeddings) -> None:
        self._catalog = catalog
        self._store = store
        self._embeddings = embeddings

    def run(self, progress: Progress = no_progress, *, sentences: bool = True) -> int:
        """Index everything that is pending, and the sentences if asked for; returns how many papers were pending."""
        pending = self._catalog.pending()
        for done, ids in _counted(pending):
            progress("Indexing abstracts", done, len(pending))
            self._index(list(self._catalog.papers_by_id(ids).values()))
        if pending:
            progress("Indexing abstracts", len(pending), len(pending))
        missing = self._catalog.without_vectors("sentence", self._embeddings.name) if sentences else []
        for done, ids in _counted(missing):
            progress("Indexing sentences", done, len(missing))
            self._encode_sentences(list(self._catalog.papers_by_id(ids).values()))
        if missing:
            progress("Indexing sentences", len(missing), len(missing))
        return len(pending)

    def _index(self, papers: list[Paper]) -> None:
        cached = self._catalog.vectors("passage", papers, self._embeddings.name)
        cached |= self._encode_passages([paper for paper in papers if paper.id not in cached])
        passages = [
            Passage(paper.id, paper.abstract[start:end], start, end)
            for paper in papers
            for start, end in cached[paper.id][0]
        ]
        vectors = np.concatenate([cached[paper.id][1] for paper in papers])
        with self._store.use(self._catalog.version, wait=30):
            self._store.delete_papers([paper.id for paper in papers])
            self._store.upsert(passages, vectors)
            # A paper edited while it was encoded stays pending.
            self._catalog.mark_indexed({paper.id: text_hash(paper) for paper in papers})
            self._catalog.bump_version()
            self._store.note_version(self._catalog.version)

    def _encode_passages(self, papers: list[Paper]) -> dict[str, tuple[Bounds, Vectors]]:
        if not papers:
            return {}
        offsets = self._embeddings.token_offsets
        cut = [cut_passages(paper, offsets, self._embeddings.max_tokens) for paper in papers]
        texts = [
            embedded_text(paper, passage, offsets)
            for paper, passages in zip(papers, cut, strict=True)
            for passage in passages
        ]
        bounds = [[(passage.start, passage.end) for passage in passages] for passages in cut]
        return self._remember("passage", papers, bounds, self._embeddings.encode(texts))

    def _encode_sentences(self, papers: list[Paper]) -> None:
        bounds = [split_sentences(paper.abstract) for paper in papers]
        texts = [paper.abstract[start:end] for paper, own in zip(papers, bounds, strict=True) for start, end in own]
        self._remember("sentence", papers, bounds, self._embeddings.encode(texts))

    def _remember(
        self, kind: VectorKind, papers: list[Paper], bounds: list[Bounds], vectors: Vectors
    ) -> dict[str, tuple[Bounds, Vectors]]:
        found: dict[str, tuple[Bounds, Vectors]] = {}
        first = 0
        with self._catalog.transaction():
            for paper, own in zip(papers, bounds, strict=True):
                block = vectors[first : first + len(own)]
                first += len(own)
                found[paper.id] = (own, block)
                self._catalog.save_vectors(kind, paper, self._embeddings.name, own, block)
        return found


def _counted(ids: list[str]) -> Iterable[tuple[int, list[str]]]:
    done = 0
    for batch in batched(ids, PAPERS_A_BATCH):
        yield done, batch
        done += len(batch)
