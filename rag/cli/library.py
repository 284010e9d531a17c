"""`citewell ingest`, `papers` and `doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rag.cli.common import configured, json_option, opened_library, print_json, progress_bar

if TYPE_CHECKING:
    from rag.library.report import IngestReport
    from rag.records import Paper


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=click.Path(path_type=Path))
@json_option
def ingest(paths: tuple[Path, ...], as_json: bool) -> None:
    """Read bibliography files and folders into the library."""
    settings = configured()
    from rag.library import Library

    library = Library(settings)
    try:
        with progress_bar() as progress:
            report = library.ingest(list(paths), progress)
    finally:
        library.close()
    if as_json:
        print_json(report.as_dict())
    else:
        _print_report(report)


def _print_report(report: IngestReport) -> None:
    from rich.console import Console
    from rich.table import Table

    from rag.library.report import COUNTS

    console = Console(highlight=False, markup=False)
    table = Table("file", *(name.replace("_", " ") for name in COUNTS), "failed", box=None, header_style="bold")
    totals = report.as_dict()["totals"]
    for file in report.files:
        counts = [str(getattr(file, name)) for name in COUNTS]
        table.add_row(Path(file.path).name, *counts, str(len(file.failed)))
    if len(report.files) > 1:
        table.add_row("all", *(str(totals[name]) for name in COUNTS), str(totals["failed"]), style="bold")
    console.print(table)
    for file in report.files:
        for failure in file.failed:
            console.print(f"{Path(file.path).name}, record {failure.record}, line {failure.line}: {failure.reason}")


@click.command()
@click.argument("query", nargs=-1)
@json_option
def papers(query: tuple[str, ...], as_json: bool) -> None:
    """List the papers, or those that hold every word of QUERY in title, authors, venue, year or abstract."""
    with opened_library() as library:
        found = list(library.papers_matching(" ".join(query)))
    if as_json:
        print_json([_paper_json(paper) for paper in found])
        return
    for paper in found:
        click.echo(f"{paper.id}  {paper.title}" + (f" ({paper.short_reference()})" if paper.short_reference() else ""))
    click.echo(f"{len(found)} papers", err=True)


def _paper_json(paper: Paper) -> dict[str, Any]:
    return {
        "paper_id": paper.id,
        "title": paper.title,
        "authors": list(paper.authors),
        "year": paper.year,
        "venue": paper.venue,
        "url": paper.url,
        "doi": paper.doi,
        "sources": list(paper.sources),
    }


@click.command()
@click.option("--repair", is_flag=True, help="Index what is missing and drop what belongs to no paper.")
@click.option("--rebuild", is_flag=True, help="Make vectors and word index anew, encoding only what must be.")
@json_option
@click.pass_context
def doctor(ctx: click.Context, repair: bool, rebuild: bool, as_json: bool) -> None:
    """Check the library with a real query; exit code 1 when something is wrong."""
    settings = configured()
    from rag.library import doctor as clinic

    with opened_library(settings) as library:
        with progress_bar() as progress:
            if rebuild:
                library.rebuild(progress)
            elif repair:
                clinic.repair(library)
                library.resume(progress)
        health = clinic.examine(library)
    if as_json:
        print_json(health.as_dict())
    else:
        click.echo(f"{health.papers} papers, {health.passages} passages, vectors by {health.embedding_model}")
        for problem in health.problems:
            click.echo(f"- {problem}")
        click.echo("All is well." if health.ok else "Something is wrong; see above.")
    if not health.ok:
        ctx.exit(1)


COMMANDS = (ingest, papers, doctor)
