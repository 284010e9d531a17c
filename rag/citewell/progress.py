"""How long work tells how far it has come."""

from __future__ import annotations

from collections.abc import Callable

# Called with the stage in words, how much of it is done, and how much there is; 0 of 0 where that is not known.
Progress = Callable[[str, int, int], None]


def no_progress(stage: str, done: int, total: int) -> None:
    """A progress callback that shows nothing."""
