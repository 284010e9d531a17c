"""From the fields of a record, whatever its format calls them, to a clean draft."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from citewell.readers.base import Draft, Failure
from citewell.readers.links import identifiers_of, year_of
from citewell.text.clean import clean_abstract, clean_text

NOTHING = "neither a title nor an abstract"
_NO_TEXT = re.compile(
    r"^\W*(?:no abstract(?: available)?|\[?abstract not available\]?|n/?a|none|null|nan|-+)\W*$", re.IGNORECASE
)
_SUFFIX = re.compile(r"^(?:jr|sr|[ivx]+|md|phd)\.?$", re.IGNORECASE)
# "Smith J., Miller A.B.": family names and initials with commas between people, not inside a name.
_INITIALS_LIST = re.compile(r"^[^,;]+\s(?:[A-Z]\.?-?){1,4}(?:,\s*[^,;]+\s(?:[A-Z]\.?-?){1,4})+$")
_INITIALS = re.compile(r"^(?:[A-Z]\.?-?\s?){1,4}$")


def make_draft(
    record: int,
    line: int,
    *,
    title: str = "",
    abstract: str = "",
    authors: Iterable[str] = (),
    year: str = "",
    venue: str = "",
    doi: str = "",
    links: Sequence[str] = (),
    tex: bool = False,
) -> Draft | Failure:
    """A draft with every field cleaned; a failure when there is neither title nor abstract.

    `links` are URLs and identifiers in any form, the best link to show first.
    """
    clean_title = _text(clean_text(title, tex=tex))
    clean = _text(clean_abstract(abstract, tex=tex))
    if not clean_title and not clean:
        return Failure(record, line, NOTHING)
    identifiers = identifiers_of(doi, *links)
    found_doi = next((item.removeprefix("doi:") for item in identifiers if item.startswith("doi:")), "")
    urls = [link.strip() for link in links if link.strip().startswith(("http://", "https://"))]
    raw = " ".join(abstract.split())
    return Draft(
        record=record,
        line=line,
        title=clean_title.rstrip(".") if clean_title.endswith(".") and not clean_title.endswith("..") else clean_title,
        abstract=clean,
        authors=tuple(name for name in (person(clean_text(author, tex=tex)) for author in authors) if name),
        year=year_of(year),
        venue=clean_text(venue, tex=tex),
        url=urls[0] if urls else f"https://doi.org/{found_doi}" if found_doi else "",
        doi=found_doi,
        identifiers=identifiers,
        original=raw if clean and raw != clean else "",
    )


def _text(value: str) -> str:
    return "" if _NO_TEXT.match(value) else value.strip()


def person(name: str) -> str:
    """A name in reading order: `Guo, Wenbo` becomes `Wenbo Guo`."""
    parts = [part.strip() for part in name.strip(" ;,").split(",") if part.strip()]
    if len(parts) == 2 and not _SUFFIX.match(parts[1]):
        return f"{parts[1]} {parts[0]}"
    if len(parts) == 3 and _SUFFIX.match(parts[1]):
        return f"{parts[2]} {parts[0]} {parts[1]}"
    return " ".join(parts)


def split_authors(text: str) -> list[str]:
    """The people in one field, whatever stands between them."""
    text = text.strip()
    if not text:
        return []
    if "|" in text and ";" not in text:
        return _parts(text, r"\|")
    if ";" in text:
        return _parts(text, ";")
    if re.search(r"\sand\s", text):
        return _and_list(text)
    if _INITIALS_LIST.match(text):
        return _parts(text, ",")
    pieces = _parts(text, ",")
    if len(pieces) >= 2 and len(pieces) % 2 == 0 and all(_INITIALS.match(piece) for piece in pieces[1::2]):
        return [f"{family}, {initials}" for family, initials in zip(pieces[::2], pieces[1::2], strict=True)]
    if len(pieces) == 2 and all(" " not in piece for piece in pieces):
        return [text]
    return pieces


def _and_list(text: str) -> list[str]:
    """`A B, C D and E F`, or `B, A and D, C`."""
    chunks = _parts(text, r",?\s+and\s+")
    if all(chunk.count(",") == 1 for chunk in chunks):
        return chunks
    # "Lee, Ann" is one person, "Ann Lee, Bo Chen" are two.
    one = re.compile(r"^[^\s,]+,\s*[^,]+$")
    return [name for chunk in chunks for name in ([chunk] if one.match(chunk) else _parts(chunk, ","))]


def _parts(text: str, separator: str) -> list[str]:
    return [part.strip() for part in re.split(separator, text) if part.strip()]
