"""Which papers of a conversation a question points back at: by pronoun, number, order, description, or not at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from citewell.paper import Paper
from citewell.query import Intent
from citewell.text.tokens import UNSTATED_WORDS, index_tokens, informative_words, question_tokens
from citewell.understanding.aspects import asked_aspects
from citewell.understanding.context import Context
from citewell.understanding.intent import intent_of

_ORDINALS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "fifth": 4, "sixth": 5}
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5}
_NOUN = (
    r"(?:one|ones|papers?|methods?|models?|approach(?:es)?|works?|studies|study|results?|sources?|systems?|algorithms?)"
)
_SINGULAR = r"(?:one|paper|method|model|approach|work|study|system|algorithm)"
_CITED = re.compile(r"\[(\d{1,2})\]|\b(?:source|citation|number|no\.|paper) (\d{1,2})\b", re.IGNORECASE)
_ORDINAL = re.compile(
    rf"\bthe (?P<which>{'|'.join(_ORDINALS)}|last|latter|former)(?: (?P<count>{'|'.join(_COUNTS)}))?(?: {_NOUN})?\b",
    re.IGNORECASE,
)
_OTHER = re.compile(rf"\bthe others?(?: {_NOUN})?\b", re.IGNORECASE)
_ALL = re.compile(r"\b(?:these|those|they|them|their|all of (?:them|these))\b", re.IGNORECASE)
_IT = re.compile(
    r"\b(?:it|its|itself)\b|^\W*(?:and |but |so )?(?:this|that)\b|\b(?:this|that)\W*$|"
    r"\b(?:is|was|does|do|did|of|about|by|with|than|like|on|to) (?:this|that)(?: one)?\b(?! [\w-]+ (?:that|which)\b)",
    re.IGNORECASE,
)
_THIS_PAPER = re.compile(
    r"\b(?:this|that|the same) (?:papers?|methods?|models?|approach|work|study|framework|algorithm|system|abstract|"
    r"technique|benchmark|dataset|attack|authors?)\b|\bthe authors?\b(?! of)|"
    r"\bthe (?:paper|method|model|approach|work|study|framework|algorithm|system|abstract|technique)\b"
    r"(?!\s+(?:that|which|of|for|in|to|with|where|behind|used|called|by)\b)",
    re.IGNORECASE,
)
# A pronoun behind so many words of content stands for something in the question itself.
ANTECEDENT = 3
_DESCRIBED = re.compile(
    rf"\bthe {_SINGULAR} (?:that|which|who|about|on|with|using|for|from|by) (?P<after>[^?.,;]+)"
    r"|\bthe (?P<before>(?:[\w-]+ ){1,3}?)one\b",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(r"^\W*(?:and|also|but|or)\b", re.IGNORECASE)
# "Which of them", "the two", "all three": so many papers, out of earlier answers when the last has too few.
_SOME = re.compile(
    r"\b(?:of (?:them|these|those)|both(?! [\w-]+ and\b)|"
    r"(?:the|these|those|all|all the|of the) (?P<count>two|three|four|five)"
    r"(?=\W*$|\s+(?:papers?|methods?|models?|ones?|approaches|have|has|are|differ|do|next|side|in|on|by|with)\b))",
    re.IGNORECASE,
)
_OWN_TOPIC = re.compile(
    r"\b(?:which|what|any|is there an?|find(?: me)?|list|show(?: me)?|who works?|looking for|interested in)\s+"
    r"(?:(?!(?:this|that|these|those|the|its?|is|are|does|do|did)\b)[\w-]+\s+){0,3}?"
    r"(?:papers?|works?|stud(?:y|ies)|articles?|abstracts?|publications?|research|on)\b",
    re.IGNORECASE,
)
FRAGMENT = re.compile(
    r"^\W*(?:and |but |so )?(?:compared (?:to|with) (?:what|whom|which)\b|"
    r"(?:in|on|for|under|with|by|at|to|from|of|than|against) (?:which|what|whom|how (?:much|many|far))\b)",
    re.IGNORECASE,
)
_DEFINITE = re.compile(r"\b(?:the|they|he|she)\b", re.IGNORECASE)
# A description fits the paper that holds its words; this is their share and the cosine together.
_LIKE = 0.5
# A question that points at nothing is about the last answer when one of its papers holds this share of the question's
# words, by rarity, and no other paper is nearer by more than a margin; "the code" refers to something, "code" need not.
COVERED, MARGIN, DEFINITE_MARGIN = 0.7, 0.0, 0.25


def pointed_at(text: str, context: Context, named: Sequence[str]) -> list[Paper]:
    """The papers that the words of a question point back at; none for a question of its own."""
    last = context.last
    numbers = [int(one or two) for one, two in _CITED.findall(text)]
    if found := [last[number - 1] for number in numbers if 1 <= number <= len(last)]:
        return found
    words = informative_words(text)
    if _OWN_TOPIC.search(text) and len(words) >= 2 and not _SOME.search(text):
        return []
    found = [paper for match in _ORDINAL.finditer(text) for paper in _by_order(match, context)]
    if match := _DESCRIBED.search(text):
        found += _described(match["after"] or match["before"] or "", context)
    if _OTHER.search(text):
        found += _others(context, {*named, *(paper.id for paper in found), *(paper.id for paper in last[:1])})
        if _IT.search(text) or _THIS_PAPER.search(text):
            found = [*last[:1], *found]
    if found:
        return list({paper.id: paper for paper in found}.values())
    if match := _SOME.search(text):
        count = _COUNTS.get((match["count"] or "two").lower(), 2)
        return last if len(last) >= count else context.recent(max(count, len(last)))
    if _stands_early(_ALL, text):
        return last
    if _THIS_PAPER.search(text) or _stands_early(_IT, text):
        return [_meant(text, context)]
    if named:
        # "How is HPS different?": from what was just spoken of.
        return last[:1] if intent_of(text) is Intent.COMPARE and len(named) == 1 else []
    if _ELLIPSIS.match(text) and len(informative_words(text)) <= 3:
        return [_meant(text, context)]
    return _implied(text, context)


def _stands_early(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a pronoun comes before the question has said anything that it could stand for."""
    match = pattern.search(text)
    return match is not None and len(informative_words(text[: match.start()])) < ANTECEDENT


