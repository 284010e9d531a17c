"""The chat screen."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from citewell.answering.examples import example_questions
from citewell.answering.suggestions import first_questions, suggestions
from citewell.chat import Turn
from citewell.filters import Filters
from citewell.wording import counted
from citewell_ui.answers import draw_actions, draw_answer, draw_filters, draw_trace
from citewell_ui.layout import heading, ready_library
from citewell_ui.markup import label, to_markdown
from citewell_ui.sidebar import draw_sidebar
from citewell_ui.state import AnswerJob, Asked, Chat, LibraryHolder, current_chat, session_assistant, show_address
from citewell_ui.writing import Slot, Writing

TAGLINE = "Ask the library a question. Every sentence of the answer is cited and shows the words that back it."
PLACEHOLDER = "Ask about the papers in this library"
# A long conversation opens with its last turns; the others are a click away.
SHOWN_TURNS = 12
# Seconds: an answer that is there by then is drawn at once, without a second run of the page.
QUICK = 0.5


def page() -> None:
    """Draw the chat of this session; a new answer comes before the turns above it, which are on the page already."""
    is_fresh = heading("Citewell", TAGLINE, "reading")
    holder = ready_library()
    if holder is None:
        return
    chat = current_chat(holder)
    chat.settle()
    with st.bottom:
        _draw_focus(chat)
        typed = st.chat_input(PLACEHOLDER, submit_mode="disable", max_chars=2000, key="question")
    asked = Asked(typed.strip()) if typed and typed.strip() else st.session_state.pop("asked", None)
    if asked is not None and chat.job is None:
        chat.failed = None
        chat.job = AnswerJob(chat, holder, session_assistant(holder), asked)
    slots = _slots(chat)
    writing = Writing(chat.job, slots[-1], _status(holder)) if chat.job is not None else None
    if writing is not None and writing.follow(QUICK):
        chat.settle()
        show_address(chat)
        writing = None
    _draw_turns(chat, slots, is_writing=writing is not None)
    if writing is None:
        _draw_end(chat, holder, slots)
        if chat.conversation.turns and (is_fresh or chat.is_fresh) and not asked:
            slots[-1].show()
        chat.is_fresh = False
    draw_sidebar(holder, chat)
    if writing is not None:
        writing.follow()
        chat.settle()
        st.rerun()


def _status(holder: LibraryHolder) -> str:
    assert holder.library is not None
    is_ready = holder.library.embeddings.is_loaded
    return "Searching the library…" if is_ready else "Loading the encoder, once after each start…"


def _slots(chat: Chat) -> list[Slot]:
    """A place for each turn that is shown: the last ones, or all when that was asked for, and one being answered."""
    key = f"all-turns-{chat.conversation.id}"
    turns = chat.conversation.turns
    first = 0 if st.session_state.get(key) else max(0, len(turns) - SHOWN_TURNS)
    if first:
        st.button(
            f"Show the {counted(first, 'earlier question')}",
            icon=":material/history:",
            on_click=lambda: st.session_state.update({key: True}),
        )
    if chat.job is not None:
        count = chat.job.number + 1
    else:
        count = len(turns) + (chat.failed is not None)
    return [Slot(number) for number in range(first, count)]


def _draw_turns(chat: Chat, slots: Sequence[Slot], *, is_writing: bool) -> None:
    """The turns, newest first: that is where the reader is."""
    turns = chat.conversation.turns
    for slot in reversed(slots[:-1] if is_writing else slots):
        if slot.number < len(turns):
            _draw_turn(turns[slot.number], slot)
        elif chat.failed is not None:
            slot.ask(chat.failed[0])
            with slot.answer():
                st.error(label(chat.failed[1]), icon=":material/error:")


def _draw_turn(turn: Turn, slot: Slot) -> None:
    slot.ask(turn.question)
    with slot.answer():
        _draw_note(turn, slot.number)
        draw_filters(turn.answer, slot.number, _ask_within)
        draw_answer(turn.answer, slot.number)
        draw_trace(turn.answer, slot.number)
        draw_actions(turn.answer, slot.number)


def _draw_end(chat: Chat, holder: LibraryHolder, slots: Sequence[Slot]) -> None:
    """What stands below the turns: what to ask next, or first."""
    assert holder.library is not None
    turns = chat.conversation.turns
    if turns and chat.failed is None:
        with slots[-1].box:
            _draw_suggestions(chat, holder)
    if not turns and chat.failed is None:
        if chat.focus:
            _draw_examples(first_questions(len(chat.focus)))
        else:
            _draw_examples(_example_questions(holder.library.version, holder))


def _draw_suggestions(chat: Chat, holder: LibraryHolder) -> None:
    """Questions to go on with, made from the last answer's own papers."""
    assert holder.library is not None
    turns = chat.conversation.turns
    key = (chat.conversation.id, len(turns), holder.library.version)
    kept = st.session_state.get("suggestions")
    if kept is None or kept[0] != key:
        kept = key, suggestions(holder.library.snapshot(), [turn.answer for turn in turns[-3:]])
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
            f"Questions are about {counted(len(chat.focus), 'paper')}",
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


def _draw_examples(questions: Sequence[str]) -> None:
    """Questions for someone who does not know what to ask."""
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
