"""What the library asks of its stores. Each port has one module for each implementation beside this one.

A class of tests for each port ships in `citewell.testing`: a back end written elsewhere subclasses it and overrides
one fixture.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from citewell.facets import Facets
from citewell.filters import Filters
from citewell.paper import Paper, Passage
from citewell.text.names import Name

Vectors = NDArray[np.float32]
Scores = NDArray[np.float32]
Bounds = list[tuple[int, int]]
VectorKind = Literal["passage", "sentence"]
Sort = Literal["relevance", "title", "newest", "oldest", "added"]
SORTS: tuple[Sort, ...] = ("relevance", "title", "newest", "oldest", "added")


@dataclass(frozen=True, slots=True)
class Page:
    """Some ids of a list in its order, and how long the whole list is."""

    ids: list[str]
    total: int


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A paper that goes by a name: the folded key, the name as written, and how surely it is the paper's own."""

    key: str
    name: str
    paper_id: str
    weight: int


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One record of a file: its place, what it held (a hash), and which paper it became."""

    record: int
    content_hash: str
    paper_id: str


@runtime_checkable
class Catalog(Protocol):
    """The papers, the files they came from, and the keys by which they are known again: the source of truth.

    Safe to share between threads. Writes belong in `transaction()`, which may be nested.
    """

    library_id: str

    @property
    def version(self) -> int:
        """Counts up with every visible change of the library."""

    def bump_version(self) -> None: ...

    def meta(self, key: str, default: str = "") -> str: ...

    def set_meta(self, key: str, value: str) -> None: ...

    def transaction(self) -> AbstractContextManager[None]:
        """A write that happens whole or not at all; one inside another is part of it."""

    def count(self, filters: Filters | None = None) -> int:
        """How many papers pass the filters."""

    def papers_by_id(self, ids: Iterable[str]) -> dict[str, Paper]:
        """The papers with these ids, in the order asked for; unknown ids are left out."""

    def all_papers(self) -> Iterator[Paper]:
        """Every paper, in the order in which they were added."""

    def facets(self) -> Facets:
        """The values by which papers can be filtered."""

    def search(
        self,
        text: str = "",
        filters: Filters | None = None,
        sort: Sort = "relevance",
        limit: int | None = None,
        offset: int = 0,
    ) -> Page:
        """Papers that hold every word of `text` (its last letters may be missing) and pass the filters.

        "relevance" puts papers with the words in their title first, else keeps the order in which they were added.
        """

    def find_by_keys(self, keys: Sequence[str]) -> dict[str, list[str]]:
        """Ids of the papers known by each of the identity keys; keys that nobody has are left out."""

    def find_by_names(self, keys: Sequence[str]) -> list[NameMatch]:
        """The papers that go by one of these name keys."""

    def save_paper(self, paper: Paper, text_hash: str, keys: Iterable[str], names: Iterable[Name]) -> None:
        """Insert or replace a paper; it becomes pending when its embedded text changed."""

    def delete_papers(self, paper_ids: Iterable[str]) -> None:
        """Forget papers and everything known of them."""

    def pending(self) -> list[str]:
        """Papers whose passages are not in the vector store, in the order in which they were added."""

    def mark_pending(self, paper_ids: Sequence[str] | None = None) -> None:
        """Have these papers indexed again, or all."""

    def mark_indexed(self, hashes: Mapping[str, str]) -> None:
        """These papers are in the vector store, unless their text hash has changed meanwhile."""

    def files(self) -> list[tuple[str, int]]:
        """Every file that papers were read from, and how many papers of the library it holds."""

    def is_file(self, file: str) -> bool:
        """Whether any paper was read from a file, given by path or by name."""

    def forget_file(self, file: str) -> None:
        """Forget that papers were read from a file, given by path or by name."""

    def papers_only_from(self, file: str) -> list[str]:
        """Papers that no other file holds, the file given by path or by name."""

    def papers_without_file(self) -> list[str]:
        """Papers that no file holds any more."""

    def records(self, path: str) -> list[FileRecord]:
        """What a file held when it was read last, in its order."""

    def save_record(self, path: str, record: FileRecord) -> None: ...

    def drop_records_after(self, path: str, last: int) -> None:
        """Forget the records of a file behind place `last`: it has become shorter."""

    def count_records(self, paper_id: str) -> int:
        """How many records of all files are this paper."""

    def vectors(self, kind: VectorKind, papers: Iterable[Paper], model: str) -> dict[str, tuple[Bounds, Vectors]]:
        """Character offsets and vectors kept for these papers by this model and for their present text, by id."""

    def vector_blocks(self, kind: VectorKind, ids: Sequence[str], model: str) -> dict[str, Vectors]:
        """The vectors alone of these papers, flat, in the precision they are kept in: for scoring many at once."""

    def save_vectors(self, kind: VectorKind, paper: Paper, model: str, bounds: Bounds, vectors: Vectors) -> None: ...

    def without_vectors(self, kind: VectorKind, model: str) -> list[str]:
        """Papers with an abstract that have no vectors of this model for their present text."""

    def indexed_passages(self, model: str) -> dict[str, str]:
        """Passage ids that the vector store should hold, and the paper of each."""

    def check(self) -> str:
        """What is wrong with the store's own files; empty when nothing is."""

    def close(self) -> None: ...


