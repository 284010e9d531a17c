"""`citewell models`."""

from __future__ import annotations

import click

from citewell.cli.common import json_option, print_json


@click.command()
@json_option
def models(as_json: bool) -> None:
    """List the models that come with Citewell: licence, size, what each was fitted on, how well it does."""
    from citewell.models.registry import MODELS

    if as_json:
        print_json([model.to_dict() for model in MODELS])
        return
    for model in MODELS:
        click.secho(model.name, bold=True)
        for line in (
            f"for {model.purpose}",
            f"{model.kind}; {model.licence}; {_bytes(model.size)}, sha256 {model.sha256[:12]}…",
            f"fitted on {model.fitted_on}",
            model.figure,
        ):
            click.echo(f"  {line}")


def _bytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size:,} bytes"


COMMANDS = (models,)
