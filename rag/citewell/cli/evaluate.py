"""`citewell eval answers`, `eval retrieval` and `eval library`."""

from __future__ import annotations

from pathlib import Path

import click

from citewell.cli.common import configured, json_option, opened_library, print_json, progress_bar


@click.group(name="eval")
def evaluate() -> None:
    """Measure retrieval and answers on question sets."""


@evaluate.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@json_option
def answers(file: Path, as_json: bool) -> None:
    """Ask every question of FILE (one dialogue a line) and check what must hold of each answer."""
    settings = configured()
    from citewell.assistant import Assistant
    from citewell.evaluation.answers import read_dialogues, score_answers

    dialogues = read_dialogues(file)
    with opened_library(settings) as library, progress_bar() as progress:
        scores = score_answers(
            Assistant(library, settings), dialogues, lambda done, all_: progress("Asking", done, all_)
        )
    if as_json:
        print_json(scores.to_dict())
        return
    for kind, counts in scores.kinds.items():
        click.echo(f"{kind:12} {counts['passed']:4} of {counts['turns']}")
    for failure in scores.failures:
        click.echo(f"{failure['id']}, turn {failure['turn']}: {failure['question']}\n    {failure['reason']}")
    click.echo("Every quote is verbatim." if scores.quotes_verbatim else "Some quotes are NOT verbatim.")


@evaluate.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@json_option
def retrieval(folder: Path, as_json: bool) -> None:
    """Measure search on FOLDER (BEIR layout): meaning alone, words alone, both."""
    settings = configured()
    from citewell.evaluation.retrieval import evaluation_library, read_beir, score_retrieval

    data = read_beir(folder)
    with progress_bar() as progress:
        library = evaluation_library(data, settings, progress)
        try:
            scores = score_retrieval(data, library, progress)
        finally:
            library.close()
    if as_json:
        print_json(scores)
        return
    for leg, values in scores.items():
        click.echo(f"{leg:8}" + "".join(f"  {name} {value:<8}" for name, value in values.items()))


@evaluate.command("library")
@click.option("--all", "everything", is_flag=True, help="Ask for every paper instead of a sample of 300 a kind.")
@json_option
def known(everything: bool, as_json: bool) -> None:
    """Measure whether search finds your own papers again, by name, by title words, by a sentence."""
    settings = configured()
    from citewell.evaluation.known_items import QUESTIONS_A_KIND, known_items, score_library

    with opened_library(settings) as library, progress_bar() as progress:
        items = known_items(library.papers(), None if everything else QUESTIONS_A_KIND)
        scores = score_library(library, items, progress)
    if as_json:
        print_json(scores)
        return
    if not scores:
        click.echo("The library is empty.")
    for kind, own in scores.items():
        click.echo(
            f"by {kind:9} {int(own['questions']):5} questions   right paper first {own['recall@1']:.1%}   "
            f"among five {own['recall@5']:.1%}"
        )


COMMANDS = (evaluate,)
