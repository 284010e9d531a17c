"""The library as a list to look through: every keystroke narrows it, whatever its size.

The bibliographic facts and the folded text of all papers are held in memory for one library version, so a search of
30,000 papers is a scan of strings; abstracts are read from the catalog for the papers that are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rag.library.identity import searchable
from rag.records import Filters, Paper
from rag.text.words import plain

SORTS = ("relevance", "title", "newest", "oldest", "added")


@dataclass(frozen=True, slots=True)
class Row:
    """A paper without its abstract, and its folded title and text for searching."""

    paper: Paper
    title: str
    text: str


class Listing:
    """The papers of one library version."""

    def __init__(self, papers: Iterable[Paper], version: int) -> None:
        self.version = version
        self._rows = [_row(paper) for paper in papers]

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def rows(self) -> Sequence[Row]:
        """Every paper without its abstract, in the order in which they were added."""
        return self._rows

    def search(self, words: str = "", filters: Filters | None = None, sort: str = "relevance") -> list[str]:
        """Ids of the papers that hold every word and pass the filters, sorted by one of `SORTS`.

        "relevance" puts papers with the words in their title first, else keeps the order in which they were added.
        """
        wanted = [plain(word).casefold() for word in words.split()]
        rows = [row for row in self._rows if all(word in row.text for word in wanted)] if wanted else list(self._rows)
        if filters:
            rows = [row for row in rows if filters.admits(row.paper)]
        if sort == "title":
            rows.sort(key=lambda row: row.title)
        elif sort == "newest":
            rows.sort(key=lambda row: (-(row.paper.year or 0), row.title))
        elif sort == "oldest":
            rows.sort(key=lambda row: (row.paper.year or 9_999, row.title))
        elif sort == "added":
            rows.reverse()
        elif wanted:
            rows.sort(key=lambda row: sum(word not in row.title for word in wanted))
        return [row.paper.id for row in rows]

    def admitted(self, filters: Filters) -> dict[str, Paper]:
        """The papers that pass, without their abstracts, by id."""
        return {row.paper.id: row.paper for row in self._rows if filters.admits(row.paper)}


def _row(paper: Paper) -> Row:
    return Row(replace(paper, abstract=""), *searchable(paper))
