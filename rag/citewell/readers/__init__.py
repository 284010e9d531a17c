"""From a file to drafts of papers. The format is recognised from the content first, the name second."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from citewell.errors import UnreadableFile
from citewell.readers.abstracts import looks_like_abstracts, read_abstracts
from citewell.readers.base import BibliographyFile, Draft, Failure
from citewell.readers.bibtex import looks_like_bibtex, read_bibtex
from citewell.readers.endnote import looks_like_endnote, read_endnote
from citewell.readers.input import Source, encoding_of, open_source, zip_members
from citewell.readers.json_records import read_json, read_json_lines
from citewell.readers.medline import looks_like_medline, read_medline
from citewell.readers.posts import looks_like_post, read_post
from citewell.readers.ris import looks_like_ris, read_ris
from citewell.readers.table import delimiter_of, read_delimited, read_workbook
from citewell.readers.titles import is_titles_file, titles_beside
from citewell.readers.wos import looks_like_wos, read_wos
from citewell.readers.xml_records import looks_like_xml_records, read_xml

__all__ = ["BibliographyFile", "Draft", "Failure", "open_bibliographies", "open_bibliography"]

READABLE = (
    "Readable are BibTeX, RIS, CSV, TSV, Excel, JSON, PubMed, EndNote, Web of Science, arXiv and plain text with "
    "abstracts separated by blank lines."
)
_MAGIC = (
    (b"%PDF", "a PDF", "Full texts are not read: export the references with abstracts from Zotero, EndNote, Scopus or "
     "PubMed as RIS, BibTeX or CSV."),
    (b"\x89PNG", "an image", READABLE),
    (b"\xff\xd8\xff", "an image", READABLE),
    (b"GIF8", "an image", READABLE),
    (b"II*\x00", "an image", READABLE),
    (b"\xd0\xcf\x11\xe0", "an old Office file", "Save it as .xlsx or .csv."),
    (b"\x1f\x8b", "a gzip archive", "Unpack it first."),
    (b"SQLite format 3", "a database", READABLE),
    (b"\x7fELF", "a program", READABLE),
)  # fmt: skip


def open_bibliographies(paths: Sequence[Path]) -> list[BibliographyFile]:
    """Every bibliography among files, folders and zip archives, each named once, opened but not read yet.

    A path that is given itself must be a bibliography: else `UnreadableFile` is raised. What lies in a folder
    or archive and is none is left out when it does not claim to be one, and else reported as a failure.
    """
    files: list[BibliographyFile] = []
    for path in dict.fromkeys(path.absolute() for path in paths):
        if path.is_dir():
            inside = [child for child in sorted(path.rglob("*")) if child.is_file() and not _hidden(child, path)]
            found = [file for child in inside for file in _inside(child)]
            if not found:
                raise UnreadableFile(f"The folder {path} holds no bibliography.", f"{READABLE} Nothing was changed.")
            files.extend(found)
        elif path.is_file():
            files.extend(_archive(path) if _is_archive(path) else [open_bibliography(path)])
        else:
            raise UnreadableFile(f"There is no file or folder {path}.", "Check the path; nothing was changed.")
    return files


def _hidden(child: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in child.relative_to(folder).parts)


def _inside(path: Path) -> list[BibliographyFile]:
    """What a file in a folder is: itself, the members of an archive, or nothing."""
    if is_titles_file(path) or _is_paper_about_papers(path.name):
        return []
    if _is_archive(path):
        return _archive(path)
    return _tolerant(path)


def _archive(path: Path) -> list[BibliographyFile]:
    members = [name for name in zip_members(path) if not _is_paper_about_papers(Path(name).name)]
    found = [file for name in members for file in _tolerant(path, name)]
    if not found:
        raise UnreadableFile(f"{path} holds no bibliography.", f"{READABLE} Nothing was changed.")
    return found


def _tolerant(path: Path, member: str = "") -> list[BibliographyFile]:
    try:
        return [open_bibliography(path, member)]
    except UnreadableFile as error:
        name = Source(path, member).name
        failure = Failure(1, 1, error.message.removeprefix(f"{name} "))
        return [BibliographyFile(name, "unreadable", "", iter([failure]))]


def _is_paper_about_papers(name: str) -> bool:
    """Notes that lie beside bibliographies in most folders."""
    return Path(name).stem.lower() in {"readme", "license", "licence", "source", "sources", "changelog", "notes"} and (
        Path(name).suffix.lower() in {"", ".md", ".txt", ".rst"}
    )


def _is_archive(path: Path) -> bool:
    return zipfile.is_zipfile(path) and path.suffix.lower() not in (".xlsx", ".xlsm")


def open_bibliography(path: Path, member: str = "") -> BibliographyFile:
    """Recognise one file and open it. Raises `UnreadableFile` when it is no bibliography."""
    source = open_source(path, member)
    if not source.head.strip(b" \t\r\n\x00\xef\xbb\xbf"):
        raise UnreadableFile(f"{source.name} is empty.", "Nothing was changed.")
    for magic, what, advice in _MAGIC:
        if source.head.startswith(magic):
            raise UnreadableFile(f"{source.name} is {what}.", f"{advice} Nothing was changed.")
    if source.head.startswith(b"PK\x03\x04"):
        if source.suffix in (".xlsx", ".xlsm"):
            return BibliographyFile(source.name, "xlsx", "binary", read_workbook(source.open()))
        raise UnreadableFile(f"{source.name} is an archive or an Office file.", f"{READABLE} Nothing was changed.")
    encoding = encoding_of(source)
    head = source.head.decode(encoding, errors="ignore").lstrip("\ufeff")
    if "\x00" in head:
        raise UnreadableFile(f"{source.name} is a program's binary file.", f"{READABLE} Nothing was changed.")
    kind, items = _recognise(source, encoding, head)
    return BibliographyFile(source.name, kind, encoding, items)


def _recognise(source: Source, encoding: str, head: str) -> tuple[str, Iterator[Draft | Failure]]:
    start = head.lstrip()
    first_line = start.split("\n", 1)[0].rstrip()
    if start.startswith("{") and (
        source.suffix in (".jsonl", ".ndjson") or (first_line.endswith("}") and "\n" in start.strip())
    ):
        return "jsonl", read_json_lines(source.lines(encoding))
    if start.startswith(("[", "{")):
        return "json", read_json(source.open())
    if looks_like_xml_records(head):
        return "xml", read_xml(source.open())
    if looks_like_post(head):
        return "pmlr-post", read_post(source.text(encoding))
    for kind, looks_like, read in (
        ("wos", looks_like_wos, read_wos),
        ("medline", looks_like_medline, read_medline),
        ("ris", looks_like_ris, read_ris),
        ("endnote", looks_like_endnote, read_endnote),
    ):
        if looks_like(head):
            return kind, read(source.lines(encoding))
    if looks_like_bibtex(head):
        return "bibtex", read_bibtex(source.lines(encoding))
    if delimiter := delimiter_of(head):
        return "tsv" if delimiter == "\t" else "csv", read_delimited(source.lines(encoding), delimiter)
    if looks_like_abstracts(head):
        return "abstracts", read_abstracts(source.lines(encoding), titles_beside(source.path))
    raise UnreadableFile(f"{source.name} is no bibliography in a known format.", f"{READABLE} Nothing was changed.")
