"""Dialogues of two to five turns over all of ICML 2025, written by hand and made from its papers, and the turns right.

A turn is right when the answer's papers are the ones meant: follow-ups point back by pronoun, number, order,
description or name, comparisons grow and shrink, and topics change. Those of `tests/data/dialogues.jsonl` were written by
hand, before the answers were seen; papers are given there by the name of their method or the start of their title.
"""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path

from citewell.assistant import Assistant
from citewell.chat import Conversation
from citewell.evaluation.answers import fault, verbatim
from citewell.library import Library
from citewell.paper import Paper
from citewell.settings import load_settings
from citewell.text.names import headline_names, looks_like_name
from citewell.understanding.context import papers_of
from tests.conftest import SEEDS, SHARED

WRITTEN = Path(__file__).parents[1] / "data" / "dialogues.jsonl"
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
    written_by_hand(assistant)
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
    print(f"{dialogues} dialogues from templates, {turns} turns, {right / turns:.1%} right")
    library.close()


def written_by_hand(assistant: Assistant) -> None:
    """Print how many turns of the hand-written dialogues are right, and those that are not."""
    dialogues = [json.loads(line) for line in WRITTEN.read_text(encoding="utf-8").splitlines()]
    titles = [paper.title for paper in assistant.library.papers()]
    right = turns = 0
    for dialogue in dialogues:
        conversation = Conversation()
        for turn in dialogue["turns"]:
            answer = conversation.answer(turn["question"], assistant).answer
            wanted = [_title(name, titles) for name in turn.get("names", [])]
            reason = "" if verbatim(answer) else "a quote is not verbatim"
            if turn.get("refuse"):
                reason = reason or ("" if answer.refusal is not None else "answered instead of refused")
            else:
                shown = {paper.title for paper in papers_of(answer)}
                missing = [title for title in wanted if title not in shown]
                if missing:
                    reason = reason or f"lacks {missing}; refusal {answer.refusal and answer.refusal.reason}"
                reason = reason or fault({key: turn[key] for key in ("contains", "table") if key in turn}, answer)
            right, turns = right + (not reason), turns + 1
            if reason:
                print(f"  wrong: {dialogue['id']} {turn['question']} | {reason}")
    print(f"{len(dialogues)} dialogues by hand, {turns} turns, {right / turns:.1%} right")


def _title(name: str, titles: list[str]) -> str:
    return next(title for title in titles if title.startswith((f"{name}:", f"{name} ", name)))


def _own_name(paper: Paper) -> str:
    """The name before the colon of a title, when it is one word written as a name."""
    names = headline_names(paper.title)
    return next((name for name in names if looks_like_name(name) and " " not in name and len(name) > 3), "")


if __name__ == "__main__":
    main()
