"""What a question means after what was said before: "it", "the second one", "[2]", "the one that uses robots", "why?".

Rules over the papers of the conversation; a question that points at nothing is left alone, and so is a new topic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rag.answering.aspects import asked_aspects
from rag.answering.attribution import claim_in
from rag.answering.comparison import short_name
from rag.library import Library
from rag.records import Answer, Paper
from rag.retrieval.query import named_papers
from rag.text.words import index_tokens, informative_words

_ORDINALS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "fifth": 4, "sixth": 5}
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5}
_NOUN = (
    r"(?:one|ones|papers?|methods?|models?|approach(?:es)?|works?|studies|study|results?|sources?|systems?|algorithms?)"
)
_CITED = re.compile(r"\[(\d{1,2})\]|\b(?:source|citation|number|no\.|paper) (\d{1,2})\b", re.IGNORECASE)
_ORDINAL = re.compile(
    rf"\bthe (?P<which>{'|'.join(_ORDINALS)}|last|latter|former)(?: (?P<count>{'|'.join(_COUNTS)}))?(?: {_NOUN})?\b",
    re.IGNORECASE,
)
_OTHER = re.compile(rf"\bthe others?(?: {_NOUN})?\b", re.IGNORECASE)
_ALL = re.compile(
    rf"\b(?:both|these|those|they|them|their|all of (?:them|these)|all (?:two|three|four|five))\b(?: {_NOUN})?",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"\b(?:it|its|itself|this|that|the (?:authors?|same (?:paper|method|authors?))|"
    r"(?:this|that|the) (?:paper|method|model|approach|work|study|framework|algorithm|system|abstract|technique))\b",
    re.IGNORECASE,
)
# "That" that opens a clause points at nothing ("the claim that graphs help").
_CLAUSE = re.compile(r"\b(?:so|such|the \w+|papers?|methods?|one|ones|find|show|say|means?)\s+that\b", re.IGNORECASE)
_DESCRIBED = re.compile(
    rf"\bthe (?:{_NOUN}) (?:that|which|who|about|on|with|using|for|from|by) (?P<after>[^?.,;]+)"
    r"|\bthe (?P<before>(?:[\w-]+ ){1,3}?)one\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"^\W*(?:and|so|but)?\s*(?:what|how) about\s+(?P<what>.+?)\W*$", re.IGNORECASE)
_BARE = re.compile(
    r"^\W*(?:why|how(?: so| come)?|more|tell me more|go on|continue|details?|more details?|explain|elaborate|really|"
    r"and then|how does (?:it|that) work)\W*$",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(r"^\W*(?:and|also|but|or)\b", re.IGNORECASE)
_ADD = re.compile(r"^\W*(?:please |now |and |also )*(?:add|include)\b", re.IGNORECASE)
_DROP = re.compile(r"^\W*(?:please |now |and |also )*(?:drop|remove|leave out|without|delete)\b", re.IGNORECASE)
_ONLY = re.compile(r"^\W*(?:please |now |and |show |give me )*(?:only|just)\b", re.IGNORECASE)
_SWAP = re.compile(r"\b(?:swap|transpose|flip)\b", re.IGNORECASE)
_WHICH = re.compile(r"^\W*(?:and )?which (?:one|of (?:them|these|the two|those))\b", re.IGNORECASE)
_LIKE = 0.12
# How many papers a note names before it counts the rest.
NAMED = 4


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


@dataclass(slots=True)
class Context:
    """What the conversation has on the table: every paper cited so far, the last answer's, the one in focus."""

    library: Library
    answers: Sequence[Answer]
    cited: dict[str, Paper] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for answer in self.answers:
            self.cited |= {paper.id: paper for paper in papers_of(answer)}

    @property
    def last(self) -> list[Paper]:
        """The papers of the last answer that had any."""
        return next((found for answer in reversed(self.answers) if (found := papers_of(answer))), [])

    @property
    def question(self) -> str:
        """The last question that was answered."""
        return next((answer.question for answer in reversed(self.answers) if papers_of(answer)), "")


def papers_of(answer: Answer) -> list[Paper]:
    """The papers of an answer, in the order of their numbers."""
    if answer.comparison is not None:
        return list(answer.comparison.papers)
    found = [source.paper for source in answer.sources]
    return found or (list(answer.refusal.nearest[:1]) if answer.refusal and answer.refusal.kind == "not-stated" else [])


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
            else "Tell me more about it."
        )
        return _resolved(again, about, named)
    pointed = _pointed_at(text, context, named)
    return _resolved(text, pointed, named)


