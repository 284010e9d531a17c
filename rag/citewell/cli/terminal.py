"""An answer on the terminal: its blocks, its sources, what should be known beside it."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from citewell.answer import Answer
from citewell.comparison import Comparison
from citewell.paper import Paper
from citewell.rendering.blocks import Block, Heading, Message, PaperList, Paragraph, Table, blocks_of
from citewell.rendering.markdown import markers, verdict
from citewell.sentence import Support


def print_answer(answer: Answer, note: str = "") -> None:
    """The answer on stdout, exactly as the abstracts have it; notices on stderr."""
    console = Console(highlight=False, markup=False)
    if note:
        console.print(f"({note})", style="dim")
    if answer.filters:
        console.print(f"Only {', '.join(answer.filters.labels())}", style="dim")
    for place, block in enumerate(blocks_of(answer)):
        if place and not isinstance(block, Table):
            console.print()
        _print_block(console, block, answer)
    _print_unsupported(console, answer)
    if answer.sources:
        console.print()
    for source in answer.sources:
        _print_source(console, source.number, source.paper)
    for notice in answer.notices:
        Console(stderr=True, highlight=False, markup=False).print(f"Note: {notice.text}", style="yellow")


def _print_block(console: Console, block: Block, answer: Answer) -> None:
    if isinstance(block, Heading):
        console.print(block.text, style="bold underline")
    elif isinstance(block, Message):
        console.print(block.text)
    elif isinstance(block, PaperList):
        for paper in block.papers:
            console.print(Text("- ").append_text(_lead(paper)))
    elif isinstance(block, Table):
        console.print(_table(block.comparison))
    else:
        console.print(_paragraph(block, answer))


def _paragraph(block: Paragraph, answer: Answer) -> Text:
    text = Text()
    if block.paper is not None:
        text.append_text(_lead(block.paper)).append(": ")
    for place, sentence in enumerate(block.sentences):
        said = f"{sentence.text} {markers(sentence.citations, {})}".strip()
        text.append(f"{' ' if place else ''}{said}{verdict(sentence) if answer.claim else ''}")
    return text


def _lead(paper: Paper) -> Text:
    """A paper's title in bold, authors and year behind it."""
    reference = paper.short_reference()
    return Text.assemble((paper.title, "bold"), f" ({reference})" if reference else "")


def _print_source(console: Console, number: int, paper: Paper) -> None:
    console.print(Text.assemble((f"[{number}] ", "bold"), paper.title))
    facts = [", ".join(paper.authors), paper.venue, str(paper.year or ""), paper.url]
    if any(facts):
        console.print(Padding(Text(" · ".join(fact for fact in facts if fact), style="dim"), (0, 0, 0, 4)))


def _print_unsupported(console: Console, answer: Answer) -> None:
    """How much of a model's answer is supported, and why not the rest."""
    if answer.refusal is not None or answer.is_extractive:
        return
    supported, stating = answer.supported
    console.print(f"\n{supported} of {stating} sentences supported", style="bold")
    for sentence in answer.sentences:
        if sentence.support is not Support.SUPPORTED:
            reason = f" ({sentence.reason})" if sentence.reason else ""
            console.print(f"- {sentence.support}: {sentence.text}{reason}")


def _table(comparison: Comparison) -> RichTable:
    """The comparison as a table of the terminal."""
    rows = comparison.grid(f"{paper.title} [{number}]" for number, paper in enumerate(comparison.papers, start=1))
    table = RichTable(show_lines=True)
    for heading in rows[0]:
        table.add_column(heading, overflow="fold")
    for row in rows[1:]:
        table.add_row(*row)
    return table
