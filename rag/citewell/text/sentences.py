"""Sentences of an abstract, with exact character offsets."""

from __future__ import annotations

import re

import sentencex

from citewell.text.formulas import split_formulas

# Things a full stop inside must not end a sentence in; each is blotted out, length kept, before splitting.
_OPAQUE = re.compile(
    r"\\url\{[^}]*\}|https?://\S+"
    r"|\b(?:et\.?\s+al|e\.g|i\.e|cf|vs|resp|approx|w\.r\.t|i\.i\.d|a\.k\.a|s\.t|Fig|Eq|Sec|Thm|Prop|No|Dr|St)\.(?=[\s,)])"
    r"|\b[A-Z][A-Za-z]*\.[A-Z]\w*"
)
_SPACE = re.compile(r"\s")
# A sentence that opens like this belongs to the one before it ("et al. (2022)", "§ 3", a lone bracket).
_ORPHAN = re.compile(r"^(?:[)\]}.,;:%]|\(\d{4}\w?\)|\[[^\]]{1,20}\][.,]?$)")
_WORD = re.compile(r"\w")
# A boundary is believed only behind one of these; list items after a colon or semicolon stay in their sentence.
_CLOSED = re.compile(r"""[.?!…。]["'”’)\]}$*_]*$""")
_SHOUTED = re.compile(r"[!?]$")
_LOWER_START = re.compile(r"[a-z]+\b")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Offsets `(start, end)` of the sentences of `text`, in order, surrounding blanks left out.

    Formulas, URLs and common abbreviations are never cut. Every non-blank character of `text` is in
    exactly one sentence.
    """
    if not text.strip():
        return []
    bounds: list[tuple[int, int]] = []
    for boundary in sentencex.get_sentence_boundaries("en", _blot(text)):
        start, end = _trim(text, boundary["start_index"], boundary["end_index"])
        if start >= end:
            continue
        piece = text[start:end]
        if bounds and _continues(text[bounds[-1][0] : bounds[-1][1]], piece):
            bounds[-1] = (bounds[-1][0], end)
        else:
            bounds.append((start, end))
    return bounds


def _continues(before: str, piece: str) -> bool:
    """Whether `piece` is the rest of the sentence `before` rather than a sentence of its own."""
    if not _CLOSED.search(before) or _ORPHAN.match(piece) or len(_WORD.findall(piece)) < 2:
        return True
    return bool(_SHOUTED.search(before) and _LOWER_START.match(piece))


def _blot(text: str) -> str:
    """`text` with the insides of formulas, URLs and abbreviations replaced by letters, length unchanged."""
    pieces = []
    for span in split_formulas(text):
        raw = text[span.start : span.end]
        if span.is_formula:
            pieces.append("x" * len(raw))
        else:
            pieces.append(_OPAQUE.sub(_mask, raw))
    return _SPACE.sub(" ", "".join(pieces))


def _mask(match: re.Match[str]) -> str:
    found = match.group()
    # A full stop that closes a URL also closes the sentence, so it stays.
    tail = "." if found.startswith("http") and found.endswith(".") else ""
    return "x" * (len(found) - len(tail)) + tail


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
