"""The library as the rest of Citewell sees it: open it, take a snapshot to read from, ingest, remove, rebuild."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from citewell.errors import LibraryBusy, ModelMismatch
from citewell.library.bm25_index import Bm25Index
from citewell.library.chroma_store import ChromaStore
from citewell.library.embeddings import ModelEmbeddings
from citewell.library.indexer import Indexer
from citewell.library.lock import this_command, writer_lock
from citewell.library.ports import Catalog, Embeddings, VectorStore, WordIndex
from citewell.library.report import IngestReport
from citewell.library.snapshot import Snapshot
from citewell.library.sqlite_catalog import SqliteCatalog
from citewell.library.sync import sync_files
from citewell.paper import Paper
from citewell.progress import Progress, no_progress
from citewell.settings import Settings

log = logging.getLogger(__name__)
# Finishing this many papers left over by a killed run is quick enough to do before answering.
RESUME_AT_ONCE = 64
PERSIST_WORDS_FROM = 500


def seeds_folder() -> Path | None:
    """The seed abstracts: inside the installed package, or at the top of a checkout."""
    package = Path(__file__).resolve().parents[1]
    return next((path for path in (package / "_seeds", package.parents[1] / "seeds") if path.is_dir()), None)


class Library:
    """One library in one home folder. Safe to share between threads."""

    def __init__(
        self,
        settings: Settings,
        embeddings: Embeddings | None = None,
        *,
        catalog: Catalog | None = None,
        store: VectorStore | None = None,
    ) -> None:
        self.settings = settings
        self.embeddings = embeddings or ModelEmbeddings.from_settings(settings)
        self.catalog = catalog or SqliteCatalog(settings.home)
        self.store = store or ChromaStore(settings, self.embeddings, self.catalog.library_id)
        self._indexer = Indexer(self.catalog, self.store, self.embeddings)
        self._word_index: WordIndex | None = None
        self._lock = threading.Lock()

    @classmethod
    def open(
        cls, settings: Settings, embeddings: Embeddings | None = None, progress: Progress = no_progress
    ) -> Library:
        """Open for reading: an empty library gets the seeds, a small rest of a killed ingest is finished."""
        library = cls(settings, embeddings)
        library._make_ready(progress)
        return library

    def _make_ready(self, progress: Progress) -> None:
        seeds = seeds_folder() if self.settings.seed else None
        never_filled = self.catalog.count() == 0 and not self.catalog.meta("filled")
        try:
            if never_filled and seeds is not None:
                self.ingest([seeds], progress)
            elif 0 < len(self.catalog.pending()) <= RESUME_AT_ONCE:
                self.resume(progress)
        except (LibraryBusy, ModelMismatch) as error:
            # Another process at work, or another model: the question is answered from what there is.
            log.info("the library is opened as it is: %s", error)

    def close(self) -> None:
        self.store.close()
        self.catalog.close()

    # -- reading -------------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """Counts up with every visible change."""
        return self.catalog.version

    def __len__(self) -> int:
        return self.catalog.count()

    def papers(self) -> Iterator[Paper]:
        """Every paper, in the order in which they were added."""
        return self.catalog.all_papers()

    def snapshot(self) -> Snapshot:
        """The present version, for one question to read from."""
        index = self._current_words(save=False)
        return Snapshot(index.version, self.catalog, self.store, self.embeddings, index)

    def _current_words(self, *, save: bool) -> WordIndex:
        """The word index of the present version: the one in memory, the one on disk, or a new one."""
        with self._lock:
            version = self.version
            if self._word_index is None or self._word_index.version != version:
                folder = self.settings.home / "words"
                index = Bm25Index.load(folder, version)
                if index is None:
                    index = Bm25Index.build(self.papers(), version)
                    if save and len(index) >= PERSIST_WORDS_FROM:
                        index.save(folder)
                self._word_index = index
            return self._word_index

    # -- writing -------------------------------------------------------------------------------------------------

    def ingest(
        self,
        paths: Sequence[Path],
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

    def remove(self, paper_ids: Sequence[str] = (), file: str = "") -> int:
        """Delete papers, also those that only `file` holds, and forget the file; returns how many went."""
        with writer_lock(self.settings.home, this_command()):
            gone = list(dict.fromkeys([*paper_ids, *(self.catalog.papers_only_from(file) if file else ())]))
            self._delete(gone)
            if file:
                self.catalog.forget_file(file)
            self._current_words(save=True)
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
            self.catalog.mark_pending()
            return self._finish(progress, changed=True)

    def _finish(self, progress: Progress, *, changed: bool, sentences: bool = True) -> int:
        before = self.version
        indexed = self._indexer.run(progress, sentences=sentences)
        if changed and self.version == before:
            with self.store.use(before, wait=30):
                self.catalog.bump_version()
                self.store.note_version(self.version)
        if self.version != before or changed:
            self._current_words(save=True)
        return indexed
