"""A comparison as files: CSV, Markdown, LaTeX, and its papers as BibTeX."""

from __future__ import annotations

import csv
import io

from citewell.comparison import Comparison
from citewell.exports.papers import bibtex_text, to_bibtex
from citewell.rendering.markdown import comparison_markdown


def comparison_files(comparison: Comparison) -> dict[str, tuple[str, str]]:
    """Name → (suffix, text) of each file."""
    return {
        "CSV": ("csv", comparison_csv(comparison)),
        "Markdown": ("md", comparison_markdown(comparison) + "\n"),
        "LaTeX": ("tex", comparison_latex(comparison)),
        "BibTeX": ("bib", to_bibtex(list(comparison.papers))),
    }


def comparison_csv(comparison: Comparison) -> str:
    rows = io.StringIO()
    csv.writer(rows).writerows(comparison.grid(paper.title for paper in comparison.papers))
    return rows.getvalue()


def comparison_latex(comparison: Comparison) -> str:
    """A tabular that needs no package; formulas of the abstracts are kept."""
    grid = comparison.grid(paper.title for paper in comparison.papers)
    columns = "p{2cm}" + f"p{{{11 / max(1, len(grid[0]) - 1):.1f}cm}}" * (len(grid[0]) - 1)
    lines = [" & ".join(bibtex_text(cell) for cell in row) + r" \\" for row in grid]
    body = "\n".join([lines[0], r"\hline", *lines[1:]])
    return f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}\n"
