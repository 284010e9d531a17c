"""The contract of a catalog."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from citewell.filters import Filters
from citewell.library.passages import text_hash
from citewell.library.ports import Catalog, FileRecord, Sort
from citewell.paper import Paper
from citewell.text.names import Name

PAPERS = (
    Paper("a", "Bandits with Knapsacks", "We bound regret.", ("Ada Müller", "Bo Li"), 2024, "ICML 2024", doi="10.1/a"),
    Paper("b", "A Study of Regret", "Nothing about bandits here but bandits.", ("Wang, C.",), 2023, "NeurIPS"),
    Paper("c", "Zebra fish", r"The \emph{stripes} of \'etudes.", ("Dan Wang", "Ann O'Hara"), None, ""),
    Paper("d", "Attention", "Bandits attend.", (), 2025, 'The "Quoted", Comma; Journal'),
    Paper("e", "强化学习的研究", "我们研究强化学习。", ("王伟",), 2022, "学报"),
)
FILES = {
    "a": "/lib/x.bib",
    "b": "/lib/x.bib",
    "c": "/lib/50%_of it, 'all'.bib",
    "d": "/other/y.ris",
    "e": "/other/y.ris",
}


def save(catalog: Catalog, paper: Paper, keys: tuple[str, ...] = (), names: tuple[Name, ...] = ()) -> None:
    catalog.save_paper(paper, text_hash(paper), keys, names)


class CatalogContract:
    """Subclass, and override `catalog` with a fixture that gives an empty one."""

    @pytest.fixture
    def catalog(self) -> Catalog:
        raise NotImplementedError("override this fixture with one that gives an empty catalog")

    @pytest.fixture
    def filled(self, catalog: Catalog) -> Catalog:
        """The five papers of `PAPERS`, each read from the file that `FILES` names."""
        with catalog.transaction():
            for place, paper in enumerate(PAPERS):
                save(catalog, paper, (f"title:{paper.id}",), (Name(f"Name {paper.id}", 4), Name("Shared", 2)))
                catalog.save_record(FILES[paper.id], FileRecord(place + 1, f"hash {paper.id}", paper.id))
        catalog.bump_version()
        return catalog

    def test_it_is_a_catalog(self, catalog: Catalog) -> None:
        assert isinstance(catalog, Catalog)
        assert catalog.library_id
        assert (catalog.count(), catalog.version, catalog.pending(), catalog.files()) == (0, 0, [], [])
        assert catalog.check() == ""

    def test_papers_come_back_as_they_were_saved(self, filled: Catalog) -> None:
        found = filled.papers_by_id(["d", "nobody", "a", "d"])
        assert list(found) == ["d", "a"]
        for paper in filled.all_papers():
            own = next(other for other in PAPERS if other.id == paper.id)
            assert (paper.title, paper.abstract, paper.authors) == (own.title, own.abstract, own.authors)
            assert (paper.year, paper.venue, paper.doi) == (own.year, own.venue, own.doi)
        assert [paper.id for paper in filled.all_papers()] == ["a", "b", "c", "d", "e"]
        assert filled.papers_by_id(["c"])["c"].files == ("50%_of it, 'all'.bib",)

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("", "abcde"),
            ("bandits", "adb"),
            ("band", "adb"),
            ("REGRET bandits", "ab"),
            ("muller", "a"),
            ("Müller", "a"),
            ("wang", "bc"),
            ("2025 bandits", "d"),
            ("stripes", "c"),
            ("o'hara", "c"),
            ("强化学习", "e"),
            ("nowhere", ""),
            ('"quoted" -comma AND (x', ""),
            ("?!", ""),
        ],
    )
    def test_every_word_must_be_held(self, filled: Catalog, text: str, found: str) -> None:
        assert sorted(filled.search(text).ids) == sorted(found)
        assert filled.search(text).total == len(found)

    def test_words_in_the_title_count_most(self, filled: Catalog) -> None:
        assert filled.search("bandits").ids[0] == "a"
        assert filled.search("regret").ids == ["b", "a"]

    @pytest.mark.parametrize(
        ("sort", "found"), [("title", "bdace"), ("newest", "dabec"), ("oldest", "ebadc"), ("added", "edcba")]
    )
    def test_sorts(self, filled: Catalog, sort: Sort, found: str) -> None:
        assert "".join(filled.search(sort=sort).ids) == found

    def test_pages_join_to_the_whole(self, filled: Catalog) -> None:
        for text in ("", "bandits"):
            whole = filled.search(text)
            pages = [filled.search(text, limit=2, offset=start) for start in range(0, whole.total + 2, 2)]
            assert [key for page in pages for key in page.ids] == whole.ids
            assert {page.total for page in pages} == {whole.total}

    @pytest.mark.parametrize(
        ("filters", "found"),
        [
            (Filters(), "abcde"),
            (Filters(venues=("ICML",)), "a"),
            (Filters(venues=("icml 2024", "neurips")), "ab"),
            (Filters(venues=('The "Quoted", Comma; Journal',)), "d"),
            (Filters(venues=("%",)), ""),
            (Filters(venues=("CHI",)), ""),
            (Filters(year_from=2024), "ad"),
            (Filters(year_to=2023), "be"),
            (Filters(year_from=2024, year_to=2024), "a"),
            (Filters(year_from=2026, year_to=2020), ""),
            (Filters(authors=("Wang",)), "bc"),
            (Filters(authors=("Wang", "O'Hara")), "c"),
            (Filters(authors=("A. Müller",)), "a"),
            (Filters(authors=("Nobody",)), ""),
            (Filters(files=("x.bib",)), "ab"),
            (Filters(files=("X.BIB", "y.ris")), "abde"),
            (Filters(files=("50%_of it, 'all'.bib",)), "c"),
            (Filters(files=("501of it, 'all'.bib",)), ""),
            (Filters(year_to=2023, venues=("ICML",)), ""),
        ],
    )
    def test_filters(self, filled: Catalog, filters: Filters, found: str) -> None:
        assert "".join(filled.search(filters=filters).ids) == found
        assert filled.count(filters) == len(found)
        # The store admits exactly what the filters themselves admit.
        assert [paper.id for paper in filled.all_papers() if filters.admits(paper)] == list(found)

    def test_words_and_filters_together(self, filled: Catalog) -> None:
        assert filled.search("bandits", Filters(year_from=2025)).ids == ["d"]
        assert filled.search("强化学习", Filters(year_from=2025)).ids == []

    @pytest.mark.parametrize(
        "fields", [{"venues": "ICML"}, {"venues": (1,)}, {"year_from": "2024"}, {"year_to": True}, {"files": None}]
    )
    def test_malformed_filters_cannot_be_made(self, fields: dict[str, Any]) -> None:
        with pytest.raises(TypeError):
            Filters(**fields)

    def test_facets(self, filled: Catalog) -> None:
        facets = filled.facets()
        assert facets.years == (2022, 2023, 2024, 2025)
        assert dict(facets.year_counts) == {2022: 1, 2023: 1, 2024: 1, 2025: 1}
        assert set(facets.venues) == {paper.venue for paper in PAPERS if paper.venue}
        assert facets.venue_counts["ICML 2024"] == 1
        assert set(facets.authors) == {name for paper in PAPERS for name in paper.authors}
        assert facets.files == ("50%_of it, 'all'.bib", "x.bib", "y.ris")

    def test_replacing_a_paper(self, filled: Catalog) -> None:
        version = filled.version
        save(filled, Paper("a", "Owls at Night", "They see.", ("New Author",), 1999, "Nature"), ("title:owls",))
        filled.bump_version()
        assert filled.version == version + 1
        assert (filled.search("knapsacks").ids, filled.search("owls").ids) == ([], ["a"])
        assert filled.find_by_keys(["title:a", "title:owls"]) == {"title:owls": ["a"]}
        assert [match.paper_id for match in filled.find_by_names(["name a"])] == []
        assert "Ada Müller" not in filled.facets().authors
        assert filled.count() == 5

    def test_deleting_papers(self, filled: Catalog) -> None:
        filled.delete_papers(["a", "d", "nobody"])
        filled.bump_version()
        assert [paper.id for paper in filled.all_papers()] == ["b", "c", "e"]
        assert filled.search("bandits").ids == ["b"]
        assert filled.find_by_keys(["title:a"]) == {}
        assert filled.files() == [("/lib/50%_of it, 'all'.bib", 1), ("/lib/x.bib", 1), ("/other/y.ris", 1)]
        assert filled.facets().years == (2022, 2023)

    def test_keys_and_names(self, filled: Catalog) -> None:
        assert filled.find_by_keys(["title:b", "title:zz"]) == {"title:b": ["b"]}
        assert {match.paper_id for match in filled.find_by_names(["shared"])} == set("abcde")
        (own,) = filled.find_by_names(["name c"])
        assert (own.key, own.name, own.paper_id, own.weight) == ("name c", "Name c", "c", 4)
        assert filled.find_by_keys([]) == {}
        assert filled.find_by_names([]) == []

    def test_a_transaction_happens_whole_or_not_at_all(self, filled: Catalog) -> None:
        def half() -> None:
            with filled.transaction():
                save(filled, Paper("f", "Half", "A paper."))
                with filled.transaction():
                    filled.delete_papers(["a"])
                raise RuntimeError

        with pytest.raises(RuntimeError):
            half()
        assert [paper.id for paper in filled.all_papers()] == ["a", "b", "c", "d", "e"]

    def test_what_is_indexed(self, filled: Catalog) -> None:
        assert filled.pending() == ["a", "b", "c", "d", "e"]
        filled.mark_indexed({paper.id: text_hash(paper) for paper in PAPERS[:3]} | {"d": "another hash"})
        assert filled.pending() == ["d", "e"]
        save(filled, PAPERS[0])
        assert filled.pending() == ["d", "e"]
        save(filled, Paper("a", "Another Title", "We bound regret."))
        assert filled.pending() == ["a", "d", "e"]
        filled.mark_pending(["b"])
        assert filled.pending() == ["a", "b", "d", "e"]
        filled.mark_pending()
        assert filled.pending() == ["a", "b", "c", "d", "e"]

    def test_vectors_are_kept_for_a_model_and_a_text(self, filled: Catalog) -> None:
        paper, bounds = PAPERS[0], [(0, 8), (9, 16)]
        vectors = np.array([[0.6, 0.8], [1.0, 0.0]], dtype=np.float32)
        for kind in ("passage", "sentence"):
            filled.save_vectors(kind, paper, "m", bounds, vectors)
            own, kept = filled.vectors(kind, PAPERS, "m")["a"]
            assert own == bounds
            assert np.allclose(kept, vectors, atol=1e-3)
            assert filled.vector_blocks(kind, ["a", "b"], "m")["a"].size == 4
            assert filled.vectors(kind, PAPERS, "other") == {}
            assert filled.without_vectors(kind, "m") == ["b", "c", "d", "e"]
        filled.mark_indexed({"a": text_hash(paper)})
        assert filled.indexed_passages("m") == {"a:0-8": "a", "a:9-16": "a"}
        save(filled, Paper("a", "Another Title", "Another text."))
        assert filled.vectors("passage", filled.all_papers(), "m") == {}
        assert filled.vector_blocks("passage", ["a"], "m") == {}

    def test_files_and_records(self, filled: Catalog) -> None:
        assert filled.files()[1] == ("/lib/x.bib", 2)
        assert [record.paper_id for record in filled.records("/lib/x.bib")] == ["a", "b"]
        assert filled.is_file("x.bib")
        assert filled.is_file("/lib/x.bib")
        assert not filled.is_file("ib/x.bib")
        filled.save_record("/more/z.bib", FileRecord(1, "again", "a"))
        assert filled.count_records("a") == 2
        assert filled.papers_only_from("x.bib") == ["b"]
        filled.drop_records_after("/lib/x.bib", 1)
        assert filled.papers_without_file() == ["b"]
        filled.forget_file("y.ris")
        assert filled.papers_without_file() == ["b", "d", "e"]

    def test_facts_are_kept(self, catalog: Catalog) -> None:
        assert catalog.meta("filled", "no") == "no"
        catalog.set_meta("filled", "yes")
        assert catalog.meta("filled") == "yes"
