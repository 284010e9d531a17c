"""The chat screen."""

from __future__ import annotations

import streamlit as st

from rag.answering.events import Delta, Found
from rag.answering.examples import example_questions
from rag.answering.suggestions import suggestions
from rag.chat import Turn
from rag.chat.conversation import counted
from rag.records import Filters
from ui.answers import draw_actions, draw_answer, draw_filters, draw_trace, streaming_text
from ui.frame import heading, ready_library
from ui.markup import label, to_markdown
from ui.sidebar import draw_sidebar
from ui.state import AnswerJob, Asked, Chat, LibraryHolder, current_chat, session_assistant
from ui.style import scroll_to_turn

TAGLINE = "Ask the library a question. Every sentence of the answer is cited and shows the words that back it."
# A long conversation opens with its last turns; the others are a click away.
SHOWN_TURNS = 12


def page() -> None:
    """Draw the chat of this session."""
    heading("Citewell", TAGLINE, "reading")
    holder = ready_library()
    if holder is None:
        return
    chat = current_chat(holder)
    chat.settle()
    draw_sidebar(holder, chat)
    _draw_turns(chat, holder)
    if chat.failed is not None:
        _question(chat.failed[0], len(chat.conversation.turns))
        st.error(label(chat.failed[1]), icon=":material/error:")
    if st.session_state.pop("answered", False) and chat.conversation.turns:
        scroll_to_turn(len(chat.conversation.turns) - 1)
    _draw_focus(chat)
    typed = st.chat_input("Ask about the papers in this library", submit_mode="disable", max_chars=2000, key="question")
    asked = Asked(typed.strip()) if typed and typed.strip() else st.session_state.pop("asked", None)
    if asked is not None and chat.job is None:
        chat.failed = None
        chat.job = AnswerJob(chat, holder, session_assistant(holder), asked)
    if chat.job is not None:
        _follow(chat, chat.job)
    elif not chat.conversation.turns and not chat.focus:
        _examples(holder)


def _draw_turns(chat: Chat, holder: LibraryHolder) -> None:
    """The last turns, all of them when that was asked for."""
    turns = chat.conversation.turns
    key = f"all-turns-{chat.conversation.id}"
    first = 0 if st.session_state.get(key) else max(0, len(turns) - SHOWN_TURNS)
    if first:
        st.button(
            f"Show the {first} earlier questions",
            icon=":material/history:",
            on_click=lambda: st.session_state.update({key: True}),
        )
    for number in range(first, len(turns)):
        turn = turns[number]
        _question(turn.question, number)
        with st.chat_message("assistant"):
            _draw_note(turn, number)
            draw_filters(turn.answer, number, _ask_within)
            draw_answer(turn.answer, number)
            draw_trace(turn.answer, number)
            draw_actions(turn.answer, number)
    if turns and chat.job is None:
        _draw_suggestions(chat, holder)


def _draw_suggestions(chat: Chat, holder: LibraryHolder) -> None:
    """Questions to go on with, made from the last answer's own papers."""
    assert holder.library is not None
    turns = chat.conversation.turns
    key = (chat.conversation.id, len(turns), holder.library.version)
    kept = st.session_state.get("suggestions")
    if kept is None or kept[0] != key:
        kept = key, suggestions(holder.library, [turn.answer for turn in turns[-3:]])
        st.session_state["suggestions"] = kept
    if not kept[1]:
        return
    with st.container(key="suggestions", horizontal=True):
        for number, question in enumerate(kept[1]):
            st.button(
                label(question), key=f"next-{len(turns)}-{number}", type="tertiary", icon=":material/arrow_forward:",
                on_click=_ask, args=(Asked(question),),
            )  # fmt: skip


def _draw_focus(chat: Chat) -> None:
    """The papers that questions are about until this is taken back."""
    if chat.focus:
        st.button(
            f"Questions are about {counted(len(chat.focus))}",
            key="focus",
            icon=":material/close:",
            help="Ask the whole library again",
            on_click=_unfocus,
            args=(chat,),
        )


def _unfocus(chat: Chat) -> None:
    chat.focus = ()


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


def _examples(holder: LibraryHolder) -> None:
    assert holder.library is not None
    questions = _example_questions(holder.library.version, holder)
    if not questions:
        st.info("The library is empty. Add papers on the Library page.", icon=":material/library_add:")
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
