"""Plain text: abstracts separated by blank lines, with or without a heading, with or without titles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from citewell.readers.base import Draft, Failure
from citewell.readers.links import year_of
from citewell.readers.titles import fold

_SENTENCE_END = re.compile(r"""[.?!。]["'”’)\]}$*]*$""")
_VENUE = re.compile(r"\b([A-Z][A-Za-z]*[A-Z][A-Za-z]*)\b")
_LEADING = re.compile(r"^(?:abstract|summary)\s*[:.—–-]\s*", re.IGNORECASE)
_MARKER = re.compile(r"^(?:#{1,6}\s+|\d{1,4}[.)]\s+|[-*•]\s+)")
_PROSE = re.compile(r"\b(?:the|of|and|to|in|is|we|der|die|und|la|le|de|el)\b.*[.。]", re.IGNORECASE | re.DOTALL)
SHORTEST_ABSTRACT = 25


@dataclass(frozen=True, slots=True)
class _Block:
    line: int
    text: str

    @property
    def is_short(self) -> bool:
        """Too short, or without a sentence's end, so a heading or a title rather than an abstract."""
        words = len(self.text.split())
        return words < SHORTEST_ABSTRACT and not (words > 8 and _SENTENCE_END.search(self.text) and words >= 20)


def read_abstracts(lines: Iterable[str], titles: dict[str, Draft] | None = None) -> Iterator[Draft | Failure]:
    """Drafts from the lines of a file. `titles` maps how an abstract begins to the facts known of it.

    A short block before the first abstract is the heading; it gives the venue and year it names to the
    papers that have none. Elsewhere a short block is the title of the abstract under it.
    """
    blocks = list(_blocks(lines))
    heading, blocks = _heading(blocks)
    venue_match = _VENUE.search(heading)
    venue, year = (venue_match.group(1) if venue_match else ""), year_of(heading)
    title: _Block | None = None
    record = 0
    for block in blocks:
        if block.is_short:
            if title is not None:
                record += 1
                yield Failure(record, title.line, f"a line without an abstract under it: “{title.text[:60]}”")
            title = block
            continue
        record += 1
        abstract = _LEADING.sub("", block.text)
        draft = Draft(record, block.line, title=_MARKER.sub("", title.text) if title else "", abstract=abstract)
        title = None
        yield _with_facts(draft, titles or {}, venue, year)
    if title is not None:
        yield Failure(record + 1, title.line, f"a line without an abstract under it: “{title.text[:60]}”")


def looks_like_abstracts(text: str) -> bool:
    """Whether `text` holds at least one block long enough, and written as prose, to be an abstract."""
    return any(not block.is_short and _PROSE.search(block.text) for block in _blocks(text.splitlines()))


def _blocks(lines: Iterable[str]) -> Iterator[_Block]:
    block: list[str] = []
    first = 1
    for number, line in enumerate(chain(lines, ("",)), start=1):
        if line.strip():
            if not block:
                first = number
            block.append(line.strip())
        elif block:
            yield _Block(first, " ".join(block))
            block = []


def _heading(blocks: list[_Block]) -> tuple[str, list[_Block]]:
    """The file's heading and the other blocks; a first short block is a title when most abstracts have one."""
    if not blocks or not blocks[0].is_short:
        return "", blocks
    names_a_meeting = year_of(blocks[0].text) and _VENUE.search(blocks[0].text) and len(blocks[0].text.split()) <= 6
    if names_a_meeting or (len(blocks) > 1 and blocks[1].is_short):
        return blocks[0].text, blocks[1:]
    shorts = sum(block.is_short for block in blocks)
    longs = len(blocks) - shorts
    if longs and shorts * 2 > longs and shorts > 1:
        return "", blocks
    return ("", blocks) if longs == shorts == 1 else (blocks[0].text, blocks[1:])


def _with_facts(draft: Draft, titles: dict[str, Draft], venue: str, year: int | None) -> Draft:
    folded = fold(draft.abstract)
    for opening, facts in titles.items():
        if folded.startswith(opening):
            return replace(
                facts,
                record=draft.record,
                line=draft.line,
                abstract=draft.abstract,
                title=draft.title or facts.title,
            )
    return replace(draft, venue=venue, year=year)
