"""What a question means after what was said before: "it", "the second one", "[2]", "the one that uses robots", "why?".

Rules over the papers of the conversation; a question that points at nothing is left alone, and so is a new topic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag.answering.aspects import asked_aspects
from rag.answering.attribution import claim_in
from rag.answering.comparison import short_name
from rag.chat.context import Context
from rag.chat.pointing import FRAGMENT, pointed_at
from rag.library import Library
from rag.records import Answer, Paper
from rag.retrieval.query import named_papers
from rag.text.words import informative_words

_ABOUT = re.compile(r"^\W*(?:and|so|but)?\s*(?:what|how) about\s+(?P<what>.+?)\W*$", re.IGNORECASE)
_BARE = re.compile(
    r"^\W*(?:why|how(?: so| come)?|more|tell me more|go on|continue|details?|more details?|explain|elaborate|really|"
    r"and then|"
    r"(?:please )?(?:summari[sz]e|sum up|in short|tl;?dr|explain)(?: please| that| it)?|how does (?:it|that) work)\W*$",
    re.IGNORECASE,
)
_ADD = re.compile(r"^\W*(?:please |now |and |also )*(?:add|include)\b", re.IGNORECASE)
_DROP = re.compile(r"^\W*(?:please |now |and |also )*(?:drop|remove|leave out|without|delete)\b", re.IGNORECASE)
_SHORT = re.compile(r"\b(?:summari[sz]e|sum up|in short|tl;?dr)\b", re.IGNORECASE)
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


@dataclass(frozen=True, slots=True)
class Resolved:
    """A question as it is to be answered.

    `about` are the papers it is about because of what was said before, `note` says so ("about RLTHF"); `compared`,
    `aspects` and `swapped` change the comparison before it.
    """

    question: str
    about: tuple[str, ...] = ()
    note: str = ""
    compared: tuple[str, ...] = ()
    aspects: tuple[str, ...] = ()
    swapped: bool = False


def resolve(question: str, answers: Sequence[Answer], library: Library) -> Resolved:
    """`question` in the light of the answers before it."""
    text = " ".join(question.split())
    context = Context(library, answers)
    if not context.cited:
        return Resolved(text)
    if (claim := claim_in(text)) is not None:
        said = next((sentence.text for answer in reversed(answers) for sentence in answer.sentences), "")
        # "Which paper says this?" of what was just read.
        return Resolved(text) if claim or not said else Resolved(f"Which paper says this: {said}", note=f"“{said}”")
    named = [paper_id for name in named_papers(text, library) for paper_id in name.paper_ids[:1]]
    if answers and answers[-1].comparison is not None:
        changed = _changed_comparison(text, context, named, answers[-1])
        if changed is not None:
            return changed
    if match := _ABOUT.match(text):
        return _what_about(match["what"], context, named, text)
    if _BARE.match(text):
        about = context.last[:1]
        again = (
            f"{context.question} {text}"
            if re.match(r"\W*(?:why|how)", text, re.IGNORECASE)
            else "Summarise it."
            if _SHORT.search(text)
            else "Tell me more about it."
        )
        return _resolved(again, about, named)
    pointed = pointed_at(text, context, named)
    if pointed and FRAGMENT.match(text) and len(text.split()) <= LONGEST_FRAGMENT:
        # "By how much?" means nothing without the question before it.
        text = f"{context.question.rstrip(' ?.!')}, {text[:1].lower()}{text[1:]}"
    return _resolved(text, pointed, named)


def _resolved(text: str, pointed: Sequence[Paper], named: Sequence[str]) -> Resolved:
    papers = [paper for paper in pointed if paper.id not in named]
    names = [short_name(paper) for paper in papers[:NAMED]]
    more = f" and {len(papers) - NAMED} more" if len(papers) > NAMED else ""
    note = f"about {', '.join(names)}{more}" if papers else ""
    return Resolved(text, tuple(paper.id for paper in papers), note)


def _what_about(what: str, context: Context, named: Sequence[str], text: str) -> Resolved:
    """ "What about X?": the last question again, asked of X, or about X."""
    pointed = pointed_at(f"{what}?", context, named)
    before = named_papers(context.question, context.library)
    if (named or pointed) and context.question:
        # The name in the last question makes way for the new one.
        again = context.question
        for name in before:
            again = again.replace(name.name, what)
        again = again if before else f"{context.question.rstrip(' ?.!')}: {what}?"
        return Resolved(again, tuple(p.id for p in pointed), f"“{again}”")
    return _resolved(text, context.last[:1], named)


def _changed_comparison(text: str, context: Context, named: Sequence[str], answer: Answer) -> Resolved | None:
    """The comparison before, changed as the question asks; None when it asks for something else."""
    assert answer.comparison is not None
    papers = [paper.id for paper in answer.comparison.papers]
    aspects = tuple(row.aspect for row in answer.comparison.rows)
    note = "about the comparison"
    if (changed := _added_and_dropped(text, context, papers)) is not None:
        return Resolved(text, note=note, compared=changed, aspects=aspects)
    if (match := _ALSO.match(text)) and (more := asked_aspects(match["what"])) and not named:
        wanted = tuple(dict.fromkeys((*aspects, *more) if match["also"] else more))
        return Resolved(text, note=note, compared=tuple(papers), aspects=wanted)
    if _ONLY.match(text) and (only := asked_aspects(text)):
        return Resolved(text, note=note, compared=tuple(papers), aspects=tuple(only))
    if _SWAP.search(text):
        return Resolved(text, note=note, compared=tuple(papers), aspects=aspects, swapped=True)
    if _WHICH.match(text):
        topic = " ".join(informative_words(text))
        wanted = tuple(asked_aspects(text)) or ((topic,) if topic else aspects)
        return Resolved(text, note=note, compared=tuple(papers), aspects=wanted)
    return None


def _added_and_dropped(text: str, context: Context, papers: Sequence[str]) -> tuple[str, ...] | None:
    """The compared papers after "add X", "drop the first and add Y"; None when the text changes none of them."""
    kept, changed = list(papers), False
    for piece in _NEXT_CHANGE.split(text):
        meant = [paper_id for name in named_papers(piece, context.library) for paper_id in name.paper_ids[:1]]
        meant += [paper.id for paper in pointed_at(piece, context, meant)]
        if _ADD.match(piece) and meant:
            kept += [paper_id for paper_id in meant if paper_id not in kept]
        elif _DROP.match(piece) and meant:
            kept = [paper_id for paper_id in kept if paper_id not in meant]
        else:
            continue
        changed = True
    return tuple(kept) if changed else None
