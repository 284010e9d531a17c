"""Questions to go on with, made from an answer's own papers, and only such as their abstracts can answer."""

from __future__ import annotations

from collections.abc import Sequence

from rag.answering.aspects import AspectFinder, asked_aspects, states_code
from rag.answering.comparison import MOST as LARGEST_TABLE
from rag.answering.comparison import short_name
from rag.library import Library
from rag.records import Answer, Paper

MOST = 3
# What is asked of a paper whose abstract states an aspect.
_ASKS = {
    "results": "What results does {name} report?",
    "data and benchmarks": "Which data was {name} tested on?",
    "problem": "What problem does {name} solve?",
    "approach": "How does {name} work?",
    "limits": "What are the limits of {name}?",
    "code": "Is the code of {name} available?",
}
# Asked of papers that were chosen without a question: of one, of as many as a table holds, of more.
_OF_ONE = ("Summarise this paper", "What results does it report?", "Is the code available?")
_OF_FEW = ("Compare these papers", "Summarise these papers", "Which methods do they propose?")
_OF_MANY = ("Summarise these papers", "What problems do they address?", "Which methods do they propose?")


def first_questions(count: int) -> tuple[str, ...]:
    """Questions to begin with about `count` chosen papers."""
    return _OF_ONE if count == 1 else _OF_FEW if count <= LARGEST_TABLE else _OF_MANY


def suggestions(library: Library, answers: Sequence[Answer]) -> list[str]:
    """Up to three questions after the last of `answers`, none of which has been asked already."""
    answer = answers[-1]
    papers = [source.paper for source in answer.sources if source.paper.abstract]
    if not papers:
        return []
    asked = {earlier.question.casefold() for earlier in answers}
    covered = {aspect for earlier in answers for aspect in asked_aspects(earlier.question)}
    found = []
    if len(papers) > 1 and answer.comparison is None:
        found.append(f"Compare {short_name(papers[0])} and {short_name(papers[1])}")
    focus = papers[0]
    found += [
        _ASKS[aspect].format(name=short_name(focus)) for aspect in _stated(library, focus) if aspect not in covered
    ]
    if answer.comparison is not None:
        found.insert(0, "Which one has code?" if any(states_code(paper) for paper in papers) else "Only the results")
    if neighbour := _neighbour(library, focus, {paper.id for paper in papers}):
        found.insert(min(1, len(found)), f"How does {short_name(neighbour)} differ from {short_name(focus)}?")
    return [question for question in dict.fromkeys(found) if question.casefold() not in asked][:MOST]


def _stated(library: Library, paper: Paper) -> list[str]:
    finder = AspectFinder(library)
    return [aspect for aspect in _ASKS if finder.find(paper, aspect) is not None]


def _neighbour(library: Library, paper: Paper, known: set[str]) -> Paper | None:
    """The nearest paper that is not on the table yet and has a name of its own."""
    near = [other for other in library.similar(paper, 6) if other.id not in known and other.abstract]
    return next((other for other in near if "…" not in short_name(other)), None)
