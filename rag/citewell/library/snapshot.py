"""What one question reads of the library, read once.

A question holds a snapshot from start to end: papers, names and vectors that several steps ask for are read from the
catalog one time, and all of them see the word index and the dictionaries of one library version.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from citewell import wording
from citewell.errors import CitewellError, LibraryBusy, ModelMismatch
from citewell.facets import Facets
from citewell.filters import Filters
from citewell.library.chroma_store import as_store_error
from citewell.library.ports import Bounds, Catalog, Embeddings, NameMatch, VectorKind, Vectors, VectorStore, WordIndex
from citewell.paper import Paper, Passage
from citewell.text.sentences import split_sentences

log = logging.getLogger(__name__)
NEIGHBOURS = 10


class Snapshot:
    """One version of the library, for reading."""

    def __init__(
        self, version: int, catalog: Catalog, store: VectorStore, embeddings: Embeddings, word_index: WordIndex
    ) -> None:
        self.version = version
        self.word_index = word_index
        self.embeddings = embeddings
        self._catalog = catalog
        self._store = store
        self._papers: dict[str, Paper] = {}
        self._names: dict[str, list[NameMatch]] = {}
        self._vectors: dict[tuple[VectorKind, str], tuple[Bounds, Vectors] | None] = {}
        self._near: dict[tuple[bytes, int], tuple[list[tuple[Passage, float]], str]] = {}

    def __len__(self) -> int:
        return len(self.word_index)

    @cached_property
    def facets(self) -> Facets:
        """The years, venues, authors and files of the library."""
        return self._catalog.facets()

    @cached_property
    def pending(self) -> int:
        """How many papers are known but not in the vector store yet."""
        return len(self._catalog.pending())

    # -- papers --------------------------------------------------------------------------------------------------

    def paper(self, paper_id: str) -> Paper | None:
        return self.papers_by_id([paper_id]).get(paper_id)

    def papers_by_id(self, ids: Iterable[str]) -> dict[str, Paper]:
        """The papers with these ids, in the order asked for; unknown ids are left out."""
        wanted = list(dict.fromkeys(ids))
        if missing := [key for key in wanted if key not in self._papers]:
            self._papers |= self._catalog.papers_by_id(missing)
        return {key: self._papers[key] for key in wanted if key in self._papers}

    def find_by_keys(self, keys: Sequence[str]) -> list[str]:
        """Ids of the papers known by one of these identity keys, the first key's first."""
        found = self._catalog.find_by_keys(keys)
        return list(dict.fromkeys(paper_id for key in keys for paper_id in found.get(key, ())))

    def find_by_names(self, keys: Sequence[str]) -> list[NameMatch]:
        """The papers that go by one of these name keys."""
        if missing := [key for key in dict.fromkeys(keys) if key not in self._names]:
            self._names |= {key: [] for key in missing}
            for match in self._catalog.find_by_names(missing):
                self._names[match.key].append(match)
        return [match for key in dict.fromkeys(keys) for match in self._names[key]]

    def matching(self, text: str, most: int | None = None, filters: Filters | None = None) -> list[Paper]:
        """Papers that hold every word of `text` somewhere, those with the words in their title first."""
        return list(self.papers_by_id(self._catalog.search(text, filters, limit=most).ids).values())

    def admitted(self, filters: Filters) -> list[str]:
        """Ids of the papers that pass, in the order in which they were added."""
        return self._catalog.search(filters=filters).ids

    def newest(self, filters: Filters, most: int) -> list[Paper]:
        """The papers that pass, newest first."""
        return list(self.papers_by_id(self._catalog.search(filters=filters, sort="newest", limit=most).ids).values())

    # -- vectors -------------------------------------------------------------------------------------------------

    def query_vector(self, text: str) -> Vectors:
        """The unit vector of a question, shape `(dimension,)`."""
        return self.embeddings.query_vector(text)

    def nearest_passages(self, vector: Vectors, k: int) -> tuple[list[tuple[Passage, float]], str]:
        """The `k` nearest passages with cosine similarities, and why the store could not be asked, if so."""
        if not len(self):
            return [], ""
        key = (vector.tobytes(), k)
        if key not in self._near:
            self._near[key] = self._ask_store(vector, k)
        return self._near[key]

    def _ask_store(self, vector: Vectors, k: int) -> tuple[list[tuple[Passage, float]], str]:
        try:
            with self._store.use(self.version):
                return self._store.search(vector.tolist(), k), ""
        except LibraryBusy as busy:
            return [], wording.STORE_IN_USE.format(holder=busy.holder)
        except ModelMismatch:
            raise
        except CitewellError as error:
            return [], str(error)
        except Exception as error:
            log.warning("the vector store could not be searched", exc_info=True)
            return [], str(as_store_error(error))

    def _kept(self, kind: VectorKind, papers: Iterable[Paper]) -> dict[str, tuple[Bounds, Vectors]]:
        papers = list(papers)
        if missing := [paper for paper in papers if (kind, paper.id) not in self._vectors]:
            read = self._catalog.vectors(kind, missing, self.embeddings.name)
            self._vectors |= {(kind, paper.id): read.get(paper.id) for paper in missing}
        found = ((paper.id, self._vectors[kind, paper.id]) for paper in papers)
        return {paper_id: own for paper_id, own in found if own is not None}

    def passage_vectors(self, papers: Iterable[Paper]) -> dict[str, Vectors]:
        """Passage vectors kept for these papers, shape `(passages, dimension)` each."""
        return {paper_id: vectors for paper_id, (_, vectors) in self._kept("passage", papers).items()}

    def mean_vectors(self, papers: Iterable[Paper]) -> tuple[list[str], Vectors]:
        """Ids and unit mean passage vectors, shape `(papers, dimension)`, of those papers that have vectors."""
        kept = self.passage_vectors(papers)
        if not kept:
            return [], np.zeros((0, 1), dtype=np.float32)
        means = np.stack([vectors.mean(axis=0) for vectors in kept.values()])
        return list(kept), means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)

    def sentence_vectors(self, papers: Iterable[Paper]) -> dict[str, tuple[Bounds, Vectors]]:
        """Sentence offsets and vectors kept for these papers; papers not encoded yet are left out."""
        return self._kept("sentence", papers)

    def encoded_sentences(self, papers: Iterable[Paper]) -> dict[str, tuple[Bounds, Vectors]]:
        """Like `sentence_vectors`, but papers that are not encoded yet are encoded now, without keeping it."""
        papers = list(papers)
        found = self.sentence_vectors(papers)
        for paper in papers:
            if paper.id not in found:
                bounds = split_sentences(paper.abstract)
                found[paper.id] = bounds, self.embeddings.encode([paper.abstract[a:b] for a, b in bounds])
        return found

    def cosines(self, ids: Sequence[str], vector: Vectors) -> Vectors:
        """The cosine of each paper's best passage with a unit vector, -1 for a paper without vectors."""
        return best_cosines(self._catalog.vector_blocks("passage", ids, self.embeddings.name), ids, vector)

    def pool_scores(self, ids: Sequence[str], vector: Vectors) -> tuple[Vectors, Vectors, Vectors]:
        """How near each paper is to a unit vector: its best passage, its best sentence, and its own mean vector.

        Shapes `(papers,)`, `(papers,)`, `(papers, dimension)`. Without sentence vectors the passage stands in.
        """
        blocks = self._catalog.vector_blocks("passage", ids, self.embeddings.name)
        passages = best_cosines(blocks, ids, vector)
        inner = self._catalog.vector_blocks("sentence", ids, self.embeddings.name)
        sentences = best_cosines(inner, ids, vector)
        means = np.zeros((len(ids), vector.size), dtype=np.float32)
        for row, paper_id in enumerate(ids):
            if paper_id in blocks:
                means[row] = blocks[paper_id].reshape(-1, vector.size).sum(axis=0)
        means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)
        return passages, np.where(sentences < -0.5, passages, sentences), means

    def similar(self, paper: Paper, k: int) -> list[Paper]:
        """The `k` papers nearest to one by meaning, nearest first."""
        own = self.passage_vectors([paper]).get(paper.id)
        if own is None or not len(own):
            return []
        near, _ = self.nearest_passages(own.mean(axis=0), 4 * k + len(own))
        ids = dict.fromkeys(passage.paper_id for passage, _ in near if passage.paper_id != paper.id)
        return list(self.papers_by_id(list(ids)[:k]).values())

    def lead_of_others(self, text: str, paper: Paper) -> float:
        """How much nearer to a text the nearest other paper is than any sentence of this one, in cosines."""
        vector = self.query_vector(text)
        kept = self.sentence_vectors([paper]).get(paper.id)
        own = float((kept[1] @ vector).max()) if kept and len(kept[1]) else 0.0
        near, _ = self.nearest_passages(vector, NEIGHBOURS)
        return max((cosine for passage, cosine in near if passage.paper_id != paper.id), default=0.0) - own


def best_cosines(blocks: dict[str, Vectors], ids: Sequence[str], query: Vectors) -> Vectors:
    """The best cosine of each paper's vectors with a unit vector, -1 where a paper has none; shape `(len(ids),)`."""
    own = [blocks.get(paper_id) for paper_id in ids]
    filled = [(row, block) for row, block in enumerate(own) if block is not None and block.size]
    best = np.full(len(ids), -1.0, dtype=np.float64)
    if filled:
        cosines = np.concatenate([block for _, block in filled]).reshape(-1, query.size).astype(np.float32) @ query
        starts = np.cumsum([0, *(block.size // query.size for _, block in filled[:-1])])
        best[[row for row, _ in filled]] = np.maximum.reduceat(cosines, starts)
    return best  # type: ignore[return-value]
