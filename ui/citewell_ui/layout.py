"""What all screens share: the pages, the way from one to another, and waiting for the library."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from citewell_ui.jobs import follow
from citewell_ui.markup import label
from citewell_ui.state import LibraryHolder, library_holder

# Filled by `ui/app.py`: chat, library, compare, map, settings.
PAGES: dict[str, StreamlitPage] = {}


def follow_link() -> None:
    """Turn to the page that a callback asked for: callbacks cannot switch pages themselves."""
    wanted = st.session_state.pop("go_to", None)
    if wanted:
        st.switch_page(PAGES[wanted])


def go_to(page: str) -> None:
    """In a callback: turn to a page with the next run."""
    st.session_state["go_to"] = page


def heading(title: str, text: str, kind: str) -> bool:
    """A page's title and one line that says what it is for; whether the reader has come from another page.

    `kind` sets the width (`reading` or `full`).
    """
    st.html(f'<span class="cw-page cw-{kind}"></span>')
    st.title(title)
    st.markdown(text)
    before = st.session_state.get("page")
    st.session_state["page"] = title
    return bool(before != title)


def ready_library() -> LibraryHolder | None:
    """The opened library; None, with the reason on the page, when it cannot be opened."""
    holder = library_holder()
    follow(holder.opening)
    if holder.error:
        st.error(label(holder.error), icon=":material/error:")
        if st.button("Try again"):
            library_holder.clear()
            st.rerun()
        return None
    return holder
