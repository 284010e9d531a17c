"""A table that sets papers side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from citewell import wording
from citewell.citation import Citation
from citewell.paper import Paper

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class ComparisonCell:
    """What one paper states on one aspect; without a citation its abstract does not state it."""

    paper_id: str
    citations: tuple[Citation, ...] = ()

    @property
    def is_stated(self) -> bool:
        return bool(self.citations)

    @property
    def text(self) -> str:
        """The quoted words, or the fixed words that there are none."""
        return self.citations[0].quote if self.citations else wording.NOT_STATED_IN_ABSTRACT


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One aspect across the compared papers."""

    aspect: str
    cells: tuple[ComparisonCell, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table of papers (columns) by aspects (rows); `swapped` shows the papers as rows."""

    papers: tuple[Paper, ...]
    rows: tuple[ComparisonRow, ...]
    swapped: bool = False

    def grid(self, headings: Iterable[str], cells: Iterable[Iterable[str]] | None = None) -> list[list[str]]:
        """The table as rows of texts, its heading first.

        `headings` are the papers' names; `cells` the texts of each row's cells, the quoted words where not given.
        """
        texts = cells if cells is not None else [[cell.text for cell in row.cells] for row in self.rows]
        rows = [["", *headings], *([row.aspect, *own] for row, own in zip(self.rows, texts, strict=True))]
        return [list(column) for column in zip(*rows, strict=True)] if self.swapped else rows

    @property
    def citations(self) -> list[Citation]:
        """Every citation of the table, row by row."""
        return [citation for row in self.rows for cell in row.cells for citation in cell.citations]

    def to_markdown(self) -> str:
        """The table in Markdown, each quoted cell with its marker."""
        from citewell.rendering.markdown import comparison_markdown

        return comparison_markdown(self)

    def to_latex(self) -> str:
        """The table as a LaTeX tabular that needs no package."""
        from citewell.exports.tables import comparison_latex

        return comparison_latex(self)

    def to_csv(self) -> str:
        from citewell.exports.tables import comparison_csv

        return comparison_csv(self)

    def to_dict(self) -> dict[str, Any]:
        """The table as it stands in the JSON of `citewell compare`."""
        from citewell.rendering.as_json import comparison_json

        return comparison_json(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Aspects as rows, papers as columns; None where an abstract does not state an aspect. Needs pandas."""
        import pandas

        columns = [paper.title for paper in self.papers]
        cells = [[cell.text if cell.is_stated else None for cell in row.cells] for row in self.rows]
        frame = pandas.DataFrame(cells, index=[row.aspect for row in self.rows], columns=columns)
        return frame.T if self.swapped else frame
