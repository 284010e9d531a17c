"""A claim whose source is wanted: "which paper says this?", or a statement without a question around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from citewell.text.tokens import informative_words
from citewell.understanding.intent import is_request

# A statement without a question around it is taken for a claim from so many informative words on.
STATEMENT = 6
_SAYS = r"(?:says?|said|states?|stated|claims?|claimed|writes?|wrote|asserts?|asserted)"
_SOURCE = r"(?:papers?|works?|stud(?:y|ies)|articles?|abstracts?|sources?|authors?|of (?:them|these))"
_ASKS = re.compile(
    rf"(?:(?:(?:in )?(?:which|what)(?: of the)? {_SOURCE}|who|where|(?:does|do) any {_SOURCE}|"
    rf"is there (?:a|any) {_SOURCE} (?:that|which))\s+(?:is|was|has|have|it)?\s*{_SAYS}|"
    r"(?:what is |find |give me )?(?:the |a )?(?:source|citation|reference) (?:for|of)"
    r"(?: (?:the|this) (?:claim|sentence|statement|passage|quote))?)"
    r"(?:\s+(?:this|that|it|so|the following)\b)?(?:\s+that\b)?\s*[:,]?",
    re.IGNORECASE,
)
_QUOTES = " \t\n\"'“”‘’«»:,"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim whose source is wanted; `is_explicit` when that was asked, rather than the claim just stated.

    An empty `text` means one said before ("which paper says this?").
    """

    text: str
    is_explicit: bool

    def __bool__(self) -> bool:
        return bool(self.text)


def claim_in(question: str) -> Claim | None:
    """The claim whose source a text asks for; None when it asks for none."""
    text = question.strip()
    match = _ASKS.search(text)
    if match is not None and (match.start() <= 12 or match.end() >= len(text) - 3):
        rest = f"{text[: match.start()]} {text[match.end() :]}".strip(_QUOTES + "?").strip()
        return Claim(rest if len(informative_words(rest)) >= 2 else "", is_explicit=True)
    is_statement = text.rstrip(_QUOTES).endswith((".", "!")) or text[:1] in '"“«'
    if is_statement and not is_request(text) and len(informative_words(text)) >= STATEMENT:
        return Claim(text.strip(_QUOTES), is_explicit=False)
    return None
