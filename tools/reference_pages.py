"""`python tools/reference_pages.py`: writes docs/settings.md and docs/commands.md out of the code."""

from __future__ import annotations

import re
from pathlib import Path

import click

from citewell.cli import main as cli
from citewell.settings import Settings

ROOT = Path(__file__).resolve().parents[1]


def settings_page() -> str:
    """Every setting with its default and meaning."""
    defaults = dict(re.findall(r"^(CITEWELL_\w+)=(.*)$", (ROOT / ".env.example").read_text(), re.MULTILINE))
    lines = [
        "# Settings\n",
        "Read from the environment and from a file named `.env` in the working directory; an empty value means the default.",
        'From Python each is a keyword of `citewell.open`, in lower case and without the prefix (`llm="openai:gpt-5-mini"`).\n',
        "| setting | default | meaning |\n|---|---|---|",
    ]
    for name, field in Settings.model_fields.items():
        variable = f"CITEWELL_{name.upper()}"
        default = f"`{defaults[variable]}`" if defaults[variable] else ""
        lines.append(f"| `{variable}` | {default} | {field.description} |")
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """Every command with its options."""
    lines = [
        "# Commands\n",
        "Exit code 0 means that all went well (a refusal is a normal answer), 1 that something went wrong and stderr says",
        "what, 2 that the command was not understood.",
    ]
    for path, command in commands(cli, "citewell"):
        context = click.Context(command)
        arguments = [item.make_metavar(context) for item in command.params if isinstance(item, click.Argument)]
        lines += [
            f"\n## {path}\n",
            f"`{' '.join([path, *arguments])}`\n",
            " ".join((command.help or "").split()) + "\n",
        ]
        options = [item for item in command.params if isinstance(item, click.Option)]
        if options:
            lines.append("| option | meaning |\n|---|---|")
        lines += [f"| {_option(item, context)} | {item.help or ''} |" for item in options]
    return "\n".join(lines) + "\n"


def commands(command: click.Command, path: str) -> list[tuple[str, click.Command]]:
    """Every command under one, with how it is called."""
    if isinstance(command, click.Group):
        own = [commands(child, f"{path} {name}") for name, child in command.commands.items()]
        return [item for children in own for item in children]
    return [(path, command)]


def _option(option: click.Option, context: click.Context) -> str:
    names = ", ".join(f"`{name}`" for name in option.opts)
    return names if option.is_flag else f"{names} {option.make_metavar(context)}".replace("|", "\\|")


if __name__ == "__main__":
    (ROOT / "docs/settings.md").write_text(settings_page(), encoding="utf-8")
    (ROOT / "docs/commands.md").write_text(commands_page(), encoding="utf-8")
