"""Each format on a small file of its own, with the right values."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from citewell.errors import UnreadableFile
from citewell.readers import open_bibliographies, open_bibliography
from citewell.readers.base import Draft, Failure

ABSTRACT = (
    "We sort lists quickly. It works well on many kinds of lists, and the cost is low in every case that we tried."
)

BIBTEX = r"""@string{icml = "Intl. Conf. on Machine Learning"}
@comment{nothing here}
@inproceedings{a1, title = {{Fast} Sorting of {DI*} Lists with $O(n \log n)$}, author = {M{\"u}ller, J{\"o}rg and Lee, Ann},
  year = 2024, booktitle = icml, doi = {10.1234/Abc.5}, abstract = {We gain 24.7\% \& more in {\bf all} $x_{1}$ cases.}}
@article{a2, title = "Second", author = "A. B.", date = {2023-05-01}, journaltitle = {J. Sorting},
  eprint = {2301.00001v2}, eprinttype = {arxiv}}
@article{a1, title = {Same key, other paper}, year = {2020}}
@misc{a3, author = {Nobody}}
@article{broken, title = {Never closed
"""

RIS = """
1. TY  - JOUR
T1  - Fast Sorting
A1  - Müller, Jörg
A1  - Lee, Ann
Y1  - 2024/05//
JF  - J. Sorting
N2  - We sort lists quickly.
and this line has no tag.
DO  - https://doi.org/10.1234/abc
UR  - https://example.org/a
ER  -

2. TY  - CONF
TI  - Second
ER  -
"""

MEDLINE = """PMID- 123
OWN - NLM
TI  - Fast sorting of
      long lists.
FAU - Lee, Ann
AU  - Lee A
AB  - We sort lists
      quickly.
DP  - 2021 Mar
JT  - Journal of sorting
LID - 10.1234/abc [doi]

PMID- 124
TI  - Second.
"""

WOS = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Lee, A
   Chen, B
AF Lee, Ann
   Chen, Bo
TI Fast sorting of
   long lists
SO J SORTING
AB We sort lists quickly.
PY 2020
DI 10.1234/abc
ER

EF
"""

ENDNOTE = """%0 Journal Article
%T Fast Sorting
%A Lee, Ann
%A Chen, Bo
%D 2019
%B J. Sorting
%U https://example.org/a
%X We sort lists quickly.

%0 Journal Article
%T Second
"""

ATOM = """<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
<entry><id>http://arxiv.org/abs/2301.00001v2</id><published>2023-01-01T00:00:00Z</published>
<title>Fast
 Sorting</title><summary>We sort &lt; lists.</summary><author><name>Ann Lee</name></author>
<arxiv:doi>10.1234/abc</arxiv:doi></entry></feed>"""

PUBMED = """<?xml version="1.0"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://dtd.nlm.nih.gov/x.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>9</PMID><Article><Journal><JournalIssue><PubDate><Year>2018</Year>
</PubDate></JournalIssue><Title>J. Sorting</Title></Journal><ArticleTitle>Fast <i>sorting</i>.</ArticleTitle><Abstract>
<AbstractText Label="AIM">We sort.</AbstractText><AbstractText Label="RESULTS">It works.</AbstractText></Abstract>
<AuthorList><Author><LastName>Lee</LastName><ForeName>Ann</ForeName></Author></AuthorList></Article></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="doi">10.1234/abc</ArticleId></ArticleIdList></PubmedData></PubmedArticle>
</PubmedArticleSet>"""

ENDNOTE_XML = """<xml><records><record><contributors><authors><author><style>Lee, Ann</style></author></authors>
</contributors><titles><title><style>Fast Sorting</style></title><secondary-title>J. Sorting</secondary-title></titles>
<dates><year>2017</year></dates><abstract>We sort.</abstract><electronic-resource-num>10.1234/abc</electronic-resource-num>
</record></records></xml>"""

POST = """---
title: Fast Sorting of $x_1$
abstract: "We sort lists: quickly."
author:
- given: Ann
  family: Lee
year: '2024'
volume: '235'
id: lee24a
openreview: AbCdEf123
---
"""


def read(tmp_path: Path, name: str, content: str | bytes) -> tuple[str, list[Draft | Failure]]:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    file = open_bibliography(path)
    return file.format, list(file.items)


def test_bibtex(tmp_path: Path) -> None:
    kind, items = read(tmp_path, "a.bib", BIBTEX)
    assert kind == "bibtex"
    first, second, third, fourth, fifth = items
    assert first.title == r"Fast Sorting of DI* Lists with $O(n \log n)$"
    assert first.authors == ("Jörg Müller", "Ann Lee")
    assert (first.year, first.venue, first.doi) == (2024, "Intl. Conf. on Machine Learning", "10.1234/abc.5")
    assert first.abstract == "We gain 24.7% & more in all $x_{1}$ cases."
    assert first.original.startswith(r"We gain 24.7\%")
    assert (second.year, second.venue) == (2023, "J. Sorting")
    assert "arxiv:2301.00001" in second.identifiers[0]
    assert third.title == "Same key, other paper"
    assert isinstance(fourth, Failure)
    assert fourth.reason == "neither a title nor an abstract"
    assert fourth.line == 8
    assert isinstance(fifth, Draft | Failure)


@pytest.mark.parametrize(
    ("name", "content", "kind", "count", "year", "authors"),
    [
        ("a.txt", RIS, "ris", 2, 2024, ("Jörg Müller", "Ann Lee")),
        ("a.ris", RIS.replace("\n", "\r\r\n"), "ris", 2, 2024, ("Jörg Müller", "Ann Lee")),
        ("a.ris", RIS.replace("  - ", "- ").replace("ER  -", "ER-"), "ris", 2, 2024, ("Jörg Müller", "Ann Lee")),
        ("a.nbib", MEDLINE, "medline", 2, 2021, ("Ann Lee",)),
        ("a.ris", WOS, "wos", 1, 2020, ("Ann Lee", "Bo Chen")),
        ("a.enl", ENDNOTE, "endnote", 2, 2019, ("Ann Lee", "Bo Chen")),
        ("a.xml", ATOM, "xml", 1, 2023, ("Ann Lee",)),
        ("a.xml", PUBMED, "xml", 1, 2018, ("Ann Lee",)),
        ("a.xml", ENDNOTE_XML, "xml", 1, 2017, ("Ann Lee",)),
        ("a.md", POST, "pmlr-post", 1, 2024, ("Ann Lee",)),
    ],
)
def test_tagged_and_xml_formats(tmp_path, name, content, kind, count, year, authors) -> None:
    found, items = read(tmp_path, name, content)
    assert (found, len(items)) == (kind, count)
    first = items[0]
    assert isinstance(first, Draft)
    assert first.title.lower().startswith("fast sorting")
    assert "\n" not in first.title
    assert first.abstract.lower().replace("aim: ", "").startswith("we sort")
    assert (first.year, first.authors) == (year, authors)


def test_values_over_several_lines_and_odd_marks(tmp_path: Path) -> None:
    _, items = read(tmp_path, "a.ris", RIS)
    assert items[0].abstract == "We sort lists quickly. and this line has no tag."
    assert items[0].doi == "10.1234/abc"
    assert items[0].url == "https://example.org/a"
    assert items[0].line == 2
    _, items = read(tmp_path, "a.nbib", MEDLINE)
    assert items[0].title == "Fast sorting of long lists"
    assert items[0].doi == "10.1234/abc"
    _, items = read(tmp_path, "a.md", POST)
    assert items[0].url == "https://proceedings.mlr.press/v235/lee24a.html"


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Authors,Title,Year,Source title,DOI,Abstract", 'Lee A.,"T, one",2020,J. S.,10.1234/abc,{a}'),
        ("Document Title;Authors;Publication Year;Publication Title;DOI;Abstract", '"T, one";Ann Lee;2020;J. S.;10.1234/abc;{a}'),
        ("Item Title\tPublication Title\tItem DOI\tAuthors\tPublication Year\tAbstract", "T, one\tJ. S.\t10.1234/abc\tAnn Lee\t2020\t{a}"),
        ("Key|Author|Title|Publication Title|Date|DOI|Abstract Note", "k|Lee, Ann|T, one|J. S.|2020-03|10.1234/abc|{a}"),
        ("PMID,Title,Authors,Journal/Book,Publication Year,DOI,abstract ", '1,"T, one",Lee A,J. S.,2020,10.1234/abc,{a}'),
        ("Article Title,Author Full Names,Source Title,Publication Year,DOI,Abstract", '"T, one","Lee, Ann",J. S.,2020,10.1234/abc,{a}'),
        ("title,author names,source,doi,abstract", '"T, one","Lee A.",J. S. 2020,10.1234/abc,{a}'),
    ],
)  # fmt: skip
def test_tables_by_their_header_names(tmp_path: Path, header: str, row: str) -> None:
    quoted = f'"{ABSTRACT}"' if "\t" not in row and "|" not in row else ABSTRACT
    _, (draft,) = read(tmp_path, "a.csv", f"\ufeff{header}\r\n{row.format(a=quoted)}\r\n")
    assert draft.title == "T, one"
    assert draft.abstract == ABSTRACT
    assert draft.year == 2020
    assert draft.doi == "10.1234/abc"
    assert draft.venue.startswith("J. S.")
    assert draft.authors[0] in ("Ann Lee", "Lee A.", "Lee A")


def test_a_quoted_cell_may_hold_line_breaks_and_blank_rows_are_none(tmp_path: Path) -> None:
    _, items = read(tmp_path, "a.csv", 'title,abstract\n"A\nB","x y"\n,\n\nC,\n')
    assert [(item.title, item.abstract) for item in items] == [("A B", "x y"), ("C", "")]


def test_excel(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["My export"])
    book.active.append(["Title", "Abstract", "Year", "Authors"])
    book.active.append(["Fast Sorting", ABSTRACT, 2024, "Ann Lee; Bo Chen"])
    out = io.BytesIO()
    book.save(out)
    kind, (draft,) = read(tmp_path, "a.xlsx", out.getvalue())
    assert kind == "xlsx"
    assert (draft.title, draft.year, draft.authors) == ("Fast Sorting", 2024, ("Ann Lee", "Bo Chen"))


@pytest.mark.parametrize(
    "value",
    [
        {"id": "AbCdEfGhIj", "content": {"title": {"value": "Fast"}, "abstract": {"value": ABSTRACT}, "authors": {"value": ["Ann Lee"]}}},
        {"display_name": "Fast", "authorships": [{"author": {"display_name": "Ann Lee"}}],
         "abstract_inverted_index": {word: [k for k, w in enumerate(ABSTRACT.split()) if w == word] for word in ABSTRACT.split()}},
        {"title": "Fast", "abstract": ABSTRACT, "authors": [{"name": "Ann Lee"}], "externalIds": {"DOI": "10.1/x"}},
        {"id": "0704.0001", "title": "Fast", "abstract": f"  {ABSTRACT}\n", "authors": "Ann Lee"},
        {"title": "Fast", "abstract": ABSTRACT, "author": "Ann Lee", "site": "https://openreview.net/forum?id=AbCdEfGhIj"},
    ],
)  # fmt: skip
def test_json_shapes(tmp_path: Path, value: dict) -> None:
    for content in ([value], {"results": [value]}, {"data": {"notes": [value]}}):
        _, (draft,) = read(tmp_path, "a.json", json.dumps(content))
        assert (draft.title, draft.abstract, draft.authors) == ("Fast", ABSTRACT, ("Ann Lee",))


def test_damage_in_a_json_list_costs_only_what_follows(tmp_path: Path) -> None:
    good = json.dumps({"title": "Fast", "abstract": ABSTRACT})
    _, items = read(tmp_path, "a.json", f"[{good}, {good}, {{broken")
    assert [type(item) for item in items] == [Draft, Draft, Failure]


def test_entity_bombs_and_external_entities_are_refused(tmp_path: Path) -> None:
    bomb = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    outside = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    for start in (bomb, outside):
        _, items = read(tmp_path, "a.xml", f"{start}<feed><entry><title>&a;</title></entry></feed>")
        assert [type(item) for item in items] == [Failure]
        assert "not read" in items[0].reason


def test_zip_archives(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x/a.bib", BIBTEX)
        archive.writestr("x/b.ris", RIS)
        archive.writestr("x/c.pdf", b"%PDF-1.7")
        archive.writestr("README.md", "About these files.")
    files = {file.path.rpartition("/")[2]: list(file.items) for file in open_bibliographies([path])}
    assert sum(isinstance(item, Draft) for item in files["a.bib"]) >= 3
    assert len(files["b.ris"]) == 2
    assert files["c.pdf"][0].reason.startswith("is a PDF")
    assert "README.md" not in files


def test_zip_bombs_and_climbing_paths_are_refused(tmp_path: Path) -> None:
    bomb, climbing = tmp_path / "bomb.zip", tmp_path / "climbing.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.bib", b"0" * 30_000_000)
    with zipfile.ZipFile(climbing, "w") as archive:
        archive.writestr("../../a.bib", BIBTEX)
    with pytest.raises(UnreadableFile, match="far more than it holds"):
        open_bibliographies([bomb])
    with pytest.raises(UnreadableFile, match="leads out"):
        open_bibliographies([climbing])
    assert not (tmp_path.parent / "a.bib").exists()


def test_a_folder_of_many_formats(tmp_path: Path) -> None:
    for name, content in (
        ("a.bib", BIBTEX),
        ("b/c.ris", RIS),
        ("b/d.nbib", MEDLINE),
        ("notes.md", "Nothing."),
        (".e.bib", BIBTEX),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    found = {Path(file.path).name: file.format for file in open_bibliographies([tmp_path])}
    assert found == {"a.bib": "bibtex", "c.ris": "ris", "d.nbib": "medline"}


def test_gbk(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes("@article{a, title={机器学习中的快速排序方法}, author={凯撒}}".encode("gbk"))
    file = open_bibliography(path)
    (draft,) = file.items
    assert draft.title == "机器学习中的快速排序方法"
    assert file.encoding == "gb18030"


def test_people_that_springer_runs_together(tmp_path: Path) -> None:
    _, (draft,) = read(tmp_path, "a.csv", "Item Title,Authors,Publication Year\nT,Andy SmithTom WeberIan McKay,2020\n")
    assert draft.authors == ("Andy Smith", "Tom Weber", "Ian McKay")
