""" "Which paper says this?": a claim or a pasted passage, the abstracts that say it, and how surely they do."""

from __future__ import annotations

from collections.abc import Sequence

from citewell.answer import Answer
from citewell.answering.answerability import NEAREST
from citewell.answering.builder import AnswerBuilder, Retrieved
from citewell.answering.evidence_search import EvidenceSearch
from citewell.checking.support import Backing, SupportCheck
from citewell.citation import Citation, Source
from citewell.hit import Hit
from citewell.refusal import Refusal, RefusalKind
from citewell.request import Request
from citewell.sentence import Sentence, Support
from citewell.text.sentences import split_sentences
from citewell.understanding import understand
from citewell.understanding.claims import Claim, claim_in

READ = 8
SHOWN = 3
# "Says something near" needs this share of the claim's words, by rarity, in the abstract.
NEAR_ENOUGH = 0.6
LONGEST_PASSAGE = 6


def attribute_claim(
    request: Request, builder: AnswerBuilder, search: EvidenceSearch, check: SupportCheck
) -> Answer | None:
    """Whose abstract states a claim, when that is asked; None when it is not, or a bare statement is nobody's."""
    if request.names_papers or request.intent is not None:
        return None
    asked = Claim(request.claim, is_explicit=True) if request.claim else claim_in(request.question)
    if not asked:
        return None
    query = understand(Request(asked.text, request.filters, read_filters=False), search.snapshot)
    hits = search.papers(query, builder)
    with builder.timed("check"):
        sentences, sources = attribute(asked.text, hits, check)
    if not sentences and not asked.is_explicit:
        return None
    builder.retrieved.append(Retrieved(query, hits))
    if sentences:
        return builder.answer(sentences, sources, claim=asked.text)
    nearest = tuple(hit.paper for hit in hits[:NEAREST])
    return builder.answer(refusal=Refusal(RefusalKind.NOBODY_SAYS, nearest), claim=asked.text)


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
    return Sentence(backing.quote, (citation,), backing.support, backing.doubt)
