"""`citewell ask`, `chat`, `compare` and `summarize`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from rag.cli.common import configured, filter_options, json_option, opened_library, print_json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from rag.records import Answer, Comparison, Filters

# A paper's title as `rag.answering.markdown.lead` sets it: in bold at the start of a paragraph or list item.
_TITLE = re.compile(r"(?:^|(?<=\n)|(?<=- ))\*\*(.+?)\*\*(?= \(|:|\n|$)")


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--conversation", metavar="NAME", help="Go on with this conversation, or begin it.")
@filter_options
@json_option
def ask(
    question: tuple[str, ...], conversation: str | None, as_json: bool, filters: Filters, read_filters: bool
) -> None:
    """Answer QUESTION from the library, every sentence cited.

    Years, venues, authors and files named in the question ("papers since 2024 by Hazan") filter what is searched.
    """
    text = " ".join(question).strip()
    if not text:
        raise click.UsageError("The question is empty.")
    settings = configured()
    from rag.answering import Assistant
    from rag.answering.markdown import answer_json
    from rag.chat import Conversation, ConversationStore

    store = ConversationStore(settings.home) if conversation else None
    talk = (store.load(conversation) if store and conversation else None) or Conversation(name=conversation or "")
    with opened_library(settings) as library:
        turn = talk.answer(text, Assistant(library, settings), filters, read_filters=read_filters)
    if store is not None:
        store.save(talk)
    if as_json:
        print_json(answer_json(turn.answer) | {"question": turn.question, "understood": turn.note})
    else:
        _print(turn.answer, turn.note)


@click.command()
@click.option("--conversation", metavar="NAME", help="Go on with this conversation, or begin it.")
def chat(conversation: str | None) -> None:
    """Talk in the terminal; follow-up questions are understood. An empty line or Ctrl-D ends it."""
    settings = configured()
    from rag.answering import Assistant
    from rag.chat import Conversation, ConversationStore

    store = ConversationStore(settings.home)
    talk = (store.load(conversation) if conversation else None) or Conversation(name=conversation or "")
    with opened_library(settings) as library:
        assistant = Assistant(library, settings)
        click.echo(f"{len(library)} papers. Ask a question; an empty line ends the chat.", err=True)
        while True:
            try:
                text = click.prompt("", prompt_suffix="> ", default="", show_default=False, err=True).strip()
            except click.Abort:
                break
            if not text:
                break
            turn = talk.answer(text, assistant)
            store.save(talk)
            _print(turn.answer, turn.note)
            click.echo()
    if talk.turns:
        click.echo(f"Kept as “{talk.name}”; go on with: citewell chat --conversation {talk.id}", err=True)


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME NAME…")
@click.option("--on", "aspects", multiple=True, metavar="ASPECT", help="Only this aspect: results, data, cost, …")
@json_option
def compare(names: tuple[str, ...], aspects: tuple[str, ...], as_json: bool) -> None:
    """Compare two to six papers in a table of their own words; a NAME is a method's name, a title or an id."""
    if not 2 <= len(set(names)) <= 6:
        raise click.UsageError("Name two to six papers.")
    settings = configured()
    from rag.answering import Assistant
    from rag.answering.aspects import asked_aspects
    from rag.answering.markdown import answer_json
    from rag.retrieval.query import paper_called

    with opened_library(settings) as library:
        papers = [paper_called(name, library) for name in dict.fromkeys(names)]
        wanted = [found for aspect in aspects for found in (asked_aspects(aspect) or [aspect])]
        answer = Assistant(library, settings).compare(papers, wanted)
    if as_json:
        print_json(answer_json(answer))
    else:
        _print(answer)


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
@json_option
def summarize(names: tuple[str, ...], as_json: bool) -> None:
    """Summarise papers, or a topic ("machine unlearning"), in their own sentences.

    A NAME is a method's name, a title or an id.
    """
    settings = configured()
    from rag.answering import Assistant
    from rag.answering.markdown import answer_json
    from rag.errors import NoSuchPaper
    from rag.retrieval.query import paper_called

    with opened_library(settings) as library:
        assistant = Assistant(library, settings)
        try:
            answer = assistant.summarise([paper_called(name, library) for name in dict.fromkeys(names)])
        except NoSuchPaper:
            if len(names) > 1 or len(names[0].split()) < 2:
                raise
            # Several words that are no paper's name are a topic.
            answer = assistant.answer(f"Summarise the papers on {names[0]}")
    if as_json:
        print_json(answer_json(answer))
    else:
        _print(answer)


def _print(answer: Answer, note: str = "") -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    from rag.answering.markdown import answer_markdown, markers

    console = Console(highlight=False, markup=False)
    if note:
        console.print(f"({note})", style="dim")
    if answer.filters:
        console.print(f"Only {', '.join(answer.filters.labels())}", style="dim")
    if answer.comparison is not None:
        console.print(_table(answer.comparison))
        console.print(" ".join(f"{sentence.text} {markers(sentence)}" for sentence in answer.sentences))
    else:
        console.print(_styled(answer_markdown(answer)))
        _print_unsupported(console, answer)
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


def _print_unsupported(console: Console, answer: Answer) -> None:
    """How much of a model's answer is supported, and why not the rest."""
    if answer.refusal is not None or answer.writer == "extractive":
        return
    supported, stating = answer.supported
    console.print(f"\n{supported} of {stating} sentences supported", style="bold")
    for sentence in answer.sentences:
        if sentence.support != "supported":
            console.print(
                f"- {sentence.support}: {sentence.text}" + (f" ({sentence.reason})" if sentence.reason else "")
            )


def _table(comparison: Comparison) -> Table:
    """The comparison as a table of the terminal."""
    from rich.table import Table

    headings = [f"{paper.title} [{number}]" for number, paper in enumerate(comparison.papers, start=1)]
    rows = comparison.grid(headings)
    table = Table(show_lines=True)
    for heading in rows[0]:
        table.add_column(heading, overflow="fold")
    for row in rows[1:]:
        table.add_row(*row)
    return table


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


COMMANDS = (ask, chat, compare, summarize)
