"""Questions that are two: "What is RSD, and what is the capital of France?"."""

from __future__ import annotations

import re

from citewell.text.tokens import informative_words

_ASKS = r"(?:what|which|who|why|how|when|where|does|do|is|are|can)"
_SEAM = re.compile(rf"\?\s+(?=\S)|[,;]?\s+and\s+(?:also\s+)?(?={_ASKS}\b)|;\s+(?={_ASKS}\b)", re.IGNORECASE)
# What points back at the part before cannot stand alone.
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|he|she|his|her|the (?:same|former|latter|other|authors?|method|"
    r"paper|model|approach|algorithm|framework))\b",
    re.IGNORECASE,
)
MOST_PARTS = 3


def question_parts(question: str) -> list[str]:
    """The questions in a question, each able to stand alone; the whole when it is only one."""
    text = " ".join(question.split())
    pieces = [piece.strip(" ,;?") for piece in _SEAM.split(text)]
    alone = all(informative_words(piece) and not _POINTS_BACK.search(piece) for piece in pieces[1:])
    if not 1 < len(pieces) <= MOST_PARTS or not informative_words(pieces[0]) or not alone:
        return [text]
    return [f"{piece}?" for piece in pieces]