@runtime_checkable
class VectorStore(Protocol):
    """Passages and their unit vectors, searched by cosine similarity. Every call stands inside `use`."""

    def use(self, version: int, wait: float = 1.5) -> AbstractContextManager[None]:
        """Hold the store for one use.

        `version` is the library's version as the caller knows it; a store opened at another one is opened anew.
        Raises `LibraryBusy`, `ModelMismatch` or `VectorStoreError`.
        """

    def note_version(self, version: int) -> None:
        """This process itself made the change that led to `version`."""

    def upsert(self, passages: Sequence[Passage], vectors: Vectors) -> None:
        """Write passages with their vectors, shape `(passages, dimension)`; same id, same row."""

    def delete_papers(self, paper_ids: Sequence[str]) -> None:
        """Remove every passage of these papers."""

    def search(
        self, vector: Sequence[float], k: int, only: Collection[str] | None = None
    ) -> list[tuple[Passage, float]]:
        """The `k` nearest passages with their cosine similarity, best first; of the papers `only`, when given."""

    def ids(self) -> set[str]:
        """The ids of all passages."""

    def reset(self) -> None:
        """Drop everything; the next use begins an empty store. Not inside `use`."""

    def close(self) -> None: ...


@runtime_checkable
class WordIndex(Protocol):
    """BM25 scores of every paper for a bag of index tokens, and how rare each token is in the library."""

    version: int

    @property
    def ids(self) -> Sequence[str]:
        """The papers, in the order of `scores`."""

    @property
    def rows(self) -> Mapping[str, int]:
        """The place of each paper in `ids`."""

    def __len__(self) -> int: ...

    def scores(self, tokens: Sequence[str]) -> Scores:
        """The score of every paper, shape `(papers,)`, higher is better, 0 without any of the tokens."""

    def document_frequency(self, token: str) -> int:
        """In how many papers a token stands."""

    def idf(self, token: str) -> float:
        """Inverse document frequency, smoothed; highest for a word that the library does not hold."""

    def share(self, tokens: Iterable[str], held: Iterable[str]) -> float:
        """How many of `tokens` are among `held`, weighted by rarity, 0 to 1."""


@runtime_checkable
class Embeddings(Protocol):
    """Text to unit vectors. Thread-safe; nothing heavy is imported before the first text."""

    @property
    def name(self) -> str:
        """The model's name as it is stored with the vectors."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def max_tokens(self) -> int:
        """Word pieces that the model reads, the two end marks included."""

    @property
    def is_loaded(self) -> bool:
        """Whether questions can be encoded without loading anything first."""

    def load(self) -> None:
        """Load what encodes questions now, rather than with the first one."""

    def encode(self, texts: list[str]) -> Vectors:
        """Vectors of documents, shape `(len(texts), dimension)`, float32, each of length 1."""

    def query_vector(self, text: str) -> Vectors:
        """The unit vector of a question, shape `(dimension,)`; the last few are remembered."""

    def encode_query(self, text: str) -> Vectors:
        """Like `query_vector`, but always encoded anew: for measuring."""

    def token_offsets(self, texts: list[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of the word pieces of each text, end marks left out."""
