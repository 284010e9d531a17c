"""What the commands share: opening the library, progress on stderr, JSON on stdout."""

from __future__ import annotations

import functools
import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from citewell.library import Library
    from citewell.progress import Progress
    from citewell.settings import Settings

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """`--year`, `--venue`, `--author`, `--source` and `--no-filters`, handed on as `filters` and `read_filters`."""

    @functools.wraps(command)
    def filtered(
        *args: Any,
        year: str | None,
        venue: tuple[str, ...],
        author: tuple[str, ...],
        source: tuple[str, ...],
        no_filters: bool,
        **options: Any,
    ) -> None:
        from citewell.filters import Filters
        from citewell.understanding.filters import years

        first, last = years(year) if year else (None, None)
        filters = Filters(year_from=first, year_to=last, venues=venue, authors=author, files=source)
        command(*args, filters=filters, read_filters=not no_filters, **options)

    for option in (
        click.option("--no-filters", is_flag=True, help="Read no filters out of the question."),
        click.option("--source", multiple=True, metavar="FILE", help="Only papers from this file."),
        click.option("--author", multiple=True, metavar="NAME", help="Only papers by this author."),
        click.option("--venue", multiple=True, metavar="NAME", help="Only papers of this venue."),
        click.option("--year", metavar="YEARS", help="Only papers of these years: 2024, 2020-2024, 2024- or -2019."),
    ):
        filtered = option(filtered)
    return filtered


def configured() -> Settings:
    """Settings, with telemetry off and the log set up."""
    from citewell.settings import load_settings, quiet_environment

    settings = load_settings()
    quiet_environment(settings)
    level = settings.log_level.upper()
    logging.basicConfig(stream=sys.stderr, level=level, format="%(levelname)s %(name)s: %(message)s")
    # This library gives its own logger a level at import; one set before wins only if it is set again after.
    logging.getLogger("bm25s").addFilter(lambda record: record.levelno >= logging.getLevelName(level))
    return settings


@contextmanager
def opened_library(settings: Settings | None = None) -> Iterator[Library]:
    """The library, with progress for whatever opening it takes."""
    from citewell.library import Library

    with progress_bar() as progress:
        library = Library.open(settings or configured(), progress=progress)
    try:
        yield library
    finally:
        library.close()


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress callback that draws a bar with rate and time left on stderr."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
        console=console,
        transient=True,
    )
    tasks: dict[str, Any] = {}

    def progress(stage: str, done: int, total: int) -> None:
        if not console.is_terminal:
            if done == total and total:
                console.print(f"{stage}: {total}", highlight=False)
            return
        if not tasks:
            bar.start()
        if stage not in tasks:
            tasks[stage] = bar.add_task(stage, total=total, rate="")
        speed = bar.tasks[tasks[stage]].speed
        bar.update(tasks[stage], completed=done, total=total, rate=f"{speed:.0f}/s" if speed else "")

    try:
        yield progress
    finally:
        bar.stop()


def print_json(value: Any) -> None:
    """One JSON value on stdout."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
