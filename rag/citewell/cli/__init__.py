"""The command line. Heavy modules are imported by the commands that need them, so that help is instant."""

from __future__ import annotations

from typing import Any

import click

from citewell import __version__
from citewell.errors import CitewellError


class _Group(click.Group):
    """Turns errors meant for the user into one message and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CitewellError as error:
            click.echo(f"citewell: {error}", err=True)
            ctx.exit(1)
        except KeyboardInterrupt:
            click.echo("citewell: stopped; what was finished is kept, and the next run goes on from there.", err=True)
            ctx.exit(130)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="citewell")
def main() -> None:
    """Ask a library of paper abstracts; every sentence of the answer shows the words that back it.

    Everything lives in CITEWELL_HOME. An empty library starts with the shipped ICML 2025 abstracts.
    """


def _register() -> None:
    from citewell.cli import ask, evaluate, library, models
    from citewell.cli import ui as serve

    for module in (ask, library, evaluate, models, serve):
        for command in module.COMMANDS:
            main.add_command(command)


_register()
