"""Making papers searchable: passages into the vector store, sentence vectors beside them.

Works through whatever is still missing, in batches that are each complete on disk before the next begins, so a
process killed anywhere is resumed by the next one.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rag.batches import batched
from rag.library.catalog import Catalog
from rag.library.embedder import SentenceTransformerEmbeddings, Vectors
from rag.library.kept import Bounds, keep, kept_vectors
from rag.library.passages import cut_passages, embedded_text, text_hash
from rag.library.report import Progress, no_progress
from rag.library.vectors import PassageStore
from rag.records import Paper, Passage
from rag.text.sentences import split_sentences

PAPERS_A_BATCH = 256


class Indexer:
    """Brings the vector store and the sentence vectors up to the catalog."""

    def __init__(self, catalog: Catalog, store: PassageStore, embeddings: SentenceTransformerEmbeddings) -> None:
        self._catalog = catalog
        self._store = store
        self._embeddings = embeddings

    def pending(self) -> list[str]:
        """Papers whose passages are not in the vector store."""
        return [
            str(row[0]) for row in self._catalog.rows("SELECT id FROM papers WHERE state <> 'indexed' ORDER BY seq")
        ]

    def without_sentences(self) -> list[str]:
        """Papers whose sentences have no vectors of the current model and text."""
        sql = """SELECT id FROM papers LEFT JOIN sentence_vectors AS v
                 ON v.paper_id = papers.id AND v.text_hash = papers.text_hash AND v.model = ?
                 WHERE v.paper_id IS NULL AND abstract <> '' ORDER BY seq"""
        return [str(row[0]) for row in self._catalog.rows(sql, (self._embeddings.name,))]

    def run(self, progress: Progress = no_progress, *, sentences: bool = True) -> int:
        """Index everything that is pending, and the sentences if asked for; returns how many papers were pending."""
        pending = self.pending()
        for done, ids in _counted(pending):
            progress("Indexing abstracts", done, len(pending))
            self._index(list(self._catalog.papers_by_id(ids).values()))
        if pending:
            progress("Indexing abstracts", len(pending), len(pending))
        missing = self.without_sentences() if sentences else []
        for done, ids in _counted(missing):
            progress("Indexing sentences", done, len(missing))
            self._encode_sentences(list(self._catalog.papers_by_id(ids).values()))
        if missing:
            progress("Indexing sentences", len(missing), len(missing))
        return len(pending)

    def _index(self, papers: list[Paper]) -> None:
        cached = kept_vectors(self._catalog, "passage_vectors", papers, self._embeddings.name)
        fresh = [paper for paper in papers if paper.id not in cached]
        cached |= self._encode_passages(fresh)
        passages = [
            Passage(paper.id, paper.abstract[start:end], start, end)
            for paper in papers
            for start, end in cached[paper.id][0]
        ]
        vectors = np.concatenate([cached[paper.id][1] for paper in papers])
        with self._store.use(self._catalog.version, wait=30) as store:
            self._store.delete_papers([paper.id for paper in papers])
            self._store.upsert(store, passages, vectors)
            with self._catalog.transaction() as connection:
                # A paper edited while it was encoded stays pending.
                connection.executemany(
                    "UPDATE papers SET state = 'indexed' WHERE id = ? AND text_hash = ?",
                    [(paper.id, text_hash(paper)) for paper in papers],
                )
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
        return self._remember("passage_vectors", papers, bounds, self._embeddings.encode(texts), np.float32)

    def _encode_sentences(self, papers: list[Paper]) -> None:
        bounds = [split_sentences(paper.abstract) for paper in papers]
        texts = [paper.abstract[start:end] for paper, own in zip(papers, bounds, strict=True) for start, end in own]
        self._remember("sentence_vectors", papers, bounds, self._embeddings.encode(texts), np.float16)

    def _remember(
        self, table: str, papers: list[Paper], bounds: list[Bounds], vectors: Vectors, kind: type[np.floating]
    ) -> dict[str, tuple[Bounds, Vectors]]:
        found: dict[str, tuple[Bounds, Vectors]] = {}
        first = 0
        with self._catalog.transaction() as connection:
            for paper, own in zip(papers, bounds, strict=True):
                block = vectors[first : first + len(own)]
                first += len(own)
                found[paper.id] = (own, block)
                keep(connection, table, paper, self._embeddings.name, own, block.astype(kind))
        return found


def _counted(ids: list[str]) -> Iterable[tuple[int, list[str]]]:
    done = 0
    for batch in batched(ids, PAPERS_A_BATCH):
        yield done, batch
        done += len(batch)
