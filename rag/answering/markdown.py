"""An answer as Markdown with `[n]` markers, and as the JSON object of `citewell ask --json`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rag.answering import prompts
from rag.records import Answer, Citation, Comparison, ComparisonCell, Paper, Sentence, Source


def markers(sentence: Sentence) -> str:
    """The sentence's citation markers: `[1][3]`."""
    return "".join(f"[{number}]" for number in dict.fromkeys(citation.number for citation in sentence.citations))


def opens_paper(sentence: Sentence, before: Sentence | None, sources: Sequence[Source]) -> Paper | None:
    """The paper that a quoted sentence is the first one of, to be named before it; None inside a paper's quotes."""
    # A sentence that joins several papers names them itself.
    if len(sentence.citations) != 1 or sentence.text != sentence.citations[0].quote:
        return None
    number = sentence.citations[0].number
    if before is not None and before.citations and before.citations[0].number == number:
        return None
    return next((source.paper for source in sources if source.number == number), None)


def opens_group(sentence: Sentence, before: Sentence | None) -> bool:
    """Whether a heading stands before a sentence."""
    return bool(sentence.group) and (before is None or before.group != sentence.group)


def lead(paper: Paper) -> str:
    """How a quoted paper is named: its title in bold, authors and year behind it."""
    reference = paper.short_reference()
    return f"**{paper.title}**" + (f" ({reference})" if reference else "")


def sentence_markdown(sentence: Sentence, before: Sentence | None, sources: Sequence[Source]) -> str:
    """One quoted sentence with what goes before it: a new paragraph and the paper's name, or a blank."""
    paper = opens_paper(sentence, before, sources)
    heading = f"### {sentence.group}\n\n" if opens_group(sentence, before) else ""
    gap = "" if before is None else "\n\n" if paper is not None or heading else " "
    text = f"{sentence.text} {markers(sentence)}".strip()
    return f"{gap}{heading}{f'{lead(paper)}: ' if paper is not None else ''}{text}"


def answer_markdown(answer: Answer) -> str:
    """The whole answer; a refusal gives its sentence and the nearest papers."""
    if answer.refusal is not None:
        nearest = "".join(f"\n- {lead(paper)}" for paper in answer.refusal.nearest)
        if answer.sentences:
            stated = " ".join(f"{sentence.text} {markers(sentence)}" for sentence in answer.sentences)
            return f"{answer.refusal.reason}\n\n{prompts.NEAREST_STATED} {stated}"
        return answer.refusal.reason + (f"\n\n{prompts.NEAREST}\n{nearest}" if nearest else "")
    if answer.comparison is not None:
        said = " ".join(f"{sentence.text} {markers(sentence)}".strip() for sentence in answer.sentences)
        return f"{comparison_markdown(answer.comparison)}\n\n{said}".strip()
    if answer.writer != "extractive":
        return " ".join(f"{sentence.text} {markers(sentence)}".strip() for sentence in answer.sentences)
    pieces = []
    for position, sentence in enumerate(answer.sentences):
        before = answer.sentences[position - 1] if position else None
        pieces.append(sentence_markdown(sentence, before, answer.sources))
        if answer.claim:
            pieces.append(f" _({prompts.SAYS[sentence.support]}{f': {sentence.reason}' if sentence.reason else ''})_")
    return "".join(pieces)


def comparison_markdown(comparison: Comparison) -> str:
    """The table in Markdown, each quoted cell with its marker."""
    marked = replace(
        comparison,
        rows=tuple(
            replace(
                row, cells=tuple(replace(cell, text=f"{cell.text} {_cell_marker(cell)}".strip()) for cell in row.cells)
            )
            for row in comparison.rows
        ),
    )
    grid = marked.grid(f"{paper.title} [{number}]" for number, paper in enumerate(comparison.papers, start=1))
    return pipe_table([[" ".join(text.replace("|", "\\|").split()) for text in row] for row in grid])


def pipe_table(grid: Sequence[Sequence[str]]) -> str:
    """A Markdown table of cells that are Markdown already, the first row its heading."""
    lines = ["| " + " | ".join(row) + " |" for row in grid]
    return "\n".join([lines[0], "|" + " --- |" * len(grid[0]), *lines[1:]])


def _cell_marker(cell: ComparisonCell) -> str:
    return "".join(f"[{citation.number}]" for citation in cell.citations)


def answer_json(answer: Answer) -> dict[str, Any]:
    """The object that `citewell ask --json` prints."""
    comparison = answer.comparison
    return {
        "question": answer.question,
        "answer": answer_markdown(answer),
        "refused": answer.refusal is not None,
        "reason": answer.refusal.reason if answer.refusal else "",
        "writer": answer.writer,
        "sentences": [
            {
                "text": s.text,
                "support": s.support.value,
                "reason": s.reason,
                "group": s.group,
                "citations": [_citation(c) for c in s.citations],
            }
            for s in answer.sentences
        ],
        "sources": [{"n": s.number, **s.paper.facts(), "abstract": s.paper.abstract} for s in answer.sources],
        "comparison": None
        if comparison is None
        else {
            "papers": [paper.title for paper in comparison.papers],
            "rows": [
                {
                    "aspect": row.aspect,
                    "cells": [
                        {
                            "paper_id": c.paper_id,
                            "text": c.text,
                            "citations": [_citation(x) for x in c.citations],
                        }
                        for c in row.cells
                    ],
                }
                for row in comparison.rows
            ],
        },
        "nearest": [{"paper_id": p.id, "title": p.title} for p in (answer.refusal.nearest if answer.refusal else ())],
        "claim": answer.claim,
        "notices": list(answer.notices),
        "supported": dict(zip(("sentences", "of"), answer.supported, strict=True)),
        "raw_text": answer.raw_text,
        "filters": list(answer.filters.labels()),
        "timings": dict(answer.timings),
    }


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "n": citation.number,
        "paper_id": citation.paper_id,
        "quote": citation.quote,
        "start": citation.start,
        "end": citation.end,
    }
