"""Papers out again: BibTeX, RIS, CSV and JSON that other tools read, and our own readers too."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence

from citewell.exports.venues import is_conference
from citewell.paper import Paper
from citewell.text.formulas import split_formulas
from citewell.text.tokens import STOP_WORDS, plain, raw_words

_BIBTEX_SPECIAL = re.compile(r"[&%#_$]")
_BIBTEX_WORDS = {
    "\\": r"{\textbackslash}",
    "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}",
    "{": r"\{",
    "}": r"\}",
}
COLUMNS = ("id", "title", "authors", "year", "venue", "doi", "url", "abstract", "sources")


def export_papers(papers: Sequence[Paper], kind: str) -> str:
    """The papers as text of the kind `bib`, `ris`, `csv` or `json`."""
    return {"bib": to_bibtex, "ris": to_ris, "csv": to_csv, "json": to_json}[kind](papers)


def citation_keys(papers: Sequence[Paper]) -> dict[str, str]:
    """A BibTeX key for each paper id: family, year, first word of the title; a, b, … where that is taken.

    The suffixes follow the ids, so the same papers always get the same keys.
    """
    groups: dict[str, list[str]] = {}
    for paper in papers:
        family = _ascii(paper.authors[0].split()[-1]) if paper.authors and paper.authors[0].split() else "anon"
        words = [_ascii(word) for word in raw_words(paper.title) if word.lower() not in STOP_WORDS]
        stem = f"{family or 'anon'}{paper.year or ''}{next((word for word in words if word), '')}"
        groups.setdefault(stem, []).append(paper.id)
    keys = {}
    for stem, ids in groups.items():
        for number, paper_id in enumerate(sorted(ids)):
            keys[paper_id] = stem + (_letters(number) if len(ids) > 1 else "")
    return keys


def _letters(number: int) -> str:
    """0 → a, 25 → z, 26 → aa."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def _ascii(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", plain(text).lower())


def to_bibtex(papers: Sequence[Paper]) -> str:
    """BibTeX in UTF-8; what TeX would take for a command is escaped, formulas stay."""
    from bibtexparser.entrypoint import write_string
    from bibtexparser.library import Library
    from bibtexparser.model import Entry, Field

    keys = citation_keys(papers)
    library = Library()
    for paper in papers:
        conference = is_conference(paper.venue)
        fields = {
            "title": "{" + bibtex_text(paper.title) + "}",
            "author": " and ".join(bibtex_text(name) for name in paper.authors),
            "year": str(paper.year or ""),
            "booktitle" if conference else "journal": bibtex_text(paper.venue),
            "doi": paper.doi,
            "url": paper.url,
            "abstract": bibtex_text(paper.abstract),
        }
        kind = "inproceedings" if conference else "article" if paper.venue else "misc"
        library.add(
            Entry(kind, keys[paper.id], [Field(name, f"{{{value}}}") for name, value in fields.items() if value])
        )
    return write_string(library, unparse_stack=[])


def bibtex_text(text: str) -> str:
    """`text` with TeX's special characters escaped outside formulas and unbalanced braces made harmless."""
    pieces = []
    for span in split_formulas(text):
        raw = text[span.start : span.end]
        if span.is_formula and raw.count("{") == raw.count("}"):
            pieces.append(raw)
        else:
            words = "".join(_BIBTEX_WORDS.get(ch, ch) for ch in raw)
            pieces.append(_BIBTEX_SPECIAL.sub(lambda match: "\\" + match.group(), words))
    return "".join(pieces)


def to_ris(papers: Sequence[Paper]) -> str:
    import rispy

    entries = []
    for paper in papers:
        entry = {
            "type_of_reference": "JOUR" if paper.venue else "GEN",
            "title": paper.title,
            "authors": list(paper.authors),
            "year": str(paper.year or ""),
            "secondary_title": paper.venue,
            "doi": paper.doi,
            "urls": [paper.url] if paper.url else [],
            "abstract": paper.abstract,
            "id": paper.id,
        }
        entries.append({name: value for name, value in entry.items() if value})
    text: str = rispy.dumps(entries)
    return text


def to_csv(papers: Sequence[Paper]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for paper in papers:
        row = (paper.id, paper.title, "; ".join(paper.authors), paper.year or "", paper.venue, paper.doi, paper.url)
        writer.writerow((*row, paper.abstract, "; ".join(paper.files)))
    return out.getvalue()


def to_json(papers: Sequence[Paper]) -> str:
    rows = []
    for paper in papers:
        row = {name: getattr(paper, name) for name in COLUMNS if name != "sources"}
        rows.append({**row, "authors": list(paper.authors), "sources": list(paper.files)})
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
