"""`citewell eval library`: does search find again what the library is known to hold?

Questions are made from the papers themselves, so the right answer is known: the name before a title's colon, the
title with a third of its words dropped, one sentence of the abstract.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from citewell.library import Library
from citewell.paper import Paper
from citewell.progress import Progress, no_progress
from citewell.request import Request
from citewell.retrieval.search import HybridSearch
from citewell.text.names import headline_names, name_key
from citewell.text.sentences import split_sentences
from citewell.understanding import understand

KINDS = ("name", "title", "sentence")
QUESTIONS_A_KIND = 300
DEPTH = 5
SHORTEST_SENTENCE = 8
DROPPED = 1 / 3


@dataclass(frozen=True, slots=True)
class KnownItem:
    """A question and the papers that answer it (several when they share the name or the sentence)."""

    kind: str
    question: str
    paper_ids: frozenset[str]


def known_items(papers: Iterable[Paper], size: int | None = QUESTIONS_A_KIND, seed: int = 7) -> list[KnownItem]:
    """At most `size` questions of each kind, drawn at random but the same for the same library; None means all."""
    rng = random.Random(seed)
    found: dict[str, dict[str, set[str]]] = {kind: {} for kind in KINDS}
    shown: dict[str, str] = {}

    def add(kind: str, key: str, question: str, paper: Paper) -> None:
        found[kind].setdefault(key, set()).add(paper.id)
        shown.setdefault(key, question)

    for paper in papers:
        if not paper.title_from_text:
            for name in headline_names(paper.title):
                if paper.title.startswith(name + ":"):
                    add("name", f"name {name_key(name)}", f"What is {name}?", paper)
            if shortened := _shortened(paper.title, rng):
                add("title", f"title {shortened.casefold()}", shortened, paper)
        sentences = [paper.abstract[start:end] for start, end in split_sentences(paper.abstract)]
        sentences = [sentence for sentence in sentences if len(sentence.split()) >= SHORTEST_SENTENCE]
        if sentences:
            sentence = rng.choice(sentences)
            add("sentence", f"sentence {sentence.casefold()}", sentence, paper)
    items = []
    for kind, questions in found.items():
        keys = list(questions) if size is None or len(questions) <= size else rng.sample(list(questions), size)
        items += [KnownItem(kind, shown[key], frozenset(questions[key])) for key in keys]
    return items


def _shortened(title: str, rng: random.Random) -> str:
    """The title without a third of its words, order kept; empty when too little would be left."""
    words = title.split()
    kept = len(words) - round(len(words) * DROPPED)
    if kept < 4:
        return ""
    return " ".join(words[place] for place in sorted(rng.sample(range(len(words)), kept)))


def score_library(
    library: Library, items: list[KnownItem], progress: Progress = no_progress
) -> dict[str, dict[str, float]]:
    """Per kind: how many questions, and the share whose paper came first (recall@1) or among five (recall@5)."""
    snapshot = library.snapshot()
    search = HybridSearch(snapshot)
    scores: dict[str, dict[str, float]] = {}
    for number, item in enumerate(items):
        progress("Searching", number, len(items))
        own = scores.setdefault(item.kind, {"questions": 0, "recall@1": 0.0, "recall@5": 0.0})
        query = understand(Request(item.question, read_filters=False), snapshot)
        ids = [hit.paper.id for hit in search.search(query, DEPTH).hits]
        own["questions"] += 1
        own["recall@1"] += bool(item.paper_ids & set(ids[:1]))
        own["recall@5"] += bool(item.paper_ids & set(ids))
    progress("Searching", len(items), len(items))
    for own in scores.values():
        own |= {name: round(own[name] / own["questions"], 4) for name in ("recall@1", "recall@5")}
    return scores
