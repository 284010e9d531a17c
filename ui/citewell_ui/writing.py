"""A turn on the page: its question, and its answer while it is being written."""

from __future__ import annotations

import math

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from citewell.events import Delta, Event, Found
from citewell_ui.answers import streaming_text
from citewell_ui.markup import to_markdown
from citewell_ui.state import AnswerJob
from citewell_ui.style import scroll_to_turn


class Slot:
    """The place of turn `number`: its question, what brings it to the top of the page, its answer, what to ask next."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.box = st.container(key=f"turn-{number}")
        self._scroll: DeltaGenerator | None = None
        self._live: DeltaGenerator | None = None
        self._is_live = False

    def ask(self, question: str) -> None:
        """Draw the question, if that has not been done."""
        if self._scroll is not None:
            return
        with self.box.chat_message("user"):
            anchor = f'<span id="turn-{self.number}" class="cw-anchor"></span>'
            st.markdown(anchor + to_markdown(question), unsafe_allow_html=True)
        # Both stay empty most of the time; they are there so that what follows keeps its place in the page's tree.
        self._scroll, self._live = self.box.empty(), self.box.empty()

    def show(self) -> None:
        """Bring the question to the top of the page."""
        assert self._scroll is not None
        with self._scroll:
            scroll_to_turn(self.number)

    def live(self) -> DeltaGenerator:
        """A message for an answer that is being written."""
        assert self._live is not None
        self._is_live = True
        return self._live.chat_message("assistant")

    def answer(self) -> DeltaGenerator:
        """The message of the finished answer, in place of the one that was written."""
        if self._live is not None and self._is_live:
            self._live.empty()
        return self.box.chat_message("assistant")


class Writing:
    """An answer being written in a slot, with a button that stops it."""

    def __init__(self, job: AnswerJob, slot: Slot, status: str) -> None:
        self._job = job
        self._seen = 0
        self._written = ""
        slot.ask(job.question)
        slot.show()
        with slot.live():
            self._status = st.empty()
            self._text = st.empty()
            st.button("Stop", icon=":material/stop_circle:", on_click=job.stop, key=f"stop-{slot.number}")
        self._status.caption(status)

    def follow(self, seconds: float = math.inf) -> bool:
        """Show what comes for up to `seconds`; whether the answer is finished."""
        for event in self._job.stream(self._seen, seconds):
            self._seen += 1
            self._show(event)
        return self._job.is_finished

    def _show(self, event: Event) -> None:
        if isinstance(event, Found):
            self._status.caption(f"Reading {len(event.hits)} abstracts…")
        elif isinstance(event, Delta):
            self._written += event.text
            self._text.markdown(streaming_text(self._written), unsafe_allow_html=True)
