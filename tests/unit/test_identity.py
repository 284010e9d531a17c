from __future__ import annotations

from dataclasses import replace

import pytest

from citewell.exports.papers import citation_keys, export_papers
from citewell.library.identity import draft_keys, is_richer, is_same, merged, new_paper, paper_keys, sketch
from citewell.paper import Paper
from citewell.readers.base import Draft

TEXT = (
    "Sorting long lists of numbers is slow when the lists do not fit into memory. We propose a method that splits the "
    "list into runs, sorts each of them in place, and merges the runs with a heap. On six data sets it is twice as fast "
    "as the method of the standard library, and it never needs more than a few megabytes of memory."
)
BASE = Draft(1, 1, title="Sorting Long Lists With Heaps", abstract=TEXT, year=2023, authors=("Ann Lee",))


def known(draft: Draft = BASE) -> Paper:
    return new_paper(draft, lambda _: False)


def same(paper: Paper, draft: Draft) -> bool:
    """As the catalog would find it: by any key that both have."""
    shared = set(draft_keys(draft)) & set(paper_keys(paper))
    keys = [key for key in shared if not key.startswith("near:")]
    near = [key for key in shared if key.startswith("near:")]
    keys += near[:1] if len(near) >= 3 else []
    return any(is_same(paper, draft, key) for key in keys)


@pytest.mark.parametrize(
    "draft",
    [
        replace(BASE, record=5),
        replace(BASE, title="SORTING LONG LISTS, with heaps", year=2024),
        replace(BASE, title="", abstract=TEXT.replace("twice", "*twice*").replace("—", "-")),
        replace(
            BASE, title="", abstract=TEXT.replace("a few megabytes", "some megabytes").replace("slow", "very slow")
        ),
        replace(BASE, abstract="", year=2024),
        replace(BASE, abstract="", authors=()),
    ],
)
def test_the_same_paper(draft: Draft) -> None:
    assert same(known(), draft)


OTHER = (
    "Birds of the coast rest on small islands in autumn, where food is plentiful and the nights are warm enough. " * 3
)


@pytest.mark.parametrize(
    "draft",
    [
        replace(BASE, abstract=OTHER),
        replace(BASE, title="Sorting Long Lists With Heaps: Part II"),
        replace(BASE, title="Correction: Sorting Long Lists With Heaps"),
        replace(
            BASE,
            title="Counting Short Trees By Hand",
            abstract=TEXT.replace("list", "tree").replace("Sorting", "Counting"),
        ),
        replace(BASE, abstract="", authors=("Zoe Quint",)),
        replace(BASE, abstract="", year=2010),
    ],
)
def test_another_paper(draft: Draft) -> None:
    assert not same(known(), draft)


def test_identifiers_decide_unless_title_and_text_say_otherwise() -> None:
    paper = known(replace(BASE, identifiers=("doi:10.1/x", "arxiv:2301.00001v1")))
    assert same(paper, Draft(1, 1, title="An Entirely Different Heading", identifiers=("doi:10.1/x",), abstract=TEXT))
    assert same(paper, Draft(1, 1, title="Sorting Lists", identifiers=("arxiv:2301.00001v3",)))
    assert not same(paper, Draft(1, 1, title="Birds of the Coast", identifiers=("doi:10.1/x",), abstract=OTHER))


def test_merging_fills_gaps_and_keeps_what_is_there() -> None:
    draft = replace(BASE, venue="J. Sorting", doi="10.1/x", year=2024, identifiers=("doi:10.1/x",), authors=("A. Lee",))
    paper = merged(known(), draft)
    assert (paper.venue, paper.doi, paper.year, paper.authors) == ("J. Sorting", "10.1/x", 2023, ("Ann Lee",))
    assert paper.id == known().id


def test_a_title_replaces_a_label_and_a_whole_text_a_cut_one() -> None:
    cut = known(replace(BASE, title="", abstract=TEXT[:120] + "…"))
    assert cut.title_from_text
    paper = merged(cut, BASE)
    assert (paper.title, paper.title_from_text, paper.abstract) == (BASE.title, False, TEXT)
    assert not is_richer(TEXT[:200], TEXT)
    assert not is_richer(TEXT + " Indeed.", TEXT)


def test_sketches_of_like_texts_share_hashes() -> None:
    near = TEXT.replace("a few megabytes", "some megabytes")
    assert len(set(sketch(TEXT)) & set(sketch(near))) >= 6
    assert not set(sketch(TEXT)) & set(sketch(OTHER))


ODD = Paper(
    "p1",
    r"Sorting 100% of {Lists} & Trees: DI* with $O(n \log n)$ #1",
    r"We gain 24.7% & more, costs $5, a_b ~ c^d \ e; ``quoted'' $x_{1}$ text.",
    ("Jörg Müller", "Ann Lee"),
    2024,
    "ICML 2024",
    "https://example.org/a_b",
    "10.1234/a_b",
)


@pytest.mark.parametrize(("kind", "name"), [("bib", "a.bib"), ("ris", "a.ris"), ("csv", "a.csv"), ("json", "a.json")])
def test_exports_come_back_through_our_own_readers(tmp_path, kind: str, name: str) -> None:
    from citewell.readers import open_bibliography

    plain = Paper("p2", "A Second Paper", TEXT, ("Bo Chen",), 2023, "J. Sorting", "https://example.org/b", "10.1234/b")
    path = tmp_path / name
    path.write_text(export_papers([ODD, plain], kind), encoding="utf-8")
    back = list(open_bibliography(path).items)
    assert len(back) == 2
    for paper, draft in zip([ODD, plain], back, strict=True):
        assert draft.title == paper.title
        assert (draft.authors, draft.year, draft.venue) == (paper.authors, paper.year, paper.venue)
        assert (draft.doi, draft.url) == (paper.doi, paper.url)
    assert back[1].abstract == TEXT
    assert "24.7% & more, costs $5, a_b" in back[0].abstract


def test_citation_keys_are_unique_and_stable() -> None:
    papers = [replace(ODD, id=f"p{number}") for number in (3, 1, 2)]
    keys = citation_keys(papers)
    assert keys == {"p1": "muller2024sortinga", "p2": "muller2024sortingb", "p3": "muller2024sortingc"}
    assert citation_keys(papers[:1]) == {"p3": "muller2024sorting"}
    many = citation_keys([replace(ODD, id=f"p{number:03}") for number in range(30)])
    assert len(set(many.values())) == 30
