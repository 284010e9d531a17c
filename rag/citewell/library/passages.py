"""Cutting abstracts into passages that the model reads whole, and the text recipe of what is embedded."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from itertools import accumulate, pairwise

from citewell.paper import Paper, Passage
from citewell.text.sentences import split_sentences

RECIPE = "title-newline-passage/1"
TITLE_TOKENS = 64
_END_MARKS = 2

TokenOffsets = Callable[[list[str]], list[list[tuple[int, int]]]]


def cut_passages(paper: Paper, token_offsets: TokenOffsets, max_tokens: int) -> list[Passage]:
    """Passages that cover the abstract without a gap, each within what the model reads beside the title.

    An abstract that fits is one passage. A longer one is cut between sentences into parts of about equal
    length; a single sentence longer than the model reads is cut between words. A paper without an abstract
    gives one empty passage, so that its title is found.
    """
    if not paper.abstract.strip():
        return [Passage(paper.id, "", 0, 0)]
    room = max(16, max_tokens - _END_MARKS - len(token_offsets([embedded_title(paper, token_offsets)])[0]))
    offsets = token_offsets([paper.abstract])[0]
    end = len(paper.abstract)
    if len(offsets) <= room:
        return [_passage(paper, 0, end)]
    starts = [first for first, _ in offsets]
    cuts = [0, *_cuts(paper.abstract, starts, room), end]
    return [_passage(paper, first, last) for first, last in pairwise(cuts) if first < last]


def embedded_title(paper: Paper, token_offsets: TokenOffsets) -> str:
    """The title as it stands before each passage: its first 64 word pieces; nothing when it is only a label."""
    if paper.title_from_text:
        return ""
    offsets = token_offsets([paper.title])[0]
    return paper.title if len(offsets) <= TITLE_TOKENS else paper.title[: offsets[TITLE_TOKENS - 1][1]]


def embedded_text(paper: Paper, passage: Passage, token_offsets: TokenOffsets) -> str:
    """What is embedded for a passage."""
    return f"{embedded_title(paper, token_offsets)}\n{passage.text}".strip()


def text_hash(paper: Paper) -> str:
    """Changes exactly when something that is embedded changes."""
    title = "" if paper.title_from_text else paper.title
    return hashlib.sha256(f"{RECIPE}\0{title}\0{paper.abstract}".encode()).hexdigest()[:32]


def _passage(paper: Paper, start: int, end: int) -> Passage:
    text = paper.abstract[start:end]
    end = start + len(text.rstrip())
    start += len(text) - len(text.lstrip())
    return Passage(paper.id, paper.abstract[start:end], start, end)


def _cuts(abstract: str, token_starts: list[int], room: int) -> list[int]:
    """Places to cut, so that each part has at most `room` tokens and the parts are about equal."""
    pieces = _pieces(abstract, token_starts, room)
    before = list(accumulate((tokens for _, tokens in pieces), initial=0))
    total = before[-1]
    for parts in range(math.ceil(total / room), len(pieces)):
        ideal = [total * part / parts for part in range(1, parts)]
        chosen = sorted({_nearest(before, place) for place in ideal})
        edges = [0, *(before[k] for k in chosen), total]
        if all(high - low <= room for low, high in pairwise(edges)):
            return [pieces[k][0] for k in chosen]
    return [start for start, _ in pieces[1:]]


def _nearest(before: list[int], place: float) -> int:
    """The inner boundary nearest to `place`."""
    return min(range(1, len(before) - 1), key=lambda k: abs(before[k] - place))


def _pieces(abstract: str, token_starts: list[int], room: int) -> list[tuple[int, int]]:
    """`(start, tokens)` of the sentences, over-long ones cut between words."""
    pieces: list[tuple[int, int]] = []
    bounds = split_sentences(abstract)
    for number, (start, _) in enumerate(bounds):
        end = bounds[number + 1][0] if number + 1 < len(bounds) else len(abstract)
        inside = [place for place in token_starts if start <= place < end]
        while len(inside) > room:
            cut = next((k for k in range(room, room // 2, -1) if abstract[inside[k] - 1 : inside[k]].isspace()), room)
            pieces.append((start, cut))
            start, inside = inside[cut], inside[cut:]
        pieces.append((start, len(inside)))
    return pieces
