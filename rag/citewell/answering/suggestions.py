"""Questions to go on with, made from an answer's own papers, and only such as their abstracts can answer."""

from __future__ import annotations

from collections.abc import Sequence

from citewell import wording
from citewell.answer import Answer
from citewell.answering.aspects import AspectFinder, states_code
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.understanding.aspects import asked_aspects
from citewell.understanding.comparisons import MOST as LARGEST_TABLE

MOST = 3
# Aspects that a paper is asked about when its abstract states them.
_ASPECTS = ("results", "data and benchmarks", "problem", "approach", "limits", "code")


def first_questions(count: int) -> tuple[str, ...]:
    """Questions to begin with about `count` chosen papers."""
    return wording.FIRST_QUESTIONS["one" if count == 1 else "few" if count <= LARGEST_TABLE else "many"]


def suggestions(snapshot: Snapshot, answers: Sequence[Answer]) -> list[str]:
    """Up to three questions after the last of `answers`, none of which has been asked already."""
    answer = answers[-1]
    papers = [source.paper for source in answer.sources if source.paper.abstract]
    if not papers:
        return []
    asked = {earlier.question.casefold() for earlier in answers}
    covered = {aspect for earlier in answers for aspect in asked_aspects(earlier.question)}
    found = []
    focus, say = papers[0], wording.SUGGESTIONS
    if len(papers) > 1 and answer.comparison is None:
        found.append(say["compare"].format(one=focus.label, other=papers[1].label))
    found += [say[aspect].format(name=focus.label) for aspect in _stated(snapshot, focus) if aspect not in covered]
    if answer.comparison is not None:
        found.insert(0, say["which-code" if any(states_code(paper) for paper in papers) else "only-results"])
    if neighbour := _neighbour(snapshot, focus, {paper.id for paper in papers}):
        found.insert(min(1, len(found)), say["differ"].format(one=neighbour.label, other=focus.label))
    return [question for question in dict.fromkeys(found) if question.casefold() not in asked][:MOST]


def _stated(snapshot: Snapshot, paper: Paper) -> list[str]:
    finder = AspectFinder(snapshot)
    return [aspect for aspect in _ASPECTS if finder.find(paper, aspect) is not None]


def _neighbour(snapshot: Snapshot, paper: Paper, known: set[str]) -> Paper | None:
    """The nearest paper that is not on the table yet and has a name of its own."""
    near = [other for other in snapshot.similar(paper, 6) if other.id not in known and other.abstract]
    return next((other for other in near if other.has_name), None)
