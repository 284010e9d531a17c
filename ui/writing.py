"""A turn on the page: its question, and its answer while it is being written."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rag.answering.events import Delta, Event, Found
from ui.answers import streaming_text
from ui.markup import to_markdown
from ui.state import AnswerJob
from ui.style import scroll_to_turn


@dataclass
class Slot:
    """The place of turn `number`: its question once, below it whatever answers it now, and what to ask next."""

    number: int
    box: DeltaGenerator
    is_asked: bool = False
    scroll: DeltaGenerator = field(init=False)
    answer: DeltaGenerator = field(init=False)
    end: DeltaGenerator = field(init=False)

    def ask(self, question: str) -> None:
        """Draw the question, if that has not been done."""
        if self.is_asked:
            return
        self.is_asked = True
        with self.box.chat_message("user"):
            anchor = f'<span id="turn-{self.number}" class="cw-anchor"></span>'
            st.markdown(anchor + to_markdown(question), unsafe_allow_html=True)
        self.scroll, self.answer, self.end = self.box.empty(), self.box.empty(), self.box.empty()

    def show(self) -> None:
        """Bring the question to the top of the page."""
        with self.scroll:
            scroll_to_turn(self.number)


class Writing:
    """An answer being written in a slot, with a button that stops it."""

    def __init__(self, job: AnswerJob, slot: Slot) -> None:
        self._job = job
        self._slot = slot
        self._seen = 0
        self._written = ""
        slot.ask(job.question)
        slot.show()
        with slot.answer.chat_message("assistant"):
            self._status = st.empty()
            self._text = st.empty()
            st.button("Stop", icon=":material/stop_circle:", on_click=job.stop, key=f"stop-{slot.number}")
        self._status.caption("Searching the library…")

    def follow(self, seconds: float = math.inf) -> bool:
        """Show what comes for up to `seconds`; whether the answer is finished."""
        for event in self._job.stream(self._seen, seconds):
            self._seen += 1
            self._show(event)
        return self._job.is_finished

    def clear(self) -> None:
        """Make room for the finished answer."""
        self._slot.answer.empty()

    def _show(self, event: Event) -> None:
        if isinstance(event, Found):
            self._status.caption(f"Reading {len(event.hits)} abstracts…")
        elif isinstance(event, Delta):
            self._written += event.text
            self._text.markdown(streaming_text(self._written), unsafe_allow_html=True)
