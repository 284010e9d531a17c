"""The sidebar of the chat: the conversations, and what answers here."""

from __future__ import annotations

from functools import partial

import streamlit as st

from citewell.answering.language_model import model_name
from citewell.chat.export import as_bib, as_markdown
from citewell.chat.store import Entry
from citewell.wording import counted
from citewell_ui.markup import label
from citewell_ui.state import Chat, LibraryHolder, open_chat, session_settings

LISTED = 30
SEARCHABLE_FROM = 6


def draw_sidebar(holder: LibraryHolder, chat: Chat) -> None:
    """New chat, this chat's menu, the list of conversations, the library and the writer."""
    assert holder.library is not None
    with st.sidebar:
        st.button(
            "New chat",
            icon=":material/add:",
            on_click=open_chat,
            width="stretch",
            disabled=not (chat.conversation.turns or chat.job or chat.failed),
        )
        if chat.conversation.turns:
            _menu(holder, chat)
        _list(holder, chat)
        writer = model_name(session_settings(holder))
        st.caption(f"{counted(len(holder.library), 'paper')} in the library")
        if writer:
            st.caption(f"Answers are written by {label(writer)} and checked against the abstracts.")
        else:
            st.caption("Answers are quotes from the abstracts. A model can write them: see Settings.")


def _menu(holder: LibraryHolder, chat: Chat) -> None:
    """Rename, export and delete the conversation on the page."""
    talk = chat.conversation
    with st.popover("This chat", icon=":material/more_horiz:", width="stretch"):
        name = st.text_input("Name", value=talk.name, max_chars=80, key=f"name-{talk.id}")
        if name.strip() and name.strip() != talk.name:
            talk.name = name.strip()
            holder.conversations.rename(talk.id, talk.name)
        for name, write, file_name in (
            ("Markdown", as_markdown, "conversation.md"),
            ("BibTeX of the cited papers", as_bib, "cited.bib"),
        ):
            st.download_button(
                name,
                partial(write, talk),
                file_name=file_name,
                icon=":material/download:",
                width="stretch",
                key=f"export-{file_name}",
            )
        st.button("Delete", icon=":material/delete:", width="stretch", on_click=_delete, args=(holder, talk.id))


def _list(holder: LibraryHolder, chat: Chat) -> None:
    entries = holder.conversations.list()
    if not entries:
        return
    st.caption("Chats")
    if len(entries) >= SEARCHABLE_FROM:
        words = st.text_input(
            "Search chats", key="search-chats", placeholder="Search chats", label_visibility="collapsed"
        )
        entries = holder.conversations.list(words) if words.strip() else entries
        if not entries:
            st.caption("No chat holds these words.")
    with st.container(key="chats", gap=None):
        for entry in entries[:LISTED]:
            _entry(entry, is_open=entry.id == chat.conversation.id)
    if len(entries) > LISTED:
        st.caption(f"and {len(entries) - LISTED} older ones; search to find them")


def _entry(entry: Entry, *, is_open: bool) -> None:
    short = entry.name if len(entry.name) <= 44 else entry.name[:42].rstrip() + "…"
    st.button(
        label(short or "Untitled"),
        key=f"chat-{entry.id}",
        type="secondary" if is_open else "tertiary",
        width="stretch",
        help=label(entry.name) if short != entry.name else None,
        on_click=open_chat,
        args=(entry.id,),
    )


def _delete(holder: LibraryHolder, conversation_id: str) -> None:
    holder.conversations.delete(conversation_id)
    open_chat()
