"""A deterministic encoder without a model, for tests in which meaning is not what is tested."""

from __future__ import annotations

import re

import numpy as np

from citewell.library.ports import Vectors
from citewell.text.tokens import index_tokens

_PIECE = re.compile(r"\w{1,6}|[^\w\s]")


class HashEmbeddings:
    """Unit vectors of hashed words: texts that share words are near each other, on every machine alike.

    Feature hashing with signs (Weinberger et al., 2009).
    """

    max_tokens = 256
    is_loaded = True

    def __init__(self, dimension: int = 256, name: str = "hash-embeddings") -> None:
        self.dimension = dimension
        self.name = name

    def load(self) -> None:
        """There is nothing to load."""

    def encode(self, texts: list[str]) -> Vectors:
        """Vectors of shape `(len(texts), dimension)`, float32, each of length 1."""
        return (
            np.stack([self.query_vector(text) for text in texts])
            if texts
            else np.zeros((0, self.dimension), np.float32)
        )

    def query_vector(self, text: str) -> Vectors:
        """The unit vector of a text, shape `(dimension,)`."""
        import xxhash

        vector = np.zeros(self.dimension, dtype=np.float32)
        for token in index_tokens(text) or [text]:
            number = xxhash.xxh3_64_intdigest(token.encode())
            vector[number % self.dimension] += 1.0 if (number >> 32) & 1 else -1.0
        if not vector.any():
            vector[0] = 1.0
        unit: Vectors = vector / np.linalg.norm(vector)
        return unit

    def encode_query(self, text: str) -> Vectors:
        return self.query_vector(text)

    def token_offsets(self, texts: list[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of pieces of up to six letters."""
        return [[match.span() for match in _PIECE.finditer(text)] for text in texts]
