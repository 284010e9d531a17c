"""Passages and their vectors in Chroma, embedded on disk or on a server.

The embedded store must never be used by two processes at once, so every use of it holds `store.lock` and the
client is opened anew when another process has changed the library in the meantime.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from citewell.errors import CitewellError, ModelMismatch, VectorStoreError
from citewell.library.lock import store_lock
from citewell.library.passages import RECIPE
from citewell.library.ports import Embeddings, Vectors
from citewell.paper import Passage
from citewell.settings import Settings

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.collection_configuration import CreateHNSWConfiguration
    from chromadb.api.models.Collection import Collection as ChromaCollection

# Exact enough that no near neighbour is missed in libraries of this size, and still some milliseconds a query.
HNSW: CreateHNSWConfiguration = {"space": "cosine", "ef_construction": 200, "ef_search": 300, "max_neighbors": 24}
REBUILD = "Run: citewell doctor --rebuild"


class ChromaStore:
    """The Chroma collection of a library."""

    def __init__(self, settings: Settings, embeddings: Embeddings, library_id: str) -> None:
        self._settings = settings
        self._embeddings = embeddings
        self._library_id = library_id
        self._folder = settings.home / "chroma"
        self._mutex = RLock()
        self._client: ClientAPI | None = None
        self._opened: ChromaCollection | None = None
        self._opened_at = -1

    @property
    def is_remote(self) -> bool:
        return bool(self._settings.chroma_url)

    @contextmanager
    def use(self, version: int, wait: float = 1.5) -> Iterator[None]:
        """Hold the store for one use.

        `version` is the library's version as the caller knows it; a store opened at another one is opened
        anew. Raises `LibraryBusy`, `ModelMismatch` or `VectorStoreError`.
        """
        with self._mutex:
            if self.is_remote:
                self._open_at(version)
                yield
                return
            with store_lock(self._settings.home, wait):
                if version != self._opened_at:
                    self._close()
                self._open_at(version)
                yield

    def note_version(self, version: int) -> None:
        """This process itself made the change that led to `version`: the open client has seen it."""
        if self._opened is not None:
            self._opened_at = version

    def upsert(self, passages: Sequence[Passage], vectors: Vectors) -> None:
        """Write passages with vectors that were computed before; same id, same row."""
        collection = self._collection
        limit = self._limit()
        for start in range(0, len(passages), limit):
            batch = passages[start : start + limit]
            collection.upsert(
                ids=[passage.id for passage in batch],
                embeddings=np.ascontiguousarray(vectors[start : start + limit]),
                # Chroma takes no empty document; a blank stands for a missing abstract.
                documents=[passage.text or " " for passage in batch],
                metadatas=[{"paper_id": p.paper_id, "start": p.start, "end": p.end} for p in batch],
            )
        if passages and not self.is_remote:
            # The embedded engine indexes behind the caller's back; one query makes it finish while the lock is held.
            self.search(vectors[0].tolist(), 1)

    def delete_papers(self, paper_ids: Sequence[str]) -> None:
        """Remove every passage of these papers."""
        collection = self._collection
        for start in range(0, len(paper_ids), 200):
            where: Any = {"paper_id": {"$in": list(paper_ids[start : start + 200])}}
            collection.delete(where=where)

    def search(
        self, vector: Sequence[float], k: int, only: Collection[str] | None = None
    ) -> list[tuple[Passage, float]]:
        """The `k` nearest passages with their cosine similarity, best first; of the papers `only`, when given."""
        if only is not None and not only:
            return []
        where: Any = {"paper_id": {"$in": list(only)}} if only is not None else None
        found = self._collection.query(
            query_embeddings=np.asarray([vector], dtype=np.float32),
            n_results=k,
            where=where,
            include=["documents", "metadatas", "distances"],
        )
        hits = []
        rows = zip(*((found[name] or [[]])[0] for name in ("documents", "metadatas", "distances")), strict=True)
        for text, place, distance in rows:
            start, end = int(place["start"]), int(place["end"])
            passage = Passage(str(place["paper_id"]), text if end > start else "", start, end)
            hits.append((passage, 1.0 - float(distance)))
        return hits

    def ids(self) -> set[str]:
        """The ids of all passages in the store."""
        found: set[str] = set()
        page = 5_000
        while True:
            ids = self._collection.get(limit=page, offset=len(found), include=[])["ids"]
            found.update(ids)
            if len(ids) < page:
                return found

    def reset(self) -> None:
        """Drop the collection; the next use makes an empty one."""
        with self._mutex:
            if self.is_remote:
                self._reset_collection()
            else:
                with store_lock(self._settings.home, wait=10):
                    self._close()
                    self._reset_collection()

    def _reset_collection(self) -> None:
        client = self._connect()
        if self._settings.collection in {collection.name for collection in client.list_collections()}:
            client.delete_collection(self._settings.collection)
        self._opened = None

    def close(self) -> None:
        with self._mutex:
            self._close()

    def _close(self) -> None:
        # Clients have had `close` since Chroma 1.4, though their interface does not declare it.
        if self._client is not None:
            getattr(self._client, "close", lambda: None)()
        self._client = self._opened = None
        self._opened_at = -1

    @property
    def _collection(self) -> ChromaCollection:
        assert self._opened is not None
        return self._opened

    def _limit(self) -> int:
        return min(2_000, int(self._connect().get_max_batch_size()))

    def _open_at(self, version: int) -> None:
        if self._opened is None:
            self._opened = self._open()
        self._opened_at = version

    def _open(self) -> ChromaCollection:
        from chromadb.errors import ChromaError

        try:
            collection = self._connect().get_or_create_collection(
                self._settings.collection,
                metadata=self._stamp(),
                configuration={"hnsw": HNSW},
                embedding_function=None,
            )
            # A collection that was there keeps the stamp it was made with.
            found = self._connect().get_collection(self._settings.collection, embedding_function=None)
            self._check(dict(found.metadata or {}))
        except (ChromaError, OSError, ValueError) as error:
            self._client = None
            raise VectorStoreError(f"The vector store cannot be opened: {_brief(error)}.", REBUILD + ".") from error
        return collection

    def _connect(self) -> ClientAPI:
        if self._client is None:
            self._client = self._remote() if self.is_remote else self._embedded()
        return self._client

    def _embedded(self) -> ClientAPI:
        import chromadb
        from chromadb.config import Settings as ChromaSettings

        self._folder.mkdir(parents=True, exist_ok=True)
        return chromadb.PersistentClient(path=str(self._folder), settings=ChromaSettings(anonymized_telemetry=False))

    def _remote(self) -> ClientAPI:
        import chromadb
        from chromadb.config import Settings as ChromaSettings

        url = urlsplit(
            self._settings.chroma_url if "//" in self._settings.chroma_url else f"//{self._settings.chroma_url}"
        )
        token = self._settings.chroma_token.get_secret_value()
        try:
            return chromadb.HttpClient(
                host=url.hostname or "127.0.0.1",
                port=url.port or (443 if url.scheme == "https" else 8000),
                ssl=url.scheme == "https",
                headers={"Authorization": f"Bearer {token}"} if token else None,
                tenant=self._settings.chroma_tenant,
                database=self._settings.chroma_database,
                settings=ChromaSettings(anonymized_telemetry=False),
            )
        except Exception as error:
            raise VectorStoreError(
                f"The Chroma server at {self._settings.chroma_url} does not answer as expected: {_brief(error)}.",
                "Start it (chroma run --path FOLDER), or check CITEWELL_CHROMA_URL, CITEWELL_CHROMA_TOKEN, "
                "CITEWELL_CHROMA_TENANT and CITEWELL_CHROMA_DATABASE.",
            ) from None

    def _stamp(self) -> dict[str, Any]:
        return {
            "citewell_model": self._embeddings.name,
            "citewell_dimension": self._embeddings.dimension,
            "citewell_recipe": RECIPE,
            "citewell_library": self._library_id,
        }

    def _check(self, found: dict[str, Any]) -> None:
        wanted = self._stamp()
        if found.get("citewell_library", self._library_id) != self._library_id:
            raise VectorStoreError(
                f"The collection {self._settings.collection} on the Chroma server belongs to another library.",
                "Give this one a name of its own with CITEWELL_COLLECTION.",
            )
        names = ("citewell_model", "citewell_dimension", "citewell_recipe")
        if any(found.get(name) != wanted[name] for name in names):
            raise ModelMismatch(
                f"The vectors of this library were made by {found.get('citewell_model')} "
                f"({found.get('citewell_dimension')} dimensions, recipe {found.get('citewell_recipe')}), but "
                f"{wanted['citewell_model']} ({wanted['citewell_dimension']} dimensions, recipe "
                f"{wanted['citewell_recipe']}) is configured.",
                "Set CITEWELL_EMBEDDING_MODEL back, or encode the library anew with: citewell doctor --rebuild",
            )


def _brief(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return (text[0] if text else type(error).__name__).rstrip(".")


def as_store_error(error: Exception) -> CitewellError:
    """Any failure of the vector store as one that the user can act on."""
    if isinstance(error, CitewellError):
        return error
    return VectorStoreError(f"The vector store cannot be searched: {_brief(error)}.", REBUILD + ".")
