"""Dialogues of two to five turns over all of ICML 2025, made from its papers, and the share of turns that are right.

A turn is right when the answer's papers are the ones meant: follow-ups point back by pronoun, number, order,
description or name, comparisons grow and shrink, and topics change.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from rag.answering import Assistant
from rag.chat import Conversation
from rag.chat.follow_up import papers_of
from rag.evaluation.answers import verbatim
from rag.library import Library
from rag.records import Paper
from rag.settings import load_settings
from rag.text.names import headline_names, looks_like_name
from tests.conftest import SEEDS, SHARED

SEED = 11
ROUNDS = 6
# Questions with {a}, {b}, {c} for names; behind each, the papers that the answer must be about.
TEMPLATES: list[list[tuple[str, str]]] = [
    [("What is {a}?", "a"), ("How does it work?", "a"), ("What are its results?", "a"), ("What about {b}?", "b")],
    [("What is {a}?", "a"), ("What is {b}?", "b"), ("How does it compare with the other one?", "ab")],
    [("Compare {a} and {b}", "ab"), ("Add {c}", "abc"), ("Drop the second", "ac"), ("Only results", "ac")],
    [("What is {a}?", "a"), ("What is {b}?", "b"), ("Compare both on data and results", "ab"), ("What is the first one?", "a")],
    [("Summarise {a}", "a"), ("What problem does that paper solve?", "a"), ("How does {b} differ from it?", "ab")],
    [("Compare {a} with {b}", "ab"), ("Swap rows and columns", "ab"), ("Tell me more about [2]", "b"), ("Why?", "b")],
    [("What is {a}?", "a"), ("What does {c} do?", "c"), ("And what do the authors of this method report?", "c")],
]  # fmt: skip


def main() -> None:
    papers = SHARED / "data/icml-2025.jsonl"
    if not papers.exists():
        print("left out: its data is not on this machine")
        return
    library = Library(load_settings(home=Path(tempfile.gettempdir()) / "citewell-bench-icml-2025"))
    library.ingest([SEEDS, papers])
    assistant = Assistant(library)
    named = [(name, paper) for paper in library.papers() if (name := _own_name(paper))]
    rng = random.Random(SEED)
    right = turns = dialogues = 0
    for _ in range(ROUNDS):
        for template in TEMPLATES:
            dialogues += 1
            chosen = dict(zip("abc", rng.sample(named, 3), strict=True))
            conversation = Conversation()
            for text, meant in template:
                question = text.format(**{key: name for key, (name, _) in chosen.items()})
                answer = conversation.answer(question, assistant).answer
                found = {paper.id for paper in papers_of(answer)}
                wanted = {chosen[key][1].id for key in meant}
                fine = verbatim(answer) and wanted <= found and len(found) <= len(wanted) + 1
                right, turns = right + fine, turns + 1
                if not fine:
                    titles = [paper.title[:40] for paper in papers_of(answer)]
                    print(f"  wrong: {question} | wanted {meant} | {answer.refusal and answer.refusal.reason} {titles}")
    print(f"{dialogues} dialogues, {turns} turns, {right / turns:.1%} right")
    library.close()


def _own_name(paper: Paper) -> str:
    """The name before the colon of a title, when it is one word written as a name."""
    names = headline_names(paper.title)
    return next((name for name in names if looks_like_name(name) and " " not in name and len(name) > 3), "")


if __name__ == "__main__":
    main()
