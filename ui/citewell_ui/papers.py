"""Drawing papers: facts, abstracts with marked quotes, citation links, buttons that copy."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

import streamlit as st

from citewell.paper import Paper
from citewell.text.tex import readable
from citewell_ui.markup import cell_markdown, highlighted, paper_markdown, plain

SHOWN_AUTHORS = 8


def anchor(turn: int, number: int) -> str:
    """The page anchor of source `number` of turn `turn`."""
    return f"source-{turn}-{number}"


def cite_link(turn: int, number: int, quote: str) -> str:
    """The mark of a source; the quoted words come up beside it under the pointer or the keyboard."""
    return (
        f'<a class="cw-cite" href="#{anchor(turn, number)}" target="_self" aria-label="Source {number}">[{number}]'
        f'<span class="cw-quote" role="tooltip">{plain(readable(quote))}</span></a>'
    )


def title_line(paper: Paper) -> str:
    """The title in bold, authors and year behind it."""
    reference = paper.short_reference()
    return f"**{paper_markdown(paper.title)}**" + (f" {plain(f'({reference})')}" if reference else "")


def paper_facts(paper: Paper, *, linked: bool = True) -> str:
    """Authors, venue, year and link in one line."""
    authors = list(paper.authors[:SHOWN_AUTHORS])
    if len(paper.authors) > SHOWN_AUTHORS:
        authors.append(f"and {len(paper.authors) - SHOWN_AUTHORS} more")
    venue = paper.venue if not paper.year or str(paper.year) in paper.venue else f"{paper.venue} {paper.year}".strip()
    parts = [plain(", ".join(authors)), plain(venue)]
    if linked and paper.url.startswith(("https://", "http://")):
        parts.append(f'<a href="{_attribute(paper.url)}" target="_blank" rel="noopener noreferrer">Open the paper</a>')
    return '<small class="cw-facts">' + " · ".join(part for part in parts if part) + "</small>"


def draw_row(paper: Paper, kind: str, on_click: Callable[[str], None], icon: str | None = None) -> None:
    """A paper in a list: its title, which calls `on_click` with its id, and its facts; `kind` tells the lists apart."""
    with st.container(key=f"{kind}-{paper.id}", gap=None):
        st.button(
            paper_markdown(paper.title, linked=False), key=f"{kind}-title-{paper.id}", type="tertiary", icon=icon,
            on_click=on_click, args=(paper.id,),
        )  # fmt: skip
        st.markdown(paper_facts(paper, linked=False), unsafe_allow_html=True)


def library_link(paper: Paper) -> str:
    """The title as a link to the paper's page, for a cell of a table; it opens beside the chat."""
    return f'<a href="library?paper={_attribute(paper.id)}" target="_blank">{cell_markdown(paper.title)}</a>'


def abstract_text(paper: Paper, quotes: Sequence[tuple[int, int]] = ()) -> str:
    """The abstract with the quoted stretches marked."""
    return highlighted(paper.abstract, quotes) if paper.abstract else "<small>No abstract.</small>"


def copy_button(text: str, name: str, key: str) -> None:
    """A button that puts `text` on the clipboard; `ui.style.SCRIPT` makes it work."""
    with st.container(key=key, width="content"):
        st.html(
            f'<button type="button" class="cw-copy" data-copy="{html.escape(text)}" aria-live="polite">{name}</button>'
        )


def _attribute(url: str) -> str:
    return url.replace("&", "&amp;").replace('"', "%22").replace("<", "%3C").replace(">", "%3E")
