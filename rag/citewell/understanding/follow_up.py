"""What a question means after what was said before: "it", "the second one", "[2]", "the one that uses robots", "why?".

Rules over the papers of the conversation; a question that points at nothing is left alone, and so is a new topic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from citewell import wording
from citewell.answer import Answer
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.query import Intent
from citewell.request import Request
from citewell.text.tokens import informative_words
from citewell.understanding.aspects import asked_aspects
from citewell.understanding.claims import claim_in
from citewell.understanding.context import Context
from citewell.understanding.coreference import FRAGMENT, pointed_at
from citewell.understanding.names import named_papers

_ABOUT = re.compile(r"^\W*(?:and|so|but)?\s*(?:what|how) about\s+(?P<what>.+?)\W*$", re.IGNORECASE)
_BARE = re.compile(
    r"^\W*(?:why|how(?: so| come)?|more|tell me more|go on|continue|details?|more details?|explain|elaborate|really|"
    r"and then|"
    r"(?:please )?(?:summari[sz]e|sum up|in short|tl;?dr|explain)(?: please| that| it)?|how does (?:it|that) work)\W*$",
    re.IGNORECASE,
)
_ADD = re.compile(r"^\W*(?:please |now |and |also )*(?:add|include)\b", re.IGNORECASE)
_DROP = re.compile(r"^\W*(?:please |now |and |also )*(?:drop|remove|leave out|without|delete)\b", re.IGNORECASE)
_NEXT_CHANGE = re.compile(
    r"(?:\s*[,;]\s*|\s+)(?:and\s+|then\s+)*(?=(?:add|include|drop|remove|leave out)\b)", re.IGNORECASE
)
_ALSO = re.compile(
    r"^\W*(?:and |now )*(?:(?P<also>also|add|include|and|plus)\s+(?:(?:what|how) about\s+)?(?:on\s+)?(?:the |their )?"
    r"|on\s+|(?:what|how) about (?:the |their )?)(?P<what>[\w ,]+?)(?: (?:too|as well|only))?\W*$",
    re.IGNORECASE,
)
_ONLY = re.compile(r"^\W*(?:please |now |and |show |give me )*(?:only|just)\b", re.IGNORECASE)
_SWAP = re.compile(r"\b(?:swap|transpose|flip)\b", re.IGNORECASE)
_WHICH = re.compile(r"^\W*(?:and )?which (?:one|of (?:them|these|the two|those))\b", re.IGNORECASE)
# How many papers a note names before it counts the rest.
NAMED = 4
LONGEST_FRAGMENT = 4


def resolve(request: Request, answers: Sequence[Answer], snapshot: Snapshot) -> Request:
    """`request` in the light of the answers before it."""
    text = " ".join(request.question.split())
    request = replace(request, question=text)
    context = Context(snapshot, answers)
    if not context.cited or request.names_papers or request.intent is not None or request.claim:
        return request
    if (claim := claim_in(text)) is not None:
        said = next((sentence.text for answer in reversed(answers) for sentence in answer.sentences), "")
        # "Which paper says this?" of what was just read.
        return request if claim or not said else replace(request, claim=said, note=wording.TAKEN_AS.format(text=said))
    named = [paper_id for name in named_papers(text, snapshot) for paper_id in name.paper_ids[:1]]
    if answers and answers[-1].comparison is not None:
        changed = _changed_comparison(request, context, named, answers[-1])
        if changed is not None:
            return changed
    if match := _ABOUT.match(text):
        return _what_about(match["what"], context, named, request)
    if _BARE.match(text):
        if re.match(r"\W*(?:why|how)", text, re.IGNORECASE):
            request = replace(request, question=f"{context.question} {text}")
        else:
            request = replace(request, intent=Intent.SUMMARISE)
        return _about(request, context.last[:1], named)
    pointed = pointed_at(text, context, named)
    if pointed and FRAGMENT.match(text) and len(text.split()) <= LONGEST_FRAGMENT:
        # "By how much?" means nothing without the question before it.
        request = replace(request, question=f"{context.question.rstrip(' ?.!')}, {text[:1].lower()}{text[1:]}")
    return _about(request, pointed, named)


def _about(request: Request, pointed: Sequence[Paper], named: Sequence[str]) -> Request:
    papers = [paper for paper in pointed if paper.id not in named]
    if not papers:
        return request
    more = wording.AND_MORE.format(count=len(papers) - NAMED) if len(papers) > NAMED else ""
    names = ", ".join(paper.label for paper in papers[:NAMED]) + more
    return replace(request, about=tuple(paper.id for paper in papers), note=wording.ABOUT.format(names=names))


def _what_about(what: str, context: Context, named: Sequence[str], request: Request) -> Request:
    """ "What about X?": the last question again, asked of X, or about X."""
    pointed = pointed_at(f"{what}?", context, named)
    before = named_papers(context.question, context.snapshot)
    if (named or pointed) and context.question:
        # The name in the last question makes way for the new one.
        again = context.question
        for name in before:
            again = again.replace(name.name, what)
        again = again if before else f"{context.question.rstrip(' ?.!')}: {what}?"
        about = tuple(paper.id for paper in pointed)
        return replace(request, question=again, about=about, note=wording.TAKEN_AS.format(text=again))
    return _about(request, context.last[:1], named)


def _changed_comparison(request: Request, context: Context, named: Sequence[str], answer: Answer) -> Request | None:
    """The comparison before, changed as the question asks; None when it asks for something else."""
    assert answer.comparison is not None
    text = request.question
    papers = tuple(paper.id for paper in answer.comparison.papers)
    aspects = tuple(row.aspect for row in answer.comparison.rows)
    same = replace(request, note=wording.ABOUT_COMPARISON, compared=papers, aspects=aspects)
    if (changed := _added_and_dropped(text, context, papers)) is not None:
        return replace(same, compared=changed)
    if (match := _ALSO.match(text)) and (more := asked_aspects(match["what"])) and not named:
        return replace(same, aspects=tuple(dict.fromkeys((*aspects, *more) if match["also"] else more)))
    if _ONLY.match(text) and (only := asked_aspects(text)):
        return replace(same, aspects=tuple(only))
    if _SWAP.search(text):
        return replace(same, swapped=True)
    if _WHICH.match(text):
        topic = " ".join(informative_words(text))
        return replace(same, aspects=tuple(asked_aspects(text)) or ((topic,) if topic else aspects))
    return None


def _added_and_dropped(text: str, context: Context, papers: Sequence[str]) -> tuple[str, ...] | None:
    """The compared papers after "add X", "drop the first and add Y"; None when the text changes none of them."""
    kept, changed = list(papers), False
    for piece in _NEXT_CHANGE.split(text):
        meant = [paper_id for name in named_papers(piece, context.snapshot) for paper_id in name.paper_ids[:1]]
        meant += [paper.id for paper in pointed_at(piece, context, meant)]
        if _ADD.match(piece) and meant:
            kept += [paper_id for paper_id in meant if paper_id not in kept]
        elif _DROP.match(piece) and meant:
            kept = [paper_id for paper_id in kept if paper_id not in meant]
        else:
            continue
        changed = True
    return tuple(kept) if changed else None
