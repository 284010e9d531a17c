"""A conversation as Markdown with numbered references, or as BibTeX of just the papers it cites."""

from __future__ import annotations

from citewell.chat.conversation import Conversation
from citewell.exports.papers import to_bibtex
from citewell.paper import Paper
from citewell.rendering.markdown import answer_markdown
from citewell.understanding.context import papers_of


def cited_papers(conversation: Conversation) -> list[Paper]:
    """Every paper cited, by first use."""
    return list({paper.id: paper for turn in conversation.turns for paper in papers_of(turn.answer)}.values())


def as_markdown(conversation: Conversation) -> str:
    """Questions and answers, the citation numbers running through the whole, references at the end."""
    papers = cited_papers(conversation)
    numbers = {paper.id: number for number, paper in enumerate(papers, start=1)}
    lines = [f"# {conversation.name or 'Conversation'}", ""]
    for turn in conversation.turns:
        lines += [f"## {turn.question}", "", answer_markdown(turn.answer, numbers), ""]
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
