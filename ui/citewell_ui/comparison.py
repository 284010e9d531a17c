"""Drawing a comparison: the table with its quotes, and its files."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from citewell.comparison import Comparison, ComparisonCell
from citewell.exports.tables import comparison_files
from citewell.rendering.markdown import pipe_table
from citewell.text.sentences import split_sentences
from citewell_ui.markup import cell_markdown, plain
from citewell_ui.papers import cite_link


def draw_comparison(comparison: Comparison, turn: int) -> None:
    """The table, wide ones scrolling sideways, and the buttons that save it."""
    with st.container(key=f"table-{turn}"):
        st.markdown(comparison_table(comparison, turn), unsafe_allow_html=True)
    draw_downloads(comparison, turn)


def comparison_table(comparison: Comparison, turn: int) -> str:
    """The table as Markdown: papers across, aspects down (or the other way round), each quoted cell with its source."""
    abstracts = {paper.id: paper.abstract for paper in comparison.papers}
    headings = [
        f"{cell_markdown(paper.label)} {cite_link(turn, number, paper.title)}"
        for number, paper in enumerate(comparison.papers, start=1)
    ]
    rows = tuple(replace(row, aspect=f"**{plain(row.aspect)}**") for row in comparison.rows)
    cells = [[_cell(cell, abstracts, turn) for cell in row.cells] for row in comparison.rows]
    grid = replace(comparison, rows=rows).grid(headings, cells)
    # A table needs a heading in its first column too, for who hears it read.
    grid[0][0] = '<span class="cw-hidden">' + ("Paper" if comparison.swapped else "Aspect") + "</span>"
    return pipe_table(grid)


def _cell(cell: ComparisonCell, abstracts: dict[str, str], turn: int) -> str:
    if not cell.citations:
        return f'<span class="cw-none">{plain(cell.text)}</span>'
    citation = cell.citations[0]
    whole = _sentence_around(abstracts[cell.paper_id], citation.start, citation.end)
    return f"{cell_markdown(cell.text)}&nbsp;{cite_link(turn, citation.number, whole)}"


def _sentence_around(abstract: str, start: int, end: int) -> str:
    """The sentence that a cell's words were taken from."""
    return next((abstract[a:b] for a, b in split_sentences(abstract) if a <= start < b), abstract[start:end])


def draw_downloads(comparison: Comparison, turn: int) -> None:
    """The comparison as files."""
    with st.container(key=f"downloads-{turn}", horizontal=True):
        for name, (suffix, text) in comparison_files(comparison).items():
            st.download_button(
                name,
                text,
                file_name=f"comparison.{suffix}",
                icon=":material/download:",
                key=f"table-{turn}-{suffix}",
                on_click="ignore",
            )
