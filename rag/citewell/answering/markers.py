"""`[n]` markers in what a model wrote: cutting it into sentences and resolving each marker against the sources."""

from __future__ import annotations

import re
from dataclasses import dataclass

from citewell.text.sentences import split_sentences

MARKER = re.compile(r"\s*[\[【](?:\^)?((?:\d{1,3})(?:\s*(?:,|;|-|–|and)\s*\^?\d{1,3})*)[\]】](?!\()")
_NUMBERS = re.compile(r"(\d+)\s*[-–]\s*(\d+)|(\d+)")
# A reference list, a heading or a note to itself that a model adds although it was told not to.
_REFERENCES = re.compile(
    r"\n\s*(?:#+\s*|\*\*)?(?:references|sources|citations|bibliography)\b.*", re.IGNORECASE | re.DOTALL
)
_LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))+\)")
_TAG = re.compile(r"<[^<>\n]{1,200}>")
_LEAD = re.compile(r"^\s*(?:[-*•]\s+|\d+[.)]\s+|#+\s+|>+\s*)")


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence a model wrote, markers taken out; `numbers` are those of them that exist."""

    text: str
    numbers: tuple[int, ...]


def marked_sentences(text: str, sources: int) -> tuple[list[MarkedSentence], int]:
    """The sentences of `text` with their markers resolved against sources 1 to `sources`.

    Returns the sentences and how many markers pointed nowhere and were removed. Links and tags are reduced to
    their words: an answer's links come from records alone.
    """
    text = _TAG.sub("", _LINK.sub(r"\1", _REFERENCES.sub("", text)))
    sentences: list[MarkedSentence] = []
    removed = 0
    for line in text.splitlines():
        line = _LEAD.sub("", line).strip()
        for piece, numbers in _pieces(line):
            good = tuple(dict.fromkeys(number for number in numbers if 1 <= number <= sources))
            removed += sum(1 for number in numbers if not 1 <= number <= sources)
            if piece:
                sentences.append(MarkedSentence(piece, good))
            elif good and sentences:
                last = sentences[-1]
                sentences[-1] = MarkedSentence(last.text, tuple(dict.fromkeys((*last.numbers, *good))))
    return sentences, removed


def _pieces(line: str) -> list[tuple[str, list[int]]]:
    """Sentences of a line with the numbers of the markers in or right behind them."""
    plain: list[str] = []
    places: list[tuple[int, list[int]]] = []
    length = last = 0
    for match in MARKER.finditer(line):
        before = line[last : match.start()]
        plain.append(before)
        length += len(before)
        places.append((length, _numbers(match.group(1))))
        last = match.end()
    plain.append(line[last:])
    text = "".join(plain)
    bounds = split_sentences(text)
    pieces: list[tuple[str, list[int]]] = [(text[start:end], []) for start, end in bounds]
    leading: list[int] = []
    for place, numbers in places:
        owner = next((k for k in range(len(bounds) - 1, -1, -1) if bounds[k][0] < place), None)
        (pieces[owner][1] if owner is not None else leading).extend(numbers)
    return [("", leading), *pieces] if leading else pieces


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for first, last, single in _NUMBERS.findall(text):
        if single:
            found.append(int(single))
        elif int(first) <= int(last) <= int(first) + 20:
            found.extend(range(int(first), int(last) + 1))
        else:
            found.extend((int(first), int(last)))
    return found