def _resolved(text: str, pointed: Sequence[Paper], named: Sequence[str]) -> Resolved:
    papers = [paper for paper in pointed if paper.id not in named]
    names = [short_name(paper) for paper in papers[:NAMED]]
    more = f" and {len(papers) - NAMED} more" if len(papers) > NAMED else ""
    note = f"about {', '.join(names)}{more}" if papers else ""
    return Resolved(text, tuple(paper.id for paper in papers), note)


def _pointed_at(text: str, context: Context, named: Sequence[str]) -> list[Paper]:
    """The papers that the words of a question point back at; none for a question of its own."""
    last = context.last
    numbers = [int(one or two) for one, two in _CITED.findall(text)]
    if found := [last[number - 1] for number in numbers if 1 <= number <= len(last)]:
        return found
    found = [paper for match in _ORDINAL.finditer(text) for paper in _by_order(match, context)]
    if match := _DESCRIBED.search(text):
        found += _described(match["after"] or match["before"] or "", context)
    if _OTHER.search(text):
        found += _others(context, {*named, *(paper.id for paper in found), *(paper.id for paper in last[:1])})
        if _ONE.search(text):
            found = [*last[:1], *found]
    if found:
        return list({paper.id: paper for paper in found}.values())
    if _ALL.search(text):
        return (
            last
            if len(last) > 1 or not re.search(r"\bboth\b", text, re.IGNORECASE)
            else list(context.cited.values())[-2:]
        )
    if _ONE.search(_CLAUSE.sub(" ", text)):
        return last[:1]
    if _ELLIPSIS.match(text) and not named and len(informative_words(text)) <= 3:
        return last[:1]
    return []


def _by_order(match: re.Match[str], context: Context) -> list[Paper]:
    # One paper alone has no order: then the papers of the whole conversation are counted.
    papers = context.last if len(context.last) > 1 else list(context.cited.values())
    which = match["which"].lower()
    count = _COUNTS.get((match["count"] or "").lower(), 1)
    if which in ("last", "latter"):
        return papers[-count:]
    start = 0 if which == "former" else _ORDINALS[which]
    return papers[start : start + count] if start < len(papers) else []


def _others(context: Context, known: set[str]) -> list[Paper]:
    """The papers that are not meant already, those of the last answers first."""
    rest = [paper for paper in reversed(context.cited.values()) if paper.id not in known]
    return rest[:1]


def _described(words: str, context: Context) -> list[Paper]:
    """The paper of the conversation that fits a description best, when one does."""
    wanted = set(index_tokens(words))
    if not wanted:
        return []
    vector = context.library.query_vector(words)
    vectors = context.library.passage_vectors(context.cited.values())
    scored = []
    for paper in context.cited.values():
        held = wanted & set(index_tokens(f"{paper.title} {paper.abstract}"))
        cosine = float((vectors[paper.id] @ vector).max()) if paper.id in vectors else 0.0
        scored.append((len(held) / len(wanted) + cosine, paper))
    best = max(scored, key=lambda item: item[0])
    return [best[1]] if best[0] >= _LIKE else []


def _what_about(what: str, context: Context, named: Sequence[str], text: str) -> Resolved:
    """ "What about X?": the last question again, asked of X, or about X."""
    pointed = _pointed_at(f"{what}?", context, named)
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
    pointed = [paper.id for paper in _pointed_at(text, context, named)]
    note = "about the comparison"
    if _ADD.match(text) and (named or pointed):
        more = [paper_id for paper_id in (*named, *pointed) if paper_id not in papers]
        return Resolved(text, note=note, compared=(*papers, *more), aspects=aspects)
    if _DROP.match(text) and (named or pointed):
        gone = {*named, *pointed}
        return Resolved(text, note=note, compared=tuple(p for p in papers if p not in gone), aspects=aspects)
    if _ONLY.match(text) and (only := asked_aspects(text)):
        return Resolved(text, note=note, compared=tuple(papers), aspects=tuple(only))
    if _SWAP.search(text):
        return Resolved(text, note=note, compared=tuple(papers), aspects=aspects, swapped=True)
    if _WHICH.match(text):
        topic = " ".join(informative_words(text))
        wanted = tuple(asked_aspects(text)) or ((topic,) if topic else aspects)
        return Resolved(text, note=note, compared=tuple(papers), aspects=wanted)
    return None
