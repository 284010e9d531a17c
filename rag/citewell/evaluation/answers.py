"""`citewell eval answers`: dialogues with what each turn's answer must hold.

A file has one JSON object a line: `id`, `kind`, `turns`; a turn has its `question` and any of `papers` (titles)
with `min_papers` among the cited sources, `contains` (groups of alternatives), `refuse`, `table`, `no_citations`,
`without` (titles that no source may have).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from citewell.answer import Answer
from citewell.assistant import Assistant
from citewell.chat import Conversation
from citewell.errors import CitewellError
from citewell.library.identity import folded
from citewell.rendering.markdown import answer_markdown


@dataclass(slots=True)
class AnswerScores:
    """Turns passed per kind, each failed turn with its reason, and whether every quote was verbatim."""

    kinds: dict[str, dict[str, int]] = field(default_factory=dict)
    failures: list[dict[str, Any]] = field(default_factory=list)
    quotes_verbatim: bool = True

    def to_dict(self) -> dict[str, Any]:
        return {"kinds": self.kinds, "failures": self.failures, "quotes_verbatim": self.quotes_verbatim}


def read_dialogues(path: Path) -> list[dict[str, Any]]:
    """The dialogues of a question file. Raises `CitewellError` naming the line that is not one."""
    dialogues = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
            turns = item.get("turns") or [item]
            dialogues.append({"id": str(item.get("id", number)), "kind": str(item.get("kind", "all")), "turns": turns})
            _ = [turn["question"] for turn in turns]
        except (ValueError, KeyError, AttributeError, TypeError):
            raise CitewellError(
                f"Line {number} of {path} is not a dialogue.",
                'Expected is {"id": …, "turns": [{"question": …}]}.',
            ) from None
    return dialogues


def score_answers(
    assistant: Assistant, dialogues: list[dict[str, Any]], progress: Callable[[int, int], None] | None = None
) -> AnswerScores:
    """Ask every turn and check its answer."""
    scores = AnswerScores()
    for number, dialogue in enumerate(dialogues):
        if progress:
            progress(number, len(dialogues))
        for position, (turn, answer) in enumerate(_answers(assistant, dialogue["turns"]), start=1):
            if not verbatim(answer):
                scores.quotes_verbatim = False
            reason = fault(turn, answer)
            kind = scores.kinds.setdefault(dialogue["kind"], {"turns": 0, "passed": 0})
            kind["turns"] += 1
            kind["passed"] += not reason
            if reason:
                scores.failures.append(
                    {"id": dialogue["id"], "turn": position, "question": turn["question"], "reason": reason}
                )
    return scores


def _answers(assistant: Assistant, turns: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Answer]]:
    conversation = Conversation()
    for turn in turns:
        yield turn, conversation.answer(turn["question"], assistant).answer


def verbatim(answer: Answer) -> bool:
    """Whether every quote of the answer stands at its offsets in the abstract of its source."""
    abstracts = {source.paper.id: source.paper.abstract for source in answer.sources}
    if answer.comparison is not None:
        abstracts |= {paper.id: paper.abstract for paper in answer.comparison.papers}
    return all(c.quote and c.quote == abstracts.get(c.paper_id, "")[c.start : c.end] for c in answer.citations)


def fault(turn: dict[str, Any], answer: Answer) -> str:
    """What an answer lacks of what a turn demands; empty when it holds everything."""
    cited = {folded(source.paper.title) for source in answer.sources}
    wanted = [str(title) for title in turn.get("papers", [])]
    if turn.get("refuse"):
        return "" if answer.refusal is not None else f"answered instead of refused, citing {len(cited)} papers"
    if answer.refusal is not None:
        return f"refused: {answer.refusal.reason}"
    if turn.get("no_citations") and cited:
        return "cited papers where none were wanted"
    if ruled_out := [title for title in turn.get("without", []) if folded(str(title)) in cited]:
        return f"cited what was ruled out: {', '.join(ruled_out)}"
    found = sum(folded(title) in cited for title in wanted)
    if found < int(turn.get("min_papers", len(wanted))):
        return f"cited {found} of the wanted papers: {', '.join(s.paper.title for s in answer.sources) or 'none'}"
    text = answer_markdown(answer).lower()
    for group in turn.get("contains", []):
        if not any(str(word).lower() in text for word in group):
            return f"none of {group} in the answer"
    if turn.get("table"):
        columns = {folded(paper.title) for paper in answer.comparison.papers} if answer.comparison else set()
        if not all(folded(title) in columns for title in wanted):
            return "no comparison table with a column for each paper"
    return ""
