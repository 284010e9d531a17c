"""Cutting work into batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of at most `size` items, in order."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
