"""The Map screen: every paper a point, topics in colour, a selection to ask about."""

from __future__ import annotations

from typing import Any

import streamlit as st

from citewell.library.map import LibraryMap, current_map, make_map
from citewell.text.formulas import split_formulas
from citewell.text.tex import readable
from citewell.understanding.comparisons import MOST
from citewell.wording import counted
from citewell_ui.jobs import Job, follow
from citewell_ui.layout import go_to, heading, ready_library
from citewell_ui.markup import label
from citewell_ui.papers import draw_row
from citewell_ui.state import LibraryHolder, ask_about, open_paper

LISTED = 12
HEIGHT = 700
TITLE_SHOWN = 90
# How large a point is drawn, by how many papers there are at most.
SIZES = ((300, 10), (8_000, 6), (10**9, 4))
# Colours of the topics in turn; told apart in light and dark.
COLOURS = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee8866", "#44bb99", "#99ddff", "#bbcc33",
    "#ffaabb", "#8877cc",
)  # fmt: skip


def page() -> None:
    """Draw the map, made first when there is none of this version."""
    heading("Map", "Papers of like meaning lie near each other. Draw around some, or click one, and ask.", "full")
    holder = ready_library()
    if holder is None:
        return
    assert holder.library is not None
    if not len(holder.library):
        st.info("The library is empty. Add papers on the Library page.", icon=":material/library_add:")
        return
    drawn = _current(holder)
    if drawn is None:
        return
    picked = _draw(drawn, holder)
    _draw_picked([drawn.ids[row] for row in picked], holder)


def _current(holder: LibraryHolder) -> LibraryMap | None:
    """The map of the present version; a new one is made on a thread of its own."""
    library = holder.library
    assert library is not None
    if holder.map is not None and holder.map.version == library.version:
        return holder.map
    drawn = current_map(library)
    if drawn is None:
        if holder.drawing is None or holder.drawing.is_finished:
            holder.drawing = Job(lambda progress: make_map(library, progress), "Drawing the map")
        st.caption("The map is drawn once for each version of the library; this takes a moment.")
        follow(holder.drawing)
        if holder.drawing.error:
            st.error(label(holder.drawing.error), icon=":material/error:")
            return None
        holder.map = holder.drawing.result
        st.rerun()
    holder.map = drawn
    return drawn


def _draw(drawn: LibraryMap, holder: LibraryHolder) -> list[int]:
    """The points, and the rows of those that are selected."""
    event: Any = st.plotly_chart(
        _figure(drawn.version, drawn, holder),
        key="map",
        on_select="rerun",
        selection_mode=("points", "box", "lasso"),
        config={"scrollZoom": True, "displaylogo": False, "modeBarButtonsToRemove": ["toImage", "autoScale2d"]},
    )
    return [int(point["customdata"]) for point in event.selection.points if "customdata" in point]


@st.cache_resource(show_spinner=False, max_entries=2)
def _figure(version: int, _map: LibraryMap, _holder: LibraryHolder) -> Any:
    """The chart of a library version, the same object each time: a copy would lose the selection.

    A trace for each topic, its name in the legend and on the map.
    """
    import numpy as np
    import plotly.graph_objects as go

    assert _holder.library is not None
    drawn = _map
    titles = {paper.id: _short(paper.title) for paper in _holder.library.papers()}
    figure, size = go.Figure(), next(size for most, size in SIZES if len(drawn.ids) <= most)
    for topic, name in enumerate(drawn.names):
        rows = np.flatnonzero(drawn.topics == topic)
        figure.add_trace(
            go.Scattergl(
                x=drawn.points[rows, 0],
                y=drawn.points[rows, 1],
                customdata=rows.tolist(),
                text=[titles.get(drawn.ids[row], "") for row in rows],
                hovertemplate="%{text}<extra></extra>",
                mode="markers",
                name=f"{name} ({len(rows)})",
                marker={"size": size, "color": COLOURS[topic % len(COLOURS)], "opacity": 0.75},
            )
        )
        centre = np.median(drawn.points[rows], axis=0)
        figure.add_annotation(
            x=centre[0],
            y=centre[1],
            yshift=14,
            text=name,
            showarrow=False,
            font={"size": 11},
            bgcolor="rgba(128,128,128,0.18)",
        )
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 0, "r": 0, "t": 8, "b": 0},
        dragmode="lasso",
        legend={"orientation": "h", "y": -0.02, "font": {"size": 11}, "itemsizing": "constant"},
        xaxis={"visible": False},
        yaxis={"visible": False},
    )
    return figure


def _short(title: str) -> str:
    """A title for the hover box, which renders no formulas and reads a few HTML tags."""
    spans = split_formulas(title)
    text = "".join(span.body if span.is_formula else readable(span.body) for span in spans).replace("<", "&lt;")
    return text if len(text) <= TITLE_SHOWN else text[:TITLE_SHOWN].rsplit(" ", 1)[0] + "…"


def _draw_picked(ids: list[str], holder: LibraryHolder) -> None:
    """The selected papers, and what can be done with them."""
    assert holder.library is not None
    if not ids:
        st.caption("Nothing is selected. Drag around points, or click one; scroll to zoom, double-click to see all.")
        return
    with st.container(key="map-actions", horizontal=True, vertical_alignment="center"):
        st.button(
            "Ask about this paper" if len(ids) == 1 else f"Ask about these {counted(len(ids), 'paper')}",
            icon=":material/forum:", on_click=ask_about, args=(ids,),
        )  # fmt: skip
        if len(ids) <= MOST:
            st.button("Compare", icon=":material/compare_arrows:", on_click=_compare, args=(ids,))
    for paper in holder.library.snapshot().papers_by_id(ids[:LISTED]).values():
        draw_row(paper, "picked", _open)
    if len(ids) > LISTED:
        st.caption(f"and {len(ids) - LISTED:,} more")


def _compare(ids: list[str]) -> None:
    st.session_state["compared"] = list(ids)
    go_to("compare")


def _open(paper_id: str) -> None:
    open_paper(paper_id)
    go_to("library")
