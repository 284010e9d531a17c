""" "Which paper says this?": a claim or a pasted passage, the abstracts that say it, and how surely they do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag.answering.support import Backing, SupportCheck
from rag.records import Citation, Hit, Sentence, Source, Support
from rag.retrieval.intent import is_request
from rag.text.sentences import split_sentences
from rag.text.words import informative_words

READ = 8
SHOWN = 3
# "Says something near" needs this share of the claim's words, by rarity, in the abstract.
NEAR_ENOUGH = 0.6
# A statement without a question around it is taken for a claim from so many informative words on.
STATEMENT = 6
LONGEST_PASSAGE = 6
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


def attribute(claim: str, hits: Sequence[Hit], check: SupportCheck) -> tuple[tuple[Sentence, ...], tuple[Source, ...]]:
    """The abstracts that say `claim`, the surest first: the words that do, with the verdict on the claim; or nothing.

    A passage of several sentences is looked for sentence by sentence in the abstract that says most of them.
    """
    papers = [hit.paper for hit in hits[:READ]]
    pieces = [claim[start:end] for start, end in split_sentences(claim)][:LONGEST_PASSAGE] or [claim]
    found: dict[str, list[Backing]] = {}
    for piece in pieces:
        for backing in check.judge(piece, papers):
            found.setdefault(backing.paper.id, []).append(backing)
    ranked = sorted(found.values(), key=_worth, reverse=True)
    saying = [own for own in ranked if _verdict(own) is Support.SUPPORTED] or [
        own for own in ranked[:1] if _verdict(own) is Support.PARTLY and check.share(claim, own[0].paper) >= NEAR_ENOUGH
    ]
    sentences: list[Sentence] = []
    sources: list[Source] = []
    for number, own in enumerate(saying[: SHOWN if len(pieces) == 1 else 1], start=1):
        sources.append(Source(number, own[0].paper))
        sentences += [_quoted(backing, number) for backing in _once(own)]
    return tuple(sentences), tuple(sources)


def _worth(own: Sequence[Backing]) -> tuple[float, float]:
    order = {Support.SUPPORTED: 2.0, Support.PARTLY: 1.0}
    return sum(order.get(backing.support, 0.0) for backing in own), sum(backing.score for backing in own)


def _verdict(own: Sequence[Backing]) -> Support:
    """Supported when every piece is, partly when half are at least in part."""
    if all(backing.support is Support.SUPPORTED for backing in own):
        return Support.SUPPORTED
    backed = sum(backing.support is not Support.UNSUPPORTED for backing in own)
    return Support.PARTLY if 2 * backed >= len(own) else Support.UNSUPPORTED


def _once(own: Sequence[Backing]) -> list[Backing]:
    """Each stretch of the abstract once, with the best verdict of the pieces that it backs, in the abstract's order."""
    best: dict[tuple[int, int], Backing] = {}
    for backing in own:
        key = (backing.start, backing.end)
        if key not in best or backing.support is Support.SUPPORTED:
            best[key] = backing
    said = [backing for backing in best.values() if backing.support is not Support.UNSUPPORTED]
    return sorted(said, key=lambda backing: backing.start)


def _quoted(backing: Backing, number: int) -> Sentence:
    citation = Citation.of(number, backing.paper, backing.start, backing.end)
    return Sentence(backing.quote, (citation,), backing.support, backing.reason)
