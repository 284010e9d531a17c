"""The library as the rest of Citewell sees it: open, ask for papers, search a leg, ingest."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.errors import CitewellError, LibraryBusy, ModelMismatch, NoSuchPaper
from rag.library.catalog import Catalog, Facets
from rag.library.embedder import SentenceTransformerEmbeddings, Vectors
from rag.library.identity import folded
from rag.library.indexer import Indexer
from rag.library.kept import best_cosines, kept_blocks, kept_vectors
from rag.library.listing import Listing
from rag.library.lock import describe_holder, this_command, writer_lock
from rag.library.report import IngestReport, Progress, no_progress
from rag.library.sync import sync_files
from rag.library.vectors import PassageStore, as_store_error
from rag.library.word_index import WordIndex
from rag.records import Paper, Passage
from rag.settings import Settings
from rag.text.sentences import split_sentences

Scores = NDArray[np.float64]
log = logging.getLogger(__name__)
# Finishing this many papers left over by a killed run is quick enough to do before answering.
RESUME_AT_ONCE = 64
PERSIST_WORDS_FROM = 500


def seeds_folder() -> Path | None:
    """The seed abstracts: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    return next((path for path in (package / "_seeds", package.parent / "seeds") if path.is_dir()), None)


class Library:
    """One library in one home folder. Safe to share between threads."""

    def __init__(self, settings: Settings, embeddings: SentenceTransformerEmbeddings | None = None) -> None:
        self.settings = settings
        self.embeddings = embeddings or SentenceTransformerEmbeddings.from_settings(settings)
        self.catalog = Catalog(settings.home)
        self.store = PassageStore(settings, self.embeddings, self.catalog.library_id)
        self._indexer = Indexer(self.catalog, self.store, self.embeddings)
        self._words: WordIndex | None = None
        self._words_lock = threading.Lock()
        self._listing: Listing | None = None
        self._listing_lock = threading.Lock()
        self._facets: tuple[int, Facets] | None = None

    @classmethod
    def open(
        cls,
        settings: Settings,
        embeddings: SentenceTransformerEmbeddings | None = None,
        progress: Progress = no_progress,
    ) -> Library:
        """Open for reading: an empty library gets the seeds, a small rest of a killed ingest is finished."""
        library = cls(settings, embeddings)
        library._prepare(progress)
        return library

    def _prepare(self, progress: Progress) -> None:
        seeds = seeds_folder() if self.settings.seed else None
        never_filled = self.catalog.count() == 0 and not self.catalog.meta("filled")
        if never_filled and seeds is not None:
            with suppress(LibraryBusy):
                self.ingest([seeds], progress)
        elif 0 < len(self._indexer.pending()) <= RESUME_AT_ONCE:
            # Another process at work, or another model: the question is answered from what there is.
            with suppress(LibraryBusy, ModelMismatch):
                self.resume(progress)

    def close(self) -> None:
        self.store.close()
        self.catalog.close()

    # -- papers --------------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """Counts up with every visible change."""
        return self.catalog.version

    def __len__(self) -> int:
        return self.catalog.count()

    def papers(self) -> Iterator[Paper]:
        """Every paper, in the order in which they were added."""
        return self.catalog.all_papers()

    def paper(self, paper_id: str) -> Paper | None:
        return self.catalog.paper(paper_id)

    def paper_called(self, name: str) -> Paper:
        """The paper with this id or title. Raises `NoSuchPaper` when there is none, or more than one."""
        found = [paper for paper in self.papers() if name == paper.id or folded(name) == folded(paper.title)]
        if len(found) != 1:
            raise NoSuchPaper(
                f"{'No paper is' if not found else f'{len(found)} papers are'} called “{name}”.",
                "Find its id with: citewell papers WORDS",
            )
        return found[0]

    @property
    def listing(self) -> Listing:
        """The papers of the present version, to look through."""
        with self._listing_lock:
            version = self.version
            if self._listing is None or self._listing.version != version:
                self._listing = Listing(self.papers(), version)
            return self._listing

    def papers_matching(self, query: str, most: int | None = None) -> list[Paper]:
        """Papers that hold every word of `query` somewhere, those with the words in their title first."""
        return list(self.papers_by_id(self.listing.search(query)[:most]).values())

    @property
    def facets(self) -> Facets:
        """The years, venues, authors and sources of the present version."""
        version = self.version
        if self._facets is None or self._facets[0] != version:
            self._facets = (version, self.catalog.facets())
        return self._facets[1]

    def papers_by_id(self, ids: Iterable[str]) -> dict[str, Paper]:
        return self.catalog.papers_by_id(ids)

    def papers_named(self, keys: Sequence[str]) -> list[tuple[str, str, str, int]]:
        """`(name key, name, paper id, weight)` for the papers that go by one of these name keys."""
        return self.catalog.find_by_name(keys)

    # -- writing -------------------------------------------------------------------------------------------------

    def ingest(
        self,
        paths: list[Path],
        progress: Progress = no_progress,
        *,
        dry_run: bool = False,
        remove_missing: bool = False,
    ) -> IngestReport:
        """Read files and folders into the library and index what is new.

        `dry_run` only tells what would happen. `remove_missing` deletes the papers that no file holds any more.
        Raises `UnreadableFile` with nothing changed, or `LibraryBusy` when another process writes.
        """
        with writer_lock(self.settings.home, this_command()):
            report = sync_files(self.catalog, paths, progress, dry_run=dry_run)
            if dry_run:
                return report
            self.catalog.set_meta("filled", "yes")
            if remove_missing and report.missing:
                self._delete(report.missing)
            self._finish(progress, changed=report.changed)
            report.save(self.settings.home / "reports")
        return report

    def remove(self, paper_ids: Sequence[str] = (), source: str = "") -> int:
        """Delete papers, also those that only the file `source` holds, and forget the file; returns how many went."""
        with writer_lock(self.settings.home, this_command()):
            gone = list(dict.fromkeys([*paper_ids, *(self.catalog.papers_only_from(source) if source else ())]))
            self._delete(gone)
            if source:
                self.catalog.forget_source(source)
            self._refresh_words(save=True)
        return len(gone)

    def _delete(self, paper_ids: Sequence[str]) -> None:
        with self.store.use(self.version, wait=30):
            self.store.delete_papers(paper_ids)
            self.catalog.delete_papers(paper_ids)
            self.catalog.bump_version()
            self.store.note_version(self.version)

    def resume(self, progress: Progress = no_progress, *, sentences: bool = True) -> int:
        """Index what an interrupted run left over; returns the number of papers.

        Without `sentences` only search is made ready, which takes half the time.
        """
        with writer_lock(self.settings.home, this_command()):
            return self._finish(progress, changed=False, sentences=sentences)

    def rebuild(self, progress: Progress = no_progress) -> int:
        """Make the vector store and word index anew from the catalog; returns the number of papers.

        Vectors kept by the catalog are used again; only another model or changed text is encoded.
        """
        with writer_lock(self.settings.home, this_command()):
            self.store.reset()
            with self.catalog.transaction() as connection:
                connection.execute("UPDATE papers SET state = 'pending'")
            return self._finish(progress, changed=True)

    def mark_pending(self, paper_ids: Sequence[str]) -> None:
        """Have these papers indexed again by the next `resume`."""
        with self.catalog.transaction() as connection:
            connection.executemany("UPDATE papers SET state = 'pending' WHERE id = ?", [(key,) for key in paper_ids])

    def _finish(self, progress: Progress, *, changed: bool, sentences: bool = True) -> int:
        before = self.version
        indexed = self._indexer.run(progress, sentences=sentences)
        if changed and self.version == before:
            with self.store.use(before, wait=30):
                self.catalog.bump_version()
                self.store.note_version(self.version)
        if self.version != before or changed:
            self._refresh_words(save=True)
        return indexed

    @property
    def pending(self) -> int:
        """How many papers are known but not in the vector store yet."""
        return len(self._indexer.pending())

    # -- the legs of search --------------------------------------------------------------------------------------

    @property
    def words(self) -> WordIndex:
        """The word index of the present version."""
        if self._words is None or self._words.version != self.version:
            self._refresh_words(save=False)
        assert self._words is not None
        return self._words

    def _refresh_words(self, *, save: bool) -> None:
        with self._words_lock:
            version = self.version
            if self._words is not None and self._words.version == version:
                return
            folder = self.settings.home / "words"
            index = WordIndex.load(folder, version)
            if index is None:
                index = WordIndex.build(self.papers(), version)
                if save and len(index) >= PERSIST_WORDS_FROM:
                    index.save(folder)
            self._words = index

    def nearest_passages(self, vector: Sequence[float], k: int) -> tuple[list[tuple[Passage, float]], str]:
        """The `k` nearest passages with cosine similarities, and a notice when the store could not be asked."""
        if len(self) == 0:
            return [], ""
        try:
            with self.store.use(self.version) as store:
                return self.store.search(store, vector, k), ""
        except LibraryBusy:
            holder = describe_holder(self.settings.home)
            return [], f"Searched by words only: the vector store is in use by {holder}."
        except ModelMismatch:
            raise
        except CitewellError as error:
            return [], f"Searched by words only. {error}"
        except Exception as error:
            log.warning("vector store", exc_info=True)
            return [], f"Searched by words only. {as_store_error(error)}"

    def similar(self, paper: Paper, k: int) -> list[Paper]:
        """The `k` papers nearest to one by meaning, nearest first."""
        own = self.passage_vectors([paper]).get(paper.id)
        if own is None or not len(own):
            return []
        near, _ = self.nearest_passages(own.mean(axis=0).tolist(), 4 * k + len(own))
        ids = dict.fromkeys(passage.paper_id for passage, _ in near if passage.paper_id != paper.id)
        return list(self.papers_by_id(list(ids)[:k]).values())

    def cosines(self, ids: Sequence[str], vector: Vectors) -> Scores:
        """The cosine of each paper's best passage with a unit vector, -1 for a paper without vectors."""
        blocks = kept_blocks(self.catalog, "passage_vectors", ids, self.embeddings.name)
        return best_cosines(blocks, ids, vector)

    def passage_vectors(self, papers: Iterable[Paper]) -> dict[str, Vectors]:
        """Passage vectors kept for these papers, shape `(passages, dimension)` each."""
        kept = kept_vectors(self.catalog, "passage_vectors", papers, self.embeddings.name)
        return {paper_id: vectors for paper_id, (_, vectors) in kept.items()}

    def centres(self, papers: Iterable[Paper]) -> tuple[list[str], Vectors]:
        """Ids and unit mean passage vectors, shape `(papers, dimension)`, of those papers that have vectors."""
        kept = self.passage_vectors(papers)
        if not kept:
            return [], np.zeros((0, 1), dtype=np.float32)
        means = np.stack([vectors.mean(axis=0) for vectors in kept.values()])
        return list(kept), means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)

    def sentence_vectors(self, papers: Iterable[Paper]) -> dict[str, tuple[list[tuple[int, int]], Vectors]]:
        """Sentence offsets and vectors kept for these papers; papers not encoded yet are left out."""
        return kept_vectors(self.catalog, "sentence_vectors", papers, self.embeddings.name)

    def encoded_sentences(self, papers: Iterable[Paper]) -> dict[str, tuple[list[tuple[int, int]], Vectors]]:
        """Like `sentence_vectors`, but papers that are not encoded yet are encoded now, without keeping it."""
        papers = list(papers)
        found = self.sentence_vectors(papers)
        for paper in papers:
            if paper.id not in found:
                bounds = split_sentences(paper.abstract)
                found[paper.id] = bounds, self.embeddings.encode([paper.abstract[a:b] for a, b in bounds])
        return found

    def pool_scores(self, ids: Sequence[str], vector: Vectors) -> tuple[Scores, Scores, Vectors]:
        """How near each paper is to a unit vector: its best passage, its best sentence, and its own mean vector.

        Shapes `(papers,)`, `(papers,)`, `(papers, dimension)`. Without sentence vectors the passage stands in.
        """
        blocks = kept_blocks(self.catalog, "passage_vectors", ids, self.embeddings.name)
        passages = best_cosines(blocks, ids, vector)
        inner = kept_blocks(self.catalog, "sentence_vectors", ids, self.embeddings.name)
        sentences = best_cosines(inner, ids, vector)
        centres = np.zeros((len(ids), vector.size), dtype=np.float32)
        for row, paper_id in enumerate(ids):
            if paper_id in blocks:
                centres[row] = blocks[paper_id].reshape(-1, vector.size).sum(axis=0)
        centres /= np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), 1e-9)
        return passages, np.where(sentences < -0.5, passages, sentences), centres

    def query_vector(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a question, shape `(dimension,)`; the last few are remembered."""
        vector: NDArray[np.float32] = self._query_vector(text)
        return vector

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """Like `query_vector`, but always encoded anew: for measuring."""
        vector: NDArray[np.float32] = self.embeddings.encode([text])[0]
        return vector

    @lru_cache(maxsize=64)  # noqa: B019 - a library lives as long as its process
    def _query_vector(self, text: str) -> NDArray[np.float32]:
        return self.encode_query(text)
