"""`citewell ask`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from rag.cli.common import configured, filter_options, json_option, opened_library, print_json

if TYPE_CHECKING:
    from rich.text import Text

    from rag.records import Answer, Filters

# A paper's title as `rag.answering.markdown.lead` sets it: in bold at the start of a paragraph or list item.
_TITLE = re.compile(r"(?:^|(?<=\n)|(?<=- ))\*\*(.+?)\*\*(?= \(|:|\n|$)")


@click.command()
@click.argument("question", nargs=-1, required=True)
@filter_options
@json_option
def ask(question: tuple[str, ...], as_json: bool, filters: Filters, read_filters: bool) -> None:
    """Answer QUESTION from the library, every sentence cited.

    Years, venues, authors and files named in the question ("papers since 2024 by Hazan") filter what is searched.
    """
    text = " ".join(question).strip()
    if not text:
        raise click.UsageError("The question is empty.")
    settings = configured()
    from rag.answering import Assistant
    from rag.answering.markdown import answer_json

    with opened_library(settings) as library:
        answer = Assistant(library, settings).answer(text, filters, read_filters=read_filters)
    if as_json:
        print_json(answer_json(answer))
    else:
        _print(answer)


def _print(answer: Answer) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    from rag.answering.markdown import answer_markdown

    console = Console(highlight=False, markup=False)
    if answer.filters:
        console.print(f"Only {', '.join(answer.filters.labels())}", style="dim")
    console.print(_styled(answer_markdown(answer)))
    if answer.sources:
        console.print()
    for source in answer.sources:
        paper = source.paper
        line = Text.assemble((f"[{source.number}] ", "bold"), paper.title)
        facts = " · ".join(
            part for part in (", ".join(paper.authors), paper.venue, str(paper.year or ""), paper.url) if part
        )
        console.print(line)
        if facts:
            console.print(Padding(Text(facts, style="dim"), (0, 0, 0, 4)))
    for notice in answer.notices:
        Console(stderr=True, highlight=False, markup=False).print(f"Note: {notice}", style="yellow")


def _styled(markdown: str) -> Text:
    """The answer with paper titles in bold; everything else exactly as it stands in the abstracts."""
    from rich.text import Text

    text = Text()
    position = 0
    for match in _TITLE.finditer(markdown):
        text.append(markdown[position : match.start()])
        text.append(match.group(1), style="bold")
        position = match.end()
    return text.append(markdown[position:])


COMMANDS = (ask,)
