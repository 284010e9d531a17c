"""An answer as the JSON object of `citewell ask --json`."""

from __future__ import annotations

from typing import Any

from citewell.answer import Answer
from citewell.citation import Citation
from citewell.comparison import Comparison
from citewell.rendering.markdown import answer_markdown


def answer_json(answer: Answer) -> dict[str, Any]:
    """The object that `citewell ask --json` prints."""
    return {
        "question": answer.question,
        "answer": answer_markdown(answer),
        "refused": answer.refusal is not None,
        "reason": answer.refusal.reason if answer.refusal else "",
        "writer": answer.writer,
        "sentences": [
            {
                "text": sentence.text,
                "support": sentence.support.value,
                "reason": sentence.reason,
                "group": sentence.group,
                "citations": [_citation(citation) for citation in sentence.citations],
            }
            for sentence in answer.sentences
        ],
        "sources": [
            {"n": source.number, **source.paper.facts(), "abstract": source.paper.abstract} for source in answer.sources
        ],
        "comparison": comparison_json(answer.comparison) if answer.comparison is not None else None,
        "nearest": [
            {"paper_id": paper.id, "title": paper.title} for paper in (answer.refusal.nearest if answer.refusal else ())
        ],
        "refusal": answer.refusal.kind.value if answer.refusal else None,
        "claim": answer.claim,
        "notices": [notice.text for notice in answer.notices],
        "supported": dict(zip(("sentences", "of"), answer.supported, strict=True)),
        "raw_text": answer.raw_text,
        "filters": list(answer.filters.labels()),
        "timings": dict(answer.timings),
    }


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """The table: `papers` are titles, one a column; each row has an aspect and a cell for each paper."""
    return {
        "papers": [paper.title for paper in comparison.papers],
        "rows": [
            {
                "aspect": row.aspect,
                "cells": [
                    {
                        "paper_id": cell.paper_id,
                        "text": cell.text,
                        "citations": [_citation(citation) for citation in cell.citations],
                    }
                    for cell in row.cells
                ],
            }
            for row in comparison.rows
        ],
    }


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "n": citation.number,
        "paper_id": citation.paper_id,
        "quote": citation.quote,
        "start": citation.start,
        "end": citation.end,
    }
