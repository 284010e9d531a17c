"""The writer that needs no language model: an answer made of the abstracts' own sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citewell.answering.evidence import Evidence, list_members
from citewell.query import Intent, Query
from citewell.text.roles import Role

# How many sentences of one paper an answer of each kind holds at most.
_LENGTHS = {
    Intent.FACT: 2,
    Intent.FIND: 2,
    Intent.DEFINE: 3,
    Intent.EXPLAIN: 3,
    Intent.SUMMARISE: 4,
    Intent.COMPARE: 2,
    Intent.SURVEY: 1,
}
LONGEST = 4
LONGEST_LIST = 5
# A further sentence must come this near to the best one, or nearer when it adds nothing new.
NEAR_BEST, NEAR_BEST_REPEATING = 0.55, 0.75
# The step of the method that follows an approach explains it, though it shares few words with the question.
NEXT_STEP = 0.35
# Sentences about the field rather than the work; beside an answer from the work they only repeat the question.
_SCENERY = (Role.BACKGROUND, Role.PROBLEM)
MOST_SYNTHESISED = 12
# What a paper itself does or finds is preferred over the scenery when it is this much on the topic.
SPEAKS_OF_IT = 0.55
# A sentence without any word of the topic speaks of it from this cosine on.
ON_TOPIC = 0.45
# A second paper joins the answer when its best sentence comes this near to the first paper's best.
SECOND_PAPER = 0.85

# "NAME (its long form), a method that …", "NAME is a …".
_DEFINES = r"(?<!\w)(?:{names})(?!\w)\)?(?:\s*\([^()]*\))?(?:,|\s+is|\s+are)\s+(?:an?|the|our|one)\b"
# The start of a sentence that leans on the one before it: as the first of an answer it would hang in the air.
_LEANING = re.compile(
    r"(?:furthermore|moreover|in addition|additionally|however|besides|also|finally|lastly|consequently|therefore|thus"
    r"|hence|meanwhile|nevertheless|nonetheless|similarly|likewise|conversely|then|second(?:ly)?|third(?:ly)?"
    r"|for (?:example|instance)|in contrast|by contrast|on the other hand|as a result|specifically|in particular"
    r"|notably|importantly|to (?:this|that) end|this|these|it|they|such)\b",
    re.IGNORECASE,
)


def choose(query: Query, evidence: Sequence[Sequence[Evidence]], max_papers: int) -> list[Evidence]:
    """The sentences of the answer, grouped by paper, the most direct first.

    `evidence` holds the scored sentences of each hit, best hit first; for a survey, of the hits that fit alone.
    """
    groups = [list(sentences) for sentences in evidence if sentences]
    if not groups:
        return []
    named = set(query.named_ids)
    groups = [group for group in groups if group[0].paper.id in named] or groups
    chosen: list[Evidence] = []
    for position, group in enumerate(groups if query.is_survey else groups[:max_papers]):
        if query.wants_several:
            length = 2 if named else _LENGTHS[Intent.SURVEY]
            wanted = True
        else:
            length = _LENGTHS.get(query.intent, LONGEST) if position == 0 else 1
            wanted = position == 0 or bool(named) or _rivals(query, group, groups[0])
        if wanted:
            chosen.extend(_from_paper(query, group, length))
    return chosen


def choose_for_synthesis(query: Query, evidence: Sequence[Sequence[Evidence]]) -> list[Evidence]:
    """What each of several papers says on the topic of a summary: one sentence each, of a paper that is named two."""
    named = set(query.named_ids)
    groups = [list(own) for own in evidence if own and (not named or own[0].paper.id in named)]
    own_words = {word.lower() for name in query.named for word in name.name.split()}
    topic = [term for term in query.terms if term.lower() not in own_words]
    if topic and named:
        # Papers that are pointed at may not speak of the topic at all.
        groups = [own for own in groups if any(item.terms or item.cosine >= ON_TOPIC for item in own)] or groups
    chosen: list[Evidence] = []
    for group in groups[:MOST_SYNTHESISED]:
        if topic:
            bar = SPEAKS_OF_IT * relevance(group)
            own = [item for item in group if item.role not in _SCENERY and item.relevance >= bar]
            chosen.append(max(own or group, key=lambda item: item.score))
        else:
            chosen.extend(_summary(group, 2 if len(groups) > 1 else LONGEST))
    return chosen


def relevance(group: Sequence[Evidence]) -> float:
    """How well a paper fits the question: its best sentence by meaning and words, 0 to 1."""
    return max(item.relevance for item in group)


def _rivals(query: Query, group: Sequence[Evidence], first: Sequence[Evidence]) -> bool:
    return query.intent is not Intent.FIND and relevance(group) >= SECOND_PAPER * relevance(first)


def _from_paper(query: Query, sentences: Sequence[Evidence], length: int) -> list[Evidence]:
    """Up to `length` sentences: the best first, then what adds to it in the abstract's own order."""
    if query.intent is Intent.SUMMARISE:
        return _summary(sentences, length)
    ranked = sorted(sentences, key=lambda item: -item.score)
    best = ranked[0]
    members = list_members(sentences, best)
    if members and length > 1:
        rest = [item for item in members if item.index != best.index]
        return [best, *rest][:LONGEST_LIST]
    chosen, covered = [best], set(best.terms)
    if length > 2 and best.role is Role.APPROACH:
        ranked.sort(key=lambda item: not _next_step(item, best))
    for item in ranked:
        if len(chosen) >= min(length, LONGEST):
            break
        if item.role in _SCENERY and best.role not in _SCENERY:
            continue
        bar = NEXT_STEP if _next_step(item, best) else NEAR_BEST if item.terms - covered else NEAR_BEST_REPEATING
        if item is not best and item.score >= bar * best.score:
            chosen.append(item)
            covered |= item.terms
    if query.intent is Intent.EXPLAIN and not query.named:
        chosen = _with_core(sentences, chosen, length)
    lead = _lead(query, sentences, chosen)
    rest = [item for item in chosen if item is not lead][: max(1, len(chosen) - 1)]
    return [lead, *sorted(rest, key=lambda item: item.index)]


