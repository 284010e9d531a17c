"""`citewell ingest`, `papers` and `doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citewell.cli.common import configured, json_option, opened_library, print_json, progress_bar
from citewell.errors import CitewellError
from citewell.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citewell.library.report import IngestReport
    from citewell.paper import Paper


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Tell what would happen and change nothing.")
@click.option("--remove-missing", is_flag=True, help="Delete the papers that no file holds any more.")
@json_option
def ingest(paths: tuple[Path, ...], dry_run: bool, remove_missing: bool, as_json: bool) -> None:
    """Read bibliography files, folders and zip archives into the library."""
    settings = configured()
    from citewell.library import Library

    library = Library(settings)
    try:
        with progress_bar() as progress:
            report = library.ingest(list(paths), progress, dry_run=dry_run, remove_missing=remove_missing)
    finally:
        library.close()
    if as_json:
        print_json(report.to_dict())
    else:
        _print_report(report)
    if dry_run:
        click.echo("This was a dry run: nothing was changed.", err=True)
    elif report.missing and remove_missing:
        click.echo(f"{counted(len(report.missing), 'paper')} that no file holds any more: deleted.", err=True)
    elif report.missing:
        missing = counted(len(report.missing), "paper")
        click.echo(f"{missing} that no file holds any more: --remove-missing deletes them.", err=True)


def _print_report(report: IngestReport) -> None:
    from rich.console import Console
    from rich.table import Table

    from citewell.library.report import COUNTS

    console = Console(highlight=False, markup=False)
    table = Table("file", *(name.replace("_", " ") for name in COUNTS), "failed", box=None, header_style="bold")
    totals = report.totals
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
        found = library.snapshot().matching(" ".join(query))
    if as_json:
        print_json([{**paper.facts(), "sources": list(paper.files)} for paper in found])
        return
    for paper in found:
        click.echo(f"{paper.id}  {paper.title}" + (f" ({paper.short_reference()})" if paper.short_reference() else ""))
    click.echo(counted(len(found), "paper"), err=True)


@click.command()
@click.option("--repair", is_flag=True, help="Index what is missing and drop what belongs to no paper.")
@click.option("--rebuild", is_flag=True, help="Make vectors and word index anew, encoding only what must be.")
@json_option
@click.pass_context
def doctor(ctx: click.Context, repair: bool, rebuild: bool, as_json: bool) -> None:
    """Check the library with a real query; exit code 1 when something is wrong."""
    settings = configured()
    from citewell.library import doctor as clinic

    with opened_library(settings) as library:
        with progress_bar() as progress:
            if rebuild:
                library.rebuild(progress)
            elif repair:
                clinic.repair(library)
                library.resume(progress)
        health = clinic.examine(library)
    if as_json:
        print_json(health.to_dict())
    else:
        held = f"{counted(health.papers, 'paper')}, {counted(health.passages, 'passage')}"
        click.echo(f"{held}, vectors by {health.embedding_model}")
        for problem in health.problems:
            click.echo(f"- {problem}")
        click.echo("All is well." if health.ok else "Something is wrong; see above.")
    if not health.ok:
        ctx.exit(1)


@click.command()
@json_option
def sources(as_json: bool) -> None:
    """List the files that the library was read from, with how many papers each holds."""
    with opened_library() as library:
        found = library.catalog.files()
    if as_json:
        print_json([{"path": path, "papers": count, "exists": _exists(path)} for path, count in found])
        return
    for path, count in found:
        click.echo(f"{count:6}  {path}" + ("" if _exists(path) else "  (gone)"))


def _exists(path: str) -> bool:
    """Whether the file, or the archive it lies in, is still there."""
    return any(part.is_file() for part in (Path(path), *Path(path).parents))


@click.command()
@click.argument("papers", nargs=-1, metavar="[PAPER]…")
@click.option("--source", help="Remove the papers that only this file holds.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove(papers: tuple[str, ...], source: str | None, yes: bool) -> None:
    """Delete papers, named by id, title or method, from the library."""
    if not papers and not source:
        raise click.UsageError("Name papers by id or title, or give --source.")
    from citewell.understanding.names import resolve_paper

    with opened_library() as library:
        snapshot = library.snapshot()
        chosen = [resolve_paper(name, snapshot) for name in papers]
        ids = {paper.id for paper in chosen}.union(library.catalog.papers_only_from(source) if source else ())
        if source and not library.catalog.is_file(source):
            problem = f"No paper was read from a file called “{source}”."
            raise CitewellError(problem, "List the files with: citewell sources")
        if not yes:
            click.confirm(f"Remove {len(ids):,} of {counted(len(library), 'paper')}?", abort=True, err=True)
        gone = library.remove([paper.id for paper in chosen], file=source or "")
    click.echo(f"{counted(gone, 'paper')} removed.")


@click.command()
@click.argument("conversation", required=False)
@click.option(
    "--format", "kind", type=click.Choice(["bib", "md", "ris", "csv", "json"]), default="bib", show_default=True
)
@click.option(
    "--style",
    metavar="STYLE",
    help="A list of references instead: apa, ieee, vancouver, a style of the CSL repository by name, or a .csl file.",
)
@click.option("--query", default="", help="Only the papers that answer this question or hold these words.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Most papers for a query.")
@click.option("--output", type=click.Path(path_type=Path), help="A file to write instead of stdout.")
def export(conversation: str | None, kind: str, style: str | None, query: str, limit: int, output: Path | None) -> None:
    """Write papers as BibTeX, RIS, CSV or JSON, or as a list of references: all of them, or what a query finds.

    With the name or id of a CONVERSATION: the conversation as Markdown, or the papers that it cites as BibTeX or as
    references.
    """
    if conversation is not None:
        _written(_conversation_text(conversation, kind, style), "The conversation is", output)
        return
    if kind == "md" and style is None:
        raise click.UsageError("Markdown is for a conversation: citewell export CONVERSATION --format md")
    from citewell.exports.papers import export_papers

    with opened_library() as library:
        if query:
            from citewell.retrieval import HybridSearch
            from citewell.understanding import understand

            snapshot = library.snapshot()
            hits = HybridSearch(snapshot).search(understand(query, snapshot), limit).hits
            chosen = [hit.paper for hit in hits]
        else:
            chosen = list(library.papers())
    text = _references(chosen, style) if style is not None else export_papers(chosen, kind)
    _written(text, f"{len(chosen)} papers are", output)


def _references(papers: Sequence[Paper], style: str) -> str:
    from citewell.exports.styles import references

    return "".join(f"{line}\n" for line in references(papers, style))


def _conversation_text(name: str, kind: str, style: str | None) -> str:
    from citewell.chat import ConversationStore
    from citewell.chat.export import as_bib, as_markdown, cited_papers
    from citewell.errors import CitewellError

    if style is None and kind not in ("md", "bib"):
        raise click.UsageError("A conversation is exported as md or bib.")
    store = ConversationStore(configured().home)
    found = store.load(name)
    if found is None:
        names = "; ".join(entry.name for entry in store.list()[:5])
        raise CitewellError(
            f"No conversation is called “{name}”.", f"There are: {names}" if names else "There is none yet."
        )
    if style is not None:
        return _references(cited_papers(found), style)
    return as_markdown(found) if kind == "md" else as_bib(found)


def _written(text: str, what: str, output: Path | None) -> None:
    if output:
        output.write_text(text, encoding="utf-8")
        click.echo(f"{what} written to {output}.", err=True)
    else:
        click.echo(text, nl=False)


COMMANDS = (ingest, papers, doctor, sources, remove, export)
