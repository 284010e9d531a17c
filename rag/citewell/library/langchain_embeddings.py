"""An encoder of ours as LangChain's `Embeddings`, which takes a third of a second to import."""

from __future__ import annotations

from langchain_core.embeddings import Embeddings as LangChainEmbeddings

from citewell.library.ports import Embeddings


class CitewellEmbeddings(LangChainEmbeddings):
    """The library's encoder for LangChain's vector stores and chains."""

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._embeddings.encode(texts).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        vector: list[float] = self._embeddings.query_vector(text).tolist()
        return vector
