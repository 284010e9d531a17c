"""What a question wants set side by side, and in which respects."""

from __future__ import annotations

import re

from citewell.text.tokens import informative_words
from citewell.understanding.aspects import asked_aspects

# So many papers make a table.
FEWEST, MOST = 2, 6


def sides(question: str) -> list[str]:
    """The things that a question wants compared: "compare the method for A with the one for B" gives two."""
    text = re.sub(
        r"^\W*(?:please |can you |could you )*(?:compare|contrast)\b|[?.!]+$", "", question, flags=re.IGNORECASE
    )
    text = re.sub(
        r"\b(?:what is |what are )?the differences? between\b|\bhow do(?:es)?\b", "", text, flags=re.IGNORECASE
    )
    text = re.sub(r"\bdiffer\b.*$|\bon (?:data|results?|cost|approach)\b.*$", "", text, flags=re.IGNORECASE)
    found = re.split(r"\b(?:and|with|to|versus|vs\.?|against)\b|,", text, flags=re.IGNORECASE)
    return [side.strip() for side in found if informative_words(side)][:MOST]


def wanted_aspects(question: str) -> tuple[str, ...]:
    """The aspects behind "on" or "in terms of", standard ones by name and others as they are written."""
    match = re.search(
        r"\b(?:on|in terms of|regarding|with respect to|by|in how they|in their)\s+(?P<what>[^?.!]+)[?.!]*$", question
    )
    if match is None:
        return ()
    found: list[str] = []
    for piece in re.split(r",|\band\b", match["what"]):
        standard = asked_aspects(piece)
        found += standard or ([" ".join(informative_words(piece))] if informative_words(piece) else [])
    return tuple(dict.fromkeys(found))