def _lead(query: Query, sentences: Sequence[Evidence], chosen: Sequence[Evidence]) -> Evidence:
    """The sentence to begin with: what says what a thing is, else the best one, unless it leans on one before it."""
    best = chosen[0]
    if query.intent is Intent.DEFINE and query.named:
        defines = re.compile(_DEFINES.format(names="|".join(re.escape(name.name) for name in query.named)))
        if defining := [item for item in sentences if defines.search(item.text)]:
            return min(defining, key=lambda item: (item not in chosen, item.index))
    if query.intent in (Intent.DEFINE, Intent.EXPLAIN) and _LEANING.match(best.text):
        standing = [item for item in chosen if not _LEANING.match(item.text)]
        return min(standing, key=lambda item: item.index, default=best)
    return best


def _with_core(sentences: Sequence[Evidence], chosen: list[Evidence], length: int) -> list[Evidence]:
    """Whoever does not know the paper needs the sentence that says what it proposes, if need be for the last one."""
    core = next((item for item in sentences if item.role is Role.APPROACH), None)
    if core is None or core in chosen:
        return chosen
    return [*chosen[: length - 1], core]


def _next_step(item: Evidence, best: Evidence) -> bool:
    return item.index == best.index + 1 and item.role in (Role.METHOD, Role.APPROACH)


def _summary(sentences: Sequence[Evidence], length: int) -> list[Evidence]:
    """The sentence that introduces the work, then the problem before it, a step of the method, the result."""
    ranked = sorted(sentences, key=lambda item: -item.score)
    core = next((item for item in ranked if item.role is Role.APPROACH), ranked[0])
    chosen = [core]
    for roles in ((Role.RESULT,), (Role.PROBLEM,), (Role.METHOD, Role.APPROACH), (Role.BACKGROUND,)):
        found = next((item for item in ranked if item.role in roles and item not in chosen), None)
        if found is not None and len(chosen) < length:
            chosen.append(found)
    return [core, *sorted(chosen[1:], key=lambda item: item.index)]
