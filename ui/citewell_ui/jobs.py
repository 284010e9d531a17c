"""Long work on a thread of its own, with progress that any rerun of the script can show."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

import streamlit as st

from citewell.errors import CitewellError
from citewell.progress import Progress
from citewell_ui.markup import label

T = TypeVar("T")
POLL = 0.2
log = logging.getLogger(__name__)
# Before this share is done, an estimate of the time left is a guess.
FIRST_ESTIMATE = 0.03


class Job(Generic[T]):
    """One piece of work: its progress, and in the end a result or an error in the user's words."""

    def __init__(self, work: Callable[[Progress], T], name: str) -> None:
        self.result: T | None = None
        self.error = ""
        self._progress = (name, 0, 0)
        self._stage_began = time.monotonic()
        self._finished = threading.Event()
        threading.Thread(target=self._run, args=(work,), name="citewell-job", daemon=True).start()

    @property
    def is_finished(self) -> bool:
        return self._finished.is_set()

    def wait(self, seconds: float) -> bool:
        return self._finished.wait(seconds)

    def status(self) -> tuple[float, str]:
        """The share that is done (0 to 1) and what is going on, with the time left of this step."""
        stage, done, total = self._progress
        if not total:
            return 0.0, stage
        share = min(1.0, done / total)
        passed = time.monotonic() - self._stage_began
        left = passed * (1 - share) / share if share >= FIRST_ESTIMATE and passed > 1 else 0.0
        return share, f"{stage}: {done:,} of {total:,}" + (f", about {_duration(left)} left" if left > 1 else "")

    def _note(self, stage: str, done: int, total: int) -> None:
        if stage != self._progress[0]:
            self._stage_began = time.monotonic()
        self._progress = (stage, done, total)

    def _run(self, work: Callable[[Progress], T]) -> None:
        try:
            self.result = work(self._note)
        except CitewellError as error:
            self.error = str(error)
        except Exception as error:  # whatever it is, the page must say so rather than wait for ever
            log.exception("background work failed")
            self.error = f"This could not be done: {type(error).__name__}: {error}"
        finally:
            self._finished.set()


def follow(job: Job[T], *, patience: float = 3_600.0) -> bool:
    """Show a job's progress until it has finished; whether it has."""
    if not job.wait(POLL):
        bar = st.progress(0.0, text=label(job.status()[1]))
        deadline = time.monotonic() + patience
        while not job.wait(POLL) and time.monotonic() < deadline:
            share, text = job.status()
            bar.progress(share, text=label(text))
        bar.empty()
    return job.is_finished


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
