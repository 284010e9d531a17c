"""`citewell ask`, `chat`, `compare` and `summarize`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from citewell.cli.common import configured, filter_options, json_option, opened_library, print_json

if TYPE_CHECKING:
    from citewell.answer import Answer
    from citewell.chat import Conversation, ConversationStore
    from citewell.filters import Filters


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
    from citewell.assistant import Assistant
    from citewell.chat import Conversation, ConversationStore
    from citewell.request import Request

    store = ConversationStore(settings.home) if conversation else None
    talk = _talk(store, conversation) if store is not None else Conversation()
    with opened_library(settings) as library:
        turn = talk.answer(Request(text, filters, read_filters), Assistant(library, settings))
    if store is not None:
        store.save(talk)
    if as_json:
        from citewell.rendering.as_json import answer_json

        print_json(answer_json(turn.answer) | {"question": turn.question, "understood": turn.note})
    else:
        _print(turn.answer, turn.note)


def _talk(store: ConversationStore, name: str | None) -> Conversation:
    """The conversation of that name, or a new one that has it."""
    from citewell.chat import Conversation

    return (store.load(name) if name else None) or Conversation(name=name or "")


@click.command()
@click.option("--conversation", metavar="NAME", help="Go on with this conversation, or begin it.")
def chat(conversation: str | None) -> None:
    """Talk in the terminal; follow-up questions are understood. An empty line or Ctrl-D ends it."""
    settings = configured()
    from citewell.assistant import Assistant
    from citewell.chat import ConversationStore

    store = ConversationStore(settings.home)
    talk = _talk(store, conversation)
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
    from citewell.assistant import Assistant
    from citewell.understanding.aspects import named_aspects
    from citewell.understanding.names import resolve_paper

    with opened_library(settings) as library:
        snapshot = library.snapshot()
        papers = [resolve_paper(name, snapshot) for name in dict.fromkeys(names)]
        _show(Assistant(library, settings).compare(papers, named_aspects(aspects)), as_json=as_json)


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
@json_option
def summarize(names: tuple[str, ...], as_json: bool) -> None:
    """Summarise papers, or a topic ("machine unlearning"), in their own sentences.

    A NAME is a method's name, a title or an id.
    """
    settings = configured()
    from citewell.assistant import Assistant
    from citewell.errors import NoSuchPaper
    from citewell.request import Request
    from citewell.understanding.names import resolve_paper

    with opened_library(settings) as library:
        assistant, snapshot = Assistant(library, settings), library.snapshot()
        try:
            answer = assistant.summarise([resolve_paper(name, snapshot) for name in dict.fromkeys(names)])
        except NoSuchPaper:
            if len(names) > 1 or len(names[0].split()) < 2:
                raise
            # Several words that are no paper's name are a topic.
            answer = assistant.answer(Request.topic_summary(names[0]))
    _show(answer, as_json=as_json)


def _show(answer: Answer, *, as_json: bool) -> None:
    if as_json:
        from citewell.rendering.as_json import answer_json

        print_json(answer_json(answer))
    else:
        _print(answer)


def _print(answer: Answer, note: str = "") -> None:
    from citewell.cli.terminal import print_answer

    print_answer(answer, note)


COMMANDS = (ask, chat, compare, summarize)
