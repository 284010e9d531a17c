"""Every implementation of a port keeps the port's contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from citewell.library.bm25_index import Bm25Index
from citewell.library.chroma_store import ChromaStore
from citewell.library.ports import Catalog, Embeddings, VectorStore, WordIndex
from citewell.library.sqlite_catalog import SqliteCatalog
from citewell.paper import Paper
from citewell.settings import Settings
from citewell.testing import HashEmbeddings
from citewell.testing.catalog import CatalogContract
from citewell.testing.stores import EmbeddingsContract, VectorStoreContract, WordIndexContract


class TestSqliteCatalog(CatalogContract):
    @pytest.fixture
    def catalog(self, home: Path) -> Iterator[Catalog]:
        opened = SqliteCatalog(home)
        yield opened
        opened.close()


class TestChromaStore(VectorStoreContract):
    @pytest.fixture
    def store(self, settings: Settings) -> Iterator[VectorStore]:
        opened = ChromaStore(settings, HashEmbeddings(self.dimension), "a library")
        yield opened
        opened.close()


class TestBm25Index(WordIndexContract):
    @pytest.fixture
    def build(self, tmp_path: Path) -> Callable[[Sequence[Paper], int], WordIndex]:
        return Bm25Index.build


class TestBm25IndexFromDisk(WordIndexContract):
    @pytest.fixture
    def build(self, tmp_path: Path) -> Callable[[Sequence[Paper], int], WordIndex]:
        def through_disk(papers: Sequence[Paper], version: int) -> WordIndex:
            index = Bm25Index.build(papers, version)
            index.save(tmp_path / "words")
            return Bm25Index.load(tmp_path / "words", version) or index

        return through_disk


class TestBundledEmbeddings(EmbeddingsContract):
    @pytest.fixture(scope="class")
    def embeddings(self, bundled_embeddings: Embeddings) -> Embeddings:
        return bundled_embeddings


class TestHashEmbeddings(EmbeddingsContract):
    @pytest.fixture
    def embeddings(self) -> Embeddings:
        return HashEmbeddings()
