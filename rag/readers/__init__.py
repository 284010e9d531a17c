"""From a file to drafts of papers. The format is recognised from the content first, the name second."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from charset_normalizer import from_bytes

from rag.errors import UnreadableFile
from rag.readers.abstracts import read_abstracts
from rag.readers.base import BibliographyFile, Draft, Failure
from rag.readers.json_records import read_json, read_json_lines
from rag.readers.titles import is_titles_file, titles_beside

__all__ = ["BibliographyFile", "Draft", "Failure", "bibliography_files", "open_bibliography"]

_MAGIC = (
    (
        b"%PDF",
        "a PDF",
        "Full texts are not read: export the abstracts from your reference manager as text or JSON.",
    ),
    (b"\x89PNG", "an image", "Give a file of abstracts instead."),
    (b"\xff\xd8\xff", "an image", "Give a file of abstracts instead."),
    (b"GIF8", "an image", "Give a file of abstracts instead."),
    (b"PK\x03\x04", "a zip archive", "Unpack it and give the files in it."),
)
_READABLE = "Readable are text files of abstracts separated by blank lines, JSON and JSON Lines."


def bibliography_files(paths: list[Path]) -> list[Path]:
    """The files to read: each file itself, each folder's files in order of name, without hidden ones and title tables.

    Raises `UnreadableFile` for a path that does not exist and for a folder with nothing in it.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(
                child
                for child in path.rglob("*")
                if child.is_file() and not any(part.startswith(".") for part in child.relative_to(path).parts)
            )
            inside = [child for child in inside if not is_titles_file(child)]
            if not inside:
                raise UnreadableFile(f"The folder {path} holds no files.", "Nothing was changed.")
            found.extend(inside)
        elif path.is_file():
            found.append(path)
        else:
            raise UnreadableFile(f"There is no file or folder {path}.", "Check the path; nothing was changed.")
    return list(dict.fromkeys(found))


def open_bibliography(path: Path) -> BibliographyFile:
    """Recognise `path` and open it. Raises `UnreadableFile` when it is no bibliography."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}.", "Nothing was changed.") from None
    if not data.strip():
        raise UnreadableFile(f"{path} is empty.", "Nothing was changed.")
    for magic, what, advice in _MAGIC:
        if data.startswith(magic):
            raise UnreadableFile(f"{path} is {what}.", f"{advice} Nothing was changed.")
    text, encoding = _decode(data, path)
    kind, items = _recognise(text, path)
    return BibliographyFile(path, kind, encoding, items)


def _decode(data: bytes, path: Path) -> tuple[str, str]:
    try:
        text = data.decode("utf-8-sig")
        encoding = "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
    except UnicodeDecodeError:
        best = from_bytes(data).best()
        if best is None:
            raise UnreadableFile(f"{path} is not text.", f"{_READABLE} Nothing was changed.") from None
        text, encoding = str(best), best.encoding
    if "\x00" in text:
        raise UnreadableFile(f"{path} is a program's binary file.", f"{_READABLE} Nothing was changed.")
    return text, encoding


def _recognise(text: str, path: Path) -> tuple[str, Iterator[Draft | Failure]]:
    start = text.lstrip()[:1]
    if start == "{" and len(text.strip().splitlines()) > 1 and text.lstrip().splitlines()[0].rstrip().endswith("}"):
        return "jsonl", read_json_lines(text.split("\n"))
    if start in ("[", "{"):
        return ("jsonl", read_json_lines(text.split("\n"))) if path.suffix == ".jsonl" else ("json", read_json(text))
    return "abstracts", read_abstracts(text, titles_beside(path))
