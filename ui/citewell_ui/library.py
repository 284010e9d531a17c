"""The Library screen: look through the papers, read one, add files, see the sources and the health."""

from __future__ import annotations

import streamlit as st

from citewell.errors import CitewellError
from citewell.exports.papers import to_bibtex
from citewell.exports.styles import STYLES, references
from citewell.filters import Filters
from citewell.library.ports import SORTS, Sort
from citewell.paper import Paper
from citewell_ui.ingest import draw_health, draw_ingest, draw_sources
from citewell_ui.layout import go_to, heading, ready_library
from citewell_ui.markup import label, paper_markdown
from citewell_ui.papers import abstract_text, copy_button, draw_row, paper_facts
from citewell_ui.state import LibraryHolder, add_to_comparison, ask_about, open_paper

PAGE = 20
SIMILAR = 5
ANY = "any"


def page() -> None:
    """Draw the library, or the one paper that the address names."""
    heading("Library", "Every paper that answers can come from. Open one, compare it, or add your own.", "full")
    holder = ready_library()
    if holder is None:
        return
    assert holder.library is not None
    if error := st.session_state.pop("library-error", ""):
        st.error(label(error), icon=":material/error:")
    if opened := st.session_state.pop("open-paper", None):
        st.query_params["paper"] = opened
    wanted = st.query_params.get("paper")
    if wanted:
        paper = holder.library.snapshot().paper(wanted)
        if paper is not None:
            _draw_paper(paper, holder)
            return
        st.warning("This paper is no longer in the library.", icon=":material/info:")
    papers, add, sources, health = st.tabs(["Papers", "Add papers", "Sources", "Health"])
    with papers:
        _draw_papers(holder)
    with add:
        draw_ingest(holder)
    with sources:
        draw_sources(holder)
    with health:
        draw_health(holder)


@st.fragment
def _draw_papers(holder: LibraryHolder) -> None:
    """The list: a search that follows the typing, filters, sort, pages."""
    assert holder.library is not None
    if "open-paper" in st.session_state:
        st.rerun(scope="app")
    if not len(holder.library):
        st.info("The library is empty. Add a bibliography under “Add papers”.", icon=":material/library_add:")
        return
    with st.container(key="instant-search"):
        words = st.text_input(
            "Search titles, authors and abstracts", key="library-words", placeholder="words, an author, a year"
        )
    filters, sort = _draw_filters(holder)
    state = (words, filters, sort, holder.library.version)
    if st.session_state.get("library-state") != state:
        st.session_state["library-state"] = state
        st.session_state["library-page"] = 0
    catalog, number = holder.library.catalog, int(st.session_state.get("library-page", 0))
    found = catalog.search(words, filters, sort, PAGE, number * PAGE)
    pages = max(1, -(-found.total // PAGE))
    st.caption(f"{found.total:,} of {len(holder.library):,} papers")
    if not found.total:
        st.markdown("No paper holds all of these words. Try fewer, or take a filter away.")
    for paper in catalog.papers_by_id(found.ids).values():
        draw_row(paper, "row", open_paper)
    if pages > 1:
        _draw_pager(number, pages)


def _draw_filters(holder: LibraryHolder) -> tuple[Filters, Sort]:
    assert holder.library is not None
    facets = holder.library.catalog.facets()
    with st.container(key="library-filters", horizontal=True):
        years = [ANY, *(str(year) for year in reversed(facets.years))]
        year = st.selectbox("Year", years, key="library-year", width=110)
        venue = st.selectbox("Venue", [ANY, *facets.venues], key="library-venue", width=220)
        source = st.selectbox("File", [ANY, *facets.files], key="library-source", width=220)
        sort = st.selectbox("Sort by", SORTS, key="library-sort", width=140)
    return Filters(
        year_from=int(year) if year != ANY else None,
        year_to=int(year) if year != ANY else None,
        venues=(venue,) if venue != ANY else (),
        files=(source,) if source != ANY else (),
    ), sort


def _draw_pager(number: int, pages: int) -> None:
    def turn(by: int) -> None:
        st.session_state["library-page"] = number + by

    with st.container(key="pager", horizontal=True, vertical_alignment="center"):
        st.button("Previous", icon=":material/chevron_left:", on_click=turn, args=(-1,), disabled=number == 0)
        st.caption(f"Page {number + 1:,} of {pages:,}", width="content")
        st.button("Next", icon=":material/chevron_right:", on_click=turn, args=(1,), disabled=number + 1 >= pages)


def _draw_paper(paper: Paper, holder: LibraryHolder) -> None:
    """One paper: facts, abstract, what can be done with it, what is near to it."""
    assert holder.library is not None
    st.button("All papers", icon=":material/arrow_back:", key="back", type="tertiary", on_click=_close_paper)
    st.subheader(paper_markdown(paper.title, linked=False), anchor=False)
    st.markdown(paper_facts(paper), unsafe_allow_html=True)
    with st.container(key="paper-text"):
        st.markdown(abstract_text(paper), unsafe_allow_html=True)
    if paper.files:
        st.caption(label(f"Read from {', '.join(paper.files)}"))
    with st.container(key="paper-actions", horizontal=True, vertical_alignment="center"):
        st.button("Ask about this", icon=":material/forum:", on_click=ask_about, args=([paper.id],))
        st.button("Add to comparison", icon=":material/compare_arrows:", on_click=_compare, args=(paper.id,))
        copy_button(to_bibtex([paper]), "Copy BibTeX", "copy-paper-bib")
        st.button("Remove…", icon=":material/delete:", type="tertiary", on_click=_ask_removal, args=(paper.id,))
    if st.session_state.get("removing") == paper.id:
        st.warning("Remove this paper from the library? Conversations keep what they cited.", icon=":material/delete:")
        with st.container(key="removal", horizontal=True):
            st.button("Remove", on_click=_remove, args=(paper.id, holder))
            st.button("Keep", on_click=_ask_removal, args=("",))
    with st.expander("Cite", icon=":material/format_quote:"):
        _draw_references(paper)
    similar = holder.library.snapshot().similar(paper, SIMILAR)
    if similar:
        st.markdown("##### Similar papers")
        for other in similar:
            draw_row(other, "row", open_paper)


def _draw_references(paper: Paper) -> None:
    """The paper as BibTeX, and in the citation styles that are installed."""
    st.code(to_bibtex([paper]), language="latex", wrap_lines=True)
    for style, name in STYLES.items():
        try:
            (reference,) = references([paper], style)
        except CitewellError as error:
            st.caption(label(str(error)))
            return
        st.caption(name)
        st.code(reference, language=None, wrap_lines=True)


def _close_paper() -> None:
    st.query_params.pop("paper", None)


def _compare(paper_id: str) -> None:
    add_to_comparison(paper_id)
    go_to("compare")


def _ask_removal(paper_id: str) -> None:
    st.session_state["removing"] = paper_id


def _remove(paper_id: str, holder: LibraryHolder) -> None:
    assert holder.library is not None
    try:
        holder.library.remove([paper_id])
    except CitewellError as error:
        st.session_state["library-error"] = str(error)
    _ask_removal("")
    _close_paper()
