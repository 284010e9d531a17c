"""The list of papers: words, filters, order."""

from __future__ import annotations

import pytest

from rag.library.listing import Listing
from rag.records import Filters, Paper

PAPERS = [
    Paper("a", "Bandits with Knapsacks", "We bound regret.", ("Ada Müller", "Bo Li"), 2024, "ICML 2024"),
    Paper("b", "A Study of Regret", "Nothing about bandits here but bandits.", ("Wang, C.",), 2023, "NeurIPS"),
    Paper("c", "Zebra fish", r"The \emph{stripes} of \'etudes.", ("Dan Wang",), None, "", sources=("z.bib",)),
    Paper("d", "Attention", "Bandits attend.", (), 2025, "ICML 2025"),
]


@pytest.fixture
def listing() -> Listing:
    return Listing(PAPERS, version=3)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", ["a", "b", "c", "d"]),
        ("bandits", ["a", "b", "d"]),  # the title that holds the word first
        ("REGRET bandits", ["a", "b"]),
        ("muller", ["a"]),
        ("Müller", ["a"]),
        ("wang", ["b", "c"]),
        ("2025 icml", ["d"]),
        ("stripes", ["c"]),
        ("nowhere", []),
    ],
)
def test_every_word_must_be_held(listing: Listing, words: str, found: list[str]) -> None:
    assert listing.search(words) == found


@pytest.mark.parametrize(
    ("sort", "found"),
    [
        ("title", ["b", "d", "a", "c"]),
        ("newest", ["d", "a", "b", "c"]),
        ("oldest", ["b", "a", "d", "c"]),
        ("added", ["d", "c", "b", "a"]),
    ],
)
def test_sorts(listing: Listing, sort: str, found: list[str]) -> None:
    assert listing.search(sort=sort) == found


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(venues=("ICML",)), ["a", "d"]),
        (Filters(year_from=2024), ["a", "d"]),
        (Filters(authors=("Wang",)), ["b", "c"]),
        (Filters(sources=("z.bib",)), ["c"]),
        (Filters(year_to=2023, venues=("ICML",)), []),
    ],
)
def test_filters(listing: Listing, filters: Filters, found: list[str]) -> None:
    assert listing.search("", filters) == found
    assert list(listing.admitted(filters)) == found


def test_abstracts_are_not_held(listing: Listing) -> None:
    assert len(listing) == 4
    assert not any(row.paper.abstract for row in listing.rows)
