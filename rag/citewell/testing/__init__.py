"""For the tests of others: an encoder that needs no model, and the contract of each port as a class of tests.

A back end subclasses the contract of its port and overrides the one fixture that makes it; pytest runs the rest. The
contracts need pytest, the encoder does not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from citewell.testing.embeddings import HashEmbeddings

if TYPE_CHECKING:
    from citewell.testing.catalog import CatalogContract
    from citewell.testing.stores import EmbeddingsContract, VectorStoreContract, WordIndexContract

__all__ = ["CatalogContract", "EmbeddingsContract", "HashEmbeddings", "VectorStoreContract", "WordIndexContract"]
_HOMES = {"CatalogContract": "catalog"} | dict.fromkeys(
    ("EmbeddingsContract", "VectorStoreContract", "WordIndexContract"), "stores"
)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