def _meant(text: str, context: Context) -> Paper:
    """The paper that "it" stands for: the first of the last answer, unless only another holds the question's words."""
    tokens = _content(text)
    held = [len(tokens & set(index_tokens(f"{paper.title} {paper.abstract}"))) for paper in context.last]
    return context.last[0] if not tokens or held[0] or not any(held) else context.last[held.index(max(held))]


def _implied(text: str, context: Context) -> list[Paper]:
    """The paper of the last answer that a question is about though nothing in it says so ("is the code available?")."""
    last, intent = context.last, intent_of(text)
    if FRAGMENT.match(text) and len(informative_words(text)) <= ANTECEDENT:
        return last[:1]
    if _OWN_TOPIC.search(text) or intent.is_chitchat or intent in (Intent.DEFINE, Intent.SURVEY, Intent.SUMMARISE):
        return []
    tokens = _content(text)
    if not tokens or (len(tokens) == 1 and asked_aspects(text) and _DEFINITE.search(text)):
        return last[:1] if text.endswith("?") or tokens else []
    words = context.snapshot.word_index
    shares = [words.share(tokens, index_tokens(f"{paper.title} {paper.abstract}")) for paper in last]
    paper = last[int(np.argmax(shares))]
    if max(shares) < COVERED:
        return []
    bare = all(word.lower() in UNSTATED_WORDS for word in informative_words(text))
    margin = DEFINITE_MARGIN if bare or _DEFINITE.search(text) else MARGIN
    return [paper] if context.snapshot.lead_of_others(text, paper) <= margin else []


def _content(text: str) -> set[str]:
    """The index tokens of a question that say what it is about; what abstracts leave unsaid does not count."""
    words = [word for word in informative_words(text) if word.lower() not in UNSTATED_WORDS]
    return {token for word in words for token in index_tokens(word)} - question_tokens()


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
    vector = context.snapshot.query_vector(words)
    vectors = context.snapshot.passage_vectors(context.cited.values())
    scored = []
    for paper in context.cited.values():
        held = wanted & set(index_tokens(f"{paper.title} {paper.abstract}"))
        cosine = float((vectors[paper.id] @ vector).max()) if paper.id in vectors else 0.0
        scored.append((len(held) / len(wanted) + cosine, paper))
    best = max(scored, key=lambda item: item[0])
    return [best[1]] if best[0] >= _LIKE else []
