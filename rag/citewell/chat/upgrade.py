"""Turns as version 0.1 wrote them, in the shape of the present records.

Version 0.1 kept refusals, doubts and notices as English text; what is recognised becomes its kind again, and what is
not keeps its words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from citewell import wording
from citewell.answer import EXTRACTIVE

EARLIER = "earlier"


def upgraded(turn: dict[str, Any]) -> dict[str, Any]:
    """A stored turn of version 0.1 as the present `Turn` reads it."""
    kept: dict[str, Any] = {
        name: turn[name] for name in ("question", "answer", "note", "library_version") if name in turn
    }
    answer = _renamed(kept["answer"])
    writer = answer.pop("writer", EXTRACTIVE)
    answer["model"] = "" if writer == EXTRACTIVE else writer
    answer["notices"] = [_notice(text) for text in answer.get("notices", ())]
    for sentence in (*answer.get("sentences", ()), *answer.get("draft", ())):
        sentence["doubt"] = _doubt(sentence.pop("reason", ""))
    if answer.get("refusal"):
        answer["refusal"] = _refusal(answer["refusal"])
    return kept | {"answer": answer}


def _renamed(value: Any) -> Any:
    """The same with the present names of papers' files, hits' scores by words, and without the text of cells."""
    if isinstance(value, list):
        return [_renamed(item) for item in value]
    if not isinstance(value, dict):
        return value
    names: dict[str, str] = {}
    if "abstract" in value or "venues" in value:
        names = {"sources": "files"}
    elif "dense_rank" in value:
        names = {"words": "bm25", "words_rank": "bm25_rank"}
    is_cell = value.keys() == {"paper_id", "text", "citations"}
    return {names.get(key, key): _renamed(item) for key, item in value.items() if not (is_cell and key == "text")}


def recognise(templates: Mapping[str, str], text: str) -> tuple[str, dict[str, str]] | None:
    """Which template a text was made from, and what filled its gaps; the one with most words of its own counts."""
    for kind in sorted(templates, key=lambda kind: len(re.sub(r"\{\w+\}", "", templates[kind])), reverse=True):
        pieces = re.split(r"\{(\w+)\}", templates[kind])
        pattern = "".join(f"(?P<{piece}>.+)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
        if found := re.fullmatch(pattern, text):
            return kind, found.groupdict()
    return None


def _refusal(old: dict[str, Any]) -> dict[str, Any]:
    templates = {kind: text for kind, text in wording.REFUSALS.items() if kind != EARLIER}
    found = recognise(templates, old["reason"])
    kind, gaps = found if found is not None else (EARLIER, {"missing": old["reason"]})
    return {"kind": kind, "nearest": old.get("nearest", ()), **gaps}


def _notice(text: str) -> dict[str, Any]:
    templates = {kind: text for kind, text in wording.NOTICES.items() if re.sub(r"\{\w+\}", "", text).strip(" .")}
    kind, gaps = recognise(templates, text) or (EARLIER, {"text": text})
    return {"kind": kind, "values": gaps}


def _doubt(text: str) -> dict[str, Any] | None:
    if not text:
        return None
    templates = {kind: text for kind, text in wording.DOUBTS.items() if kind != EARLIER}
    kind, gaps = recognise(templates, text) or (EARLIER, {"words": text})
    return {"kind": kind, "words": [gaps["words"]] if "words" in gaps else []}
