"""Telling LaTeX formulas from dollar signs.

Abstracts hold both `$O(\\sqrt{T})$` and "costs $5 to $10"; the screens render the first and show the second as
written, and the sentence splitter must not cut inside the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Display maths first: `$$` must not be read as two inline delimiters.
_CANDIDATE = re.compile(
    r"(?P<display>(?<!\\)\$\$(?P<d>[^$]+?)\$\$)"
    r"|(?P<bracket>\\\[(?P<b>.+?)\\\])"
    r"|(?P<paren>\\\((?P<p>.+?)\\\))"
    r"|(?P<inline>(?<![\\$])\$(?P<i>(?:\\.|[^$\\])+?)\$(?!\$))",
    re.DOTALL,
)
_MATHS_SIGN = re.compile(r"[\\^_{}=<>+*/|]")
_SYMBOLS = re.compile(r"[A-Za-z0-9.,;:!()\[\]'’\-–%×±~∈≤≥\s]{1,24}")
_COMMAND_OR_GROUP = re.compile(r"\\[A-Za-z]+|\{[^{}]*\}")
_PROSE_WORD = re.compile(r"\b[A-Za-z]{4,}\b")
_LOWER_WORD = re.compile(r"\b[a-z]{2,}\b")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text; `body` is the TeX without delimiters when it is a formula, else the text itself."""

    start: int
    end: int
    body: str
    is_formula: bool
    is_display: bool = False


def split_formulas(text: str) -> list[Span]:
    """Cut `text` into alternating plain and formula spans that cover it without gaps."""
    spans: list[Span] = []
    done = 0
    for start, end, body, display in _formulas(text):
        if start > done:
            spans.append(Span(done, start, text[done:start], False))
        spans.append(Span(start, end, body, True, display))
        done = end
    if done < len(text):
        spans.append(Span(done, len(text), text[done:], False))
    return spans


def _formulas(text: str) -> Iterator[tuple[int, int, str, bool]]:
    position = 0
    while match := _CANDIDATE.search(text, position):
        body = match.group("d") or match.group("b") or match.group("p") or match.group("i")
        if match.group("inline") and not _looks_like_maths(body):
            # The closing dollar may open a real formula: look again from just behind the opening one.
            position = match.start() + 1
            continue
        yield match.start(), match.end(), body.strip(), match.group("display") is not None
        position = match.end()


def _looks_like_maths(body: str) -> bool:
    stripped = body.strip()
    if not stripped or "\n\n" in body:
        return False
    words = _PROSE_WORD.findall(_COMMAND_OR_GROUP.sub(" ", stripped))
    if len(words) >= 3:
        return False
    if _MATHS_SIGN.search(stripped):
        return True
    # No sign of maths: `$T$`, `$512, 1024$` and `$PTIME$` are formulas, "$5 to $10" and "$HOME and $PATH" are not.
    if " " in stripped or body != stripped:
        even = body.endswith(" ") <= body.startswith(" ")
        return even and bool(_SYMBOLS.fullmatch(stripped)) and not _LOWER_WORD.search(stripped)
    return True
