"""The Compare screen: pick papers, pick aspects, read the table, take it along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from citewell.answer import Answer
from citewell.chat import Conversation
from citewell.paper import Paper
from citewell.understanding.aspects import STANDARD
from citewell.understanding.comparisons import FEWEST, MOST
from citewell_ui.answers import answer_text, draw_source
from citewell_ui.comparison import draw_comparison
from citewell_ui.layout import go_to, heading, ready_library
from citewell_ui.markup import label
from citewell_ui.papers import draw_row
from citewell_ui.state import Chat, LibraryHolder, add_to_comparison, open_chat, session_assistant

FOUND = 6
# The number under which this page's citations are anchored; turns of a chat count from 0.
TURN = 900


def page() -> None:
    """Draw the picked papers, the picker, the aspects and the table."""
    heading("Compare", "Two to six papers side by side, in the words of their abstracts.", "full")
    holder = ready_library()
    if holder is None:
        return
    assert holder.library is not None
    chosen = _chosen(holder)
    _draw_chosen(chosen)
    if len(chosen) < MOST:
        _draw_picker(holder, {paper.id for paper in chosen})
    if len(chosen) < FEWEST:
        st.info(
            "Type a name or a few words and add two papers. The Library and the Map add papers here too.",
            icon=":material/compare_arrows:",
        )
        return
    with st.container(key="compare-options", horizontal=True, vertical_alignment="bottom"):
        aspects = st.multiselect(
            "Aspects", STANDARD, default=list(STANDARD), accept_new_options=True, key="compare-aspects",
            help="Pick from the list, or type an aspect of your own, such as cost.",
        )  # fmt: skip
        swapped = st.toggle("Papers as rows", key="compare-swapped")
    answer = _answer(holder, chosen, aspects or list(STANDARD))
    assert answer.comparison is not None
    answer = replace(answer, comparison=replace(answer.comparison, swapped=swapped))
    for notice in answer.notices:
        st.warning(label(notice.text), icon=":material/info:")
    assert answer.comparison is not None
    draw_comparison(answer.comparison, TURN)
    st.markdown(answer_text(answer, TURN), unsafe_allow_html=True)
    st.button("Discuss this", icon=":material/forum:", on_click=_discuss, args=(answer, holder))
    st.markdown("##### The abstracts")
    for source in answer.sources:
        draw_source(source, answer, TURN)


def _chosen(holder: LibraryHolder) -> list[Paper]:
    """The picked papers, out of the address when the page is opened anew; the address is kept up to date."""
    assert holder.library is not None
    if "compared" not in st.session_state:
        st.session_state["compared"] = [item for item in st.query_params.get("papers", "").split(",") if item]
    papers = list(holder.library.snapshot().papers_by_id(st.session_state["compared"][:MOST]).values())
    st.session_state["compared"] = [paper.id for paper in papers]
    if papers:
        st.query_params["papers"] = ",".join(paper.id for paper in papers)
    elif "papers" in st.query_params:
        del st.query_params["papers"]
    return papers


def _draw_chosen(papers: Sequence[Paper]) -> None:
    with st.container(key="chosen", horizontal=True):
        for paper in papers:
            st.button(
                label(paper.label), key=f"chosen-{paper.id}", icon=":material/close:",
                help=label(f"Take away: {paper.title}"), on_click=_take_away, args=(paper.id,),
            )  # fmt: skip


def _take_away(paper_id: str) -> None:
    st.session_state["compared"].remove(paper_id)


@st.fragment
def _draw_picker(holder: LibraryHolder, known: set[str]) -> None:
    """A search box that follows the typing, and the papers that it finds."""
    if st.session_state.pop("added", False):
        st.rerun(scope="app")
    with st.container(key="instant-picker"):
        words = st.text_input("Add a paper", key="compare-words", placeholder="a method's name, a title, an author")
    if not words.strip():
        return
    assert holder.library is not None
    found = holder.library.snapshot().matching(words, FOUND + len(known))
    papers = [paper for paper in found if paper.id not in known]
    if not found:
        st.caption("No paper holds all of these words.")
    for paper in papers[:FOUND]:
        draw_row(paper, "pick", _add, icon=":material/add:")


def _add(paper_id: str) -> None:
    """Put a paper on the table and empty the box for the next one."""
    add_to_comparison(paper_id)
    st.session_state["compare-words"] = ""
    st.session_state["added"] = True


def _answer(holder: LibraryHolder, papers: Sequence[Paper], aspects: Sequence[str]) -> Answer:
    """The comparison, made once for the same papers, aspects and settings."""
    assistant = session_assistant(holder)
    key = (tuple(paper.id for paper in papers), tuple(aspects), assistant.library.version, assistant.settings)
    kept = st.session_state.get("comparison")
    if kept is None or kept[0] != key:
        with st.spinner("Comparing"):
            kept = key, assistant.compare(papers, aspects)
        st.session_state["comparison"] = kept
    found: Answer = kept[1]
    return found


def _discuss(answer: Answer, holder: LibraryHolder) -> None:
    """A new chat that knows this comparison."""
    open_chat()
    conversation = Conversation()
    conversation.add(answer.question, answer, library_version=session_assistant(holder).library.version)
    holder.conversations.save(conversation)
    st.session_state["chat"] = Chat(conversation)
    go_to("chat")
