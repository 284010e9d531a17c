"""Real exports of many tools: every record is accounted for, and reading them twice changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from citewell.library.sqlite_catalog import SqliteCatalog
from citewell.library.sync import sync_files
from citewell.readers import open_bibliography
from citewell.readers.base import Draft

pytestmark = pytest.mark.shared

# file, format, records, abstracts among them, records with neither title nor abstract; counted by eye
FILES = [
    ("asreview/_baseline.ris", "ris", 100, 98, 0),
    ("asreview/baseline_zotero.ris", "ris", 100, 98, 0),
    ("asreview/duplicate_records.csv", "csv", 14, 10, 4),
    ("asreview/embase.csv", "csv", 6, 6, 0),
    ("asreview/embase_newpage.csv", "csv", 6, 6, 0),
    ("asreview/faulty_year.ris", "ris", 1, 1, 0),
    ("asreview/generic_semicolon.csv", "csv", 2, 2, 0),
    ("asreview/generic_tab.csv", "tsv", 2, 2, 0),
    ("asreview/missing_values.csv", "csv", 4, 2, 0),
    ("asreview/ovid_psycinfo.ris", "ris", 6, 6, 0),
    ("asreview/ovid_zotero.ris", "ris", 6, 6, 0),
    ("asreview/proquest.ris", "ris", 6, 6, 0),
    ("asreview/pubmed_endnote.txt", "ris", 6, 6, 0),
    ("asreview/ris_issue_992.txt", "ris", 19, 8, 0),
    ("asreview/web_of_science.txt", "ris", 10, 10, 0),
    ("colrev/30_example_records.bib", "bibtex", 30, 0, 0),
    ("colrev/abi_inform_proquest_bib.bib", "bibtex", 2, 2, 0),
    ("colrev/ais_enl.txt", "endnote", 6, 4, 0),
    ("colrev/dblp_bib.bib", "bibtex", 2, 0, 0),
    ("colrev/dedupe_records.bib", "bibtex", 21, 1, 0),
    ("colrev/enl_data.enl", "endnote", 3, 2, 0),
    ("colrev/eric_nbib.nbib", "medline", 1, 1, 0),
    ("colrev/europe_pmc_bib.bib", "bibtex", 2, 2, 0),
    ("colrev/google_scholar.json", "json", 7, 7, 0),
    ("colrev/ieee_csv.csv", "csv", 2, 2, 0),
    ("colrev/jstor_ris.ris", "ris", 4, 3, 0),
    ("colrev/nbib_data.nbib", "medline", 1, 1, 0),
    ("colrev/psycinfo_ris.ris", "ris", 1, 1, 0),
    ("colrev/pubmed_csv.csv", "csv", 1, 0, 0),
    ("colrev/scopus_bib.bib", "bibtex", 11, 0, 0),
    ("colrev/springer_csv.csv", "csv", 1, 0, 0),
    ("colrev/taylor_and_francis_bib.bib", "bibtex", 2, 0, 0),
    ("colrev/trid_ris.ris", "ris", 3, 3, 0),
    ("litstudy/example.ris", "ris", 25, 25, 0),
    ("litstudy/exclude.ris", "ris", 1, 0, 0),
    ("litstudy/ieee_1.csv", "csv", 100, 100, 0),
    ("litstudy/scopus.csv", "csv", 58, 57, 0),
    ("litstudy/springer_notebook.csv", "csv", 1000, 0, 0),
    ("pybtex/cyrillic.bib", "bibtex", 5, 0, 0),
    ("pybtex/extrafields.bib", "bibtex", 1, 0, 0),
    ("pybtex/xampl.bib", "bibtex", 36, 0, 3),
    ("python-bibtexparser/article_missing_coma.bib", "bibtex", 4, 0, 0),
    ("python-bibtexparser/article_with_strings.bib", "bibtex", 1, 0, 0),
    ("python-bibtexparser/encoding.bib", "bibtex", 1, 1, 0),
    ("python-bibtexparser/gbk_test.bib", "bibtex", 1, 0, 0),
    ("python-bibtexparser/multiple_entries_and_comments.bib", "bibtex", 3, 0, 0),
    ("python-bibtexparser/traps.bib", "bibtex", 1, 1, 0),
    ("rispy/example_empty_tag.ris", "ris", 1, 1, 0),
    ("rispy/example_multiline.ris", "ris", 3, 3, 0),
    ("rispy/example_starting_newlines.ris", "ris", 1, 0, 0),
    ("rispy/example_wos.ris", "wos", 2, 2, 0),
]


@pytest.mark.parametrize(("name", "kind", "records", "abstracts", "failed"), FILES)
def test_every_record_is_read(shared, name: str, kind: str, records: int, abstracts: int, failed: int) -> None:
    file = open_bibliography(shared(f"data/bibliographies/{name}"))
    items = list(file.items)
    drafts = [item for item in items if isinstance(item, Draft)]
    assert file.format == kind
    assert len(items) == records
    assert sum(bool(draft.abstract) for draft in drafts) == abstracts
    assert len(items) - len(drafts) == failed
    assert [item.record for item in items] == list(range(1, records + 1))


def test_all_of_them_twice(shared, tmp_path: Path) -> None:
    folder = shared("data/bibliographies")
    catalog = SqliteCatalog(tmp_path / "home")
    first = sync_files(catalog, [folder])
    held = {paper.id: paper for paper in catalog.all_papers()}
    for file in first.files:
        assert file.added + file.updated + file.merged + file.unchanged + len(file.failed) == file.records
    totals = sync_files(catalog, [folder]).totals
    assert (totals["added"], totals["updated"], totals["merged"]) == (0, 0, 0)
    assert totals["unchanged"] + totals["failed"] == totals["records"]
    assert {paper.id: paper for paper in catalog.all_papers()} == held


def test_all_of_icml_2025_beside_the_seeds(shared, tmp_path: Path) -> None:
    from tests.conftest import SEEDS

    catalog = SqliteCatalog(tmp_path / "home")
    sync_files(catalog, [SEEDS])
    ids = {paper.title: paper.id for paper in catalog.all_papers()}
    report = sync_files(catalog, [shared("data/icml-2025.jsonl")])
    assert (report.files[0].records, report.files[0].failed) == (3330, [])
    assert catalog.count() == 3330
    after = {paper.title: paper for paper in catalog.all_papers()}
    for title, paper_id in ids.items():
        assert after[title].id == paper_id
        assert after[title].url.startswith("https://")
        assert "icml-2025.jsonl" in after[title].files


def test_seeds_without_their_titles_are_known_again_by_their_text(shared, tmp_path: Path, seed_titles) -> None:
    import shutil

    from tests.conftest import SEEDS

    for path in SEEDS.glob("*.txt"):
        shutil.copy(path, tmp_path)
    catalog = SqliteCatalog(tmp_path / "home")
    sync_files(catalog, [tmp_path / path.name for path in SEEDS.glob("*.txt")])
    assert all(paper.title_from_text for paper in catalog.all_papers())
    sync_files(catalog, [shared("data/icml-2025.jsonl")])
    assert catalog.count() == 3330
    assert set(seed_titles.values()) <= {paper.title for paper in catalog.all_papers()}
