"""The chat screen."""

from __future__ import annotations

import streamlit as st

from rag.answering.events import Delta, Found
from rag.answering.examples import example_questions
from rag.chat import Turn
from rag.records import Filters
from ui.answers import draw_answer, draw_filters, streaming_text
from ui.markup import label, to_markdown
from ui.sidebar import draw_sidebar
from ui.state import AnswerJob, Asked, Chat, LibraryHolder, current_chat, library_holder

TAGLINE = "Ask the library a question. Every sentence of the answer is cited and shows the words that back it."


def page() -> None:
    """Draw the chat of this session."""
    st.title("Citewell")
    st.markdown(TAGLINE)
    holder = library_holder()
    if not _ready(holder):
        return
    chat = current_chat(holder)
    chat.settle()
    draw_sidebar(holder, chat)
    for number, turn in enumerate(chat.conversation.turns):
        _question(turn.question, number)
        with st.chat_message("assistant"):
            _draw_note(turn, number)
            draw_filters(turn.answer, number, _ask_within)
            draw_answer(turn.answer, number)
    if chat.failed is not None:
        _question(chat.failed[0], len(chat.conversation.turns))
        st.error(label(chat.failed[1]), icon=":material/error:")
    if st.session_state.pop("answered", False) and chat.conversation.turns:
        _scroll_to(len(chat.conversation.turns) - 1)
    typed = st.chat_input("Ask about the papers in this library", submit_mode="disable", max_chars=2000, key="question")
    asked = Asked(typed.strip()) if typed and typed.strip() else st.session_state.pop("asked", None)
    if asked is not None and chat.job is None:
        chat.failed = None
        chat.job = AnswerJob(chat, holder, asked)
    if chat.job is not None:
        _follow(chat, chat.job)
    elif not chat.conversation.turns:
        _examples(holder)


def _draw_note(turn: Turn, number: int) -> None:
    """How a follow-up was understood, with a button that takes the question as it stands instead."""
    if not turn.note:
        return
    with st.container(key=f"note-{number}", horizontal=True, vertical_alignment="center"):
        st.button(
            label(turn.note),
            key=f"undo-{number}",
            icon=":material/undo:",
            help="Ask again without this",
            on_click=_ask,
            args=(Asked(turn.question, follow=False),),
        )


def _ready(holder: LibraryHolder) -> bool:
    """Wait for the library with a progress bar; False when it cannot be opened."""
    if not holder.wait(0.2):
        bar = st.progress(0.0, text="Opening the library")
        while not holder.wait(0.15):
            stage, done, total = holder.progress
            bar.progress(done / total if total else 0.0, text=f"{stage}: {done} of {total}" if total else stage)
        bar.empty()
    if holder.error:
        st.error(label(holder.error), icon=":material/error:")
        if st.button("Try again"):
            library_holder.clear()
            st.rerun()
        return False
    return True


def _examples(holder: LibraryHolder) -> None:
    assert holder.library is not None
    questions = _example_questions(holder.library.version, holder)
    if not questions:
        return
    st.markdown("Try one of these:")
    with st.container(key="examples"):
        for number, question in enumerate(questions):
            st.button(
                to_markdown(question),
                key=f"example-{number}",
                on_click=_ask,
                args=(Asked(question),),
                width="stretch",
            )


@st.cache_data(show_spinner=False, max_entries=4)
def _example_questions(version: int, _holder: LibraryHolder) -> list[str]:
    """Remembered per library version."""
    return example_questions(_holder.library) if _holder.library is not None else []


def _ask(asked: Asked) -> None:
    st.session_state["asked"] = asked


def _ask_within(question: str, filters: Filters) -> None:
    _ask(Asked(question, filters))


def _question(question: str, turn: int) -> None:
    with st.chat_message("user"):
        anchor = f'<span id="turn-{turn}" class="cw-anchor"></span>'
        st.markdown(anchor + to_markdown(question), unsafe_allow_html=True)


def _scroll_to(turn: int) -> None:
    """Bring a finished answer's question to the top.

    Streamlit keeps a chat at its end, which here is the last source card, for as long as the page grows; so
    this insists for a moment, unless the reader scrolls.
    """
    script = f"""<script>
    (() => {{
        const last = performance.now() + 8000;
        let until = performance.now() + 1500, height = 0, free = false;
        for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"])
            window.addEventListener(kind, () => (free = true), {{once: true, passive: true}});
        const hold = () => {{
            const message = document.getElementById("turn-{turn}")?.closest("[data-testid=stChatMessage]");
            if (message && !free) message.scrollIntoView({{block: "start"}});
            if (message && message.parentElement.scrollHeight !== height) {{
                height = message.parentElement.scrollHeight;
                until = Math.min(last, performance.now() + 1500);
            }}
            if (!free && performance.now() < until) setTimeout(hold, 60);
        }};
        hold();
    }})();
    </script>"""
    st.html(script, unsafe_allow_javascript=True)


def _follow(chat: Chat, job: AnswerJob) -> None:
    """Show a running answer until it is finished, then draw the page with the checked one."""
    number = len(chat.conversation.turns)
    _question(job.question, number)
    with st.chat_message("assistant"):
        status = st.empty()
        text = st.empty()
        stop = st.empty()
        stop.button("Stop", icon=":material/stop_circle:", on_click=job.stop, key=f"stop-{number}")
        status.caption("Searching the library…")
        written = ""
        for event in job.stream():
            if isinstance(event, Found):
                status.caption(f"Reading {len(event.hits)} abstracts…")
            elif isinstance(event, Delta):
                written += event.text
                text.markdown(streaming_text(written), unsafe_allow_html=True)
    chat.settle()
    st.session_state["answered"] = True
    st.rerun()
