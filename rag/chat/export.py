"""A conversation as Markdown with numbered references, or as BibTeX of just the papers it cites."""

from __future__ import annotations

import csv
import io
import re

from rag.answering.markdown import answer_markdown, comparison_markdown
from rag.chat.context import papers_of
from rag.chat.conversation import Conversation
from rag.library.export import bibtex_text, to_bibtex
from rag.records import Answer, Comparison, Paper


def cited_papers(conversation: Conversation) -> list[Paper]:
    """Every paper cited, by first use."""
    return list({paper.id: paper for turn in conversation.turns for paper in papers_of(turn.answer)}.values())


def as_markdown(conversation: Conversation) -> str:
    """Questions and answers, the citation numbers running through the whole, references at the end."""
    papers = cited_papers(conversation)
    numbers = {paper.id: number for number, paper in enumerate(papers, start=1)}
    lines = [f"# {conversation.name or 'Conversation'}", ""]
    for turn in conversation.turns:
        lines += [f"## {turn.question}", "", _renumbered(turn.answer, numbers), ""]
    if papers:
        lines += ["## References", ""]
        for number, paper in enumerate(papers, start=1):
            lines.append(f"{number}. {reference_line(paper)}")
    return "\n".join(lines).rstrip() + "\n"


def reference_line(paper: Paper) -> str:
    """A paper in a list of references: authors, title, venue, year, address."""
    facts = [", ".join(paper.authors), paper.title, paper.venue, str(paper.year or ""), paper.url]
    return ". ".join(fact for fact in facts if fact)


def as_bib(conversation: Conversation) -> str:
    """BibTeX of the papers that the conversation cites."""
    return to_bibtex(cited_papers(conversation))


def comparison_files(comparison: Comparison) -> dict[str, tuple[str, str]]:
    """The table as CSV, Markdown, LaTeX and its papers as BibTeX: name → (suffix, text)."""
    grid = comparison.grid(paper.title for paper in comparison.papers)
    rows = io.StringIO()
    csv.writer(rows).writerows(grid)
    return {
        "CSV": ("csv", rows.getvalue()),
        "Markdown": ("md", comparison_markdown(comparison) + "\n"),
        "LaTeX": ("tex", _latex(grid)),
        "BibTeX": ("bib", to_bibtex(list(comparison.papers))),
    }


def _latex(grid: list[list[str]]) -> str:
    """A tabular that needs no package; formulas of the abstracts are kept."""
    columns = "p{2cm}" + f"p{{{11 / max(1, len(grid[0]) - 1):.1f}cm}}" * (len(grid[0]) - 1)
    lines = [" & ".join(bibtex_text(cell) for cell in row) + r" \\" for row in grid]
    body = "\n".join([lines[0], r"\hline", *lines[1:]])
    return f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}\n"


def _renumbered(answer: Answer, numbers: dict[str, int]) -> str:
    own = {number: numbers[paper.id] for number, paper in enumerate(papers_of(answer), start=1)}
    own |= {source.number: numbers[source.paper.id] for source in answer.sources if source.paper.id in numbers}
    return re.sub(
        r"\[(\d+)\](?!\()", lambda match: f"[{own.get(int(match[1]), int(match[1]))}]", answer_markdown(answer)
    )
