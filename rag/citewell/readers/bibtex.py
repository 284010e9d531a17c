"""BibTeX and BibLaTeX (bibtexparser)."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from citewell.readers.base import Draft, Failure
from citewell.readers.fields import make_draft

if TYPE_CHECKING:
    from bibtexparser.library import Library
    from bibtexparser.model import Entry

_ENTRY = re.compile(r"^[ \t]*@(?!comment\b|string\b|preamble\b)\w+\s*[{(]", re.IGNORECASE | re.MULTILINE)
PIECE = 20 * 1024**2
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
# What an entry takes from the one that its `crossref` names.
_INHERITED = {"year": "year", "date": "date", "booktitle": "title", "publisher": "publisher", "url": "url"}


def looks_like_bibtex(text: str) -> bool:
    return bool(
        _ENTRY.search(text) or re.match(r"\s*(?:%[^\n]*\n\s*)*@(?:comment|string|preamble)\b", text, re.IGNORECASE)
    )


def read_bibtex(lines: Iterable[str]) -> Iterator[Draft | Failure]:
    """One draft an entry, in the order of the file; an entry that cannot be parsed is a failure with its line.

    A large file is parsed in pieces, each with the `@string` definitions of those before it; `crossref` works
    inside a piece.
    """
    # What it says of damaged entries on its log is said in the report, with the record and the line.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    record = 0
    for text, first_line in _pieces(lines):
        for item in _read_piece(text, record, first_line):
            record = item.record
            yield item


def _pieces(lines: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Stretches of the file that end before an entry, and the line that each begins on."""
    strings: list[str] = []
    piece: list[str] = []
    size, first = 0, 1
    for number, line in enumerate(lines, start=1):
        if size > PIECE and line.startswith("@"):
            yield "".join(piece), first
            # One line each, so that line numbers stay countable.
            piece, size, first = strings.copy(), 0, number - len(strings)
        if line.lower().startswith("@string") and line.count("{") == line.count("}"):
            strings.append(line)
        piece.append(line)
        size += len(line)
    yield "".join(piece), first


def _read_piece(text: str, record: int, first_line: int) -> Iterator[Draft | Failure]:
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock

    library = parse_string(text)
    entries = _by_key(library)
    for block in library.blocks:
        line = (block.start_line or 0) + first_line
        if isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock):
            # The same key, or the same field twice, is no reason to lose a record.
            inner = block.ignore_error_block
            block = inner if isinstance(inner, Entry) else block
        if isinstance(block, Entry):
            record += 1
            yield _draft(block, record, line, entries)
        elif isinstance(block, ParsingFailedBlock):
            for offset, reason in _damaged(block.raw or "", str(block.error)):
                record += 1
                yield from _again(offset, reason, record, line, entries)


def _by_key(library: Library) -> dict[str, Entry]:
    return {entry.key.lower(): entry for entry in library.entries}


def _damaged(raw: str, error: str) -> Iterator[tuple[str, str]]:
    """The entries inside a stretch that could not be parsed as a whole, each with the reason."""
    starts = [match.start() for match in _ENTRY.finditer(raw)]
    ends = [*starts[1:], len(raw)] if starts else []
    for start, end in zip(starts, ends, strict=True):
        yield raw[start:end], error


def _again(raw: str, reason: str, record: int, line: int, entries: dict[str, Entry]) -> Iterator[Draft | Failure]:
    """A damaged entry once more by itself, closed where it was left open."""
    from bibtexparser.entrypoint import parse_string

    missing = raw.count("{") - raw.count("}")
    for attempt in (raw, raw.rstrip() + "}" * max(0, missing)):
        parsed = parse_string(attempt)
        if len(parsed.entries) == 1 and not parsed.failed_blocks:
            yield _draft(parsed.entries[0], record, line, entries)
            return
    yield Failure(record, line, f"damaged entry: {reason.splitlines()[0] if reason else 'not closed'}")


def _draft(entry: Entry, record: int, line: int, entries: dict[str, Entry]) -> Draft | Failure:
    fields = {name.lower().strip(): _value(field.value) for name, field in entry.fields_dict.items()}
    parent = entries.get(fields.get("crossref", "").lower())
    if parent is not None and parent is not entry:
        above = {name.lower(): _value(field.value) for name, field in parent.fields_dict.items()}
        for own, theirs in _INHERITED.items():
            if not fields.get(own) and above.get(theirs):
                fields[own] = above[theirs]
    title = ": ".join(part for part in (fields.get("title", ""), fields.get("subtitle", "")) if part)
    eprint = fields.get("eprint", "")
    arxiv = (
        f"arXiv:{eprint}"
        if eprint and "arxiv" in fields.get("eprinttype", fields.get("archiveprefix", "arxiv")).lower()
        else ""
    )
    return make_draft(
        record,
        line,
        title=title
        or fields.get("booktitle", "") * (entry.entry_type.lower() in ("proceedings", "book", "collection")),
        abstract=fields.get("abstract", ""),
        authors=_AND.split(fields.get("author") or fields.get("editor", "")),
        year=fields.get("year") or fields.get("date", ""),
        venue=next(
            (fields[name] for name in ("journal", "journaltitle", "booktitle", "howpublished") if fields.get(name)), ""
        ),
        doi=fields.get("doi", ""),
        links=[fields.get("url", ""), fields.get("openreview", ""), arxiv, fields.get("pdf", "")],
        tex=True,
    )


def _value(value: object) -> str:
    text = str(value)
    # `"a" # b # "c"`: what is left after strings were filled in.
    if " # " in text and text.count('"') >= 2:
        text = "".join(part.strip().strip('"') for part in text.split("#"))
    return text
