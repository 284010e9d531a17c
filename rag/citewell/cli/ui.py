"""`citewell ui`: the chat in the browser, on this machine only."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from citewell.cli.common import configured

DEFAULT_PORT = 8501
THEME = {
    "light.primaryColor": "#1f6a70",
    "dark.primaryColor": "#63b8bd",
    "light.linkColor": "#17595f",
    "dark.linkColor": "#7fcbd0",
}


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=DEFAULT_PORT, show_default=True)
def ui(port: int) -> None:
    """Open the chat in the browser."""
    configured()
    spec = find_spec("citewell_ui")
    places = list(spec.submodule_search_locations or []) if spec else []
    app = Path(places[0]) / "app.py" if places else None
    if app is None or not app.is_file():
        raise click.ClickException("The screens are not installed; install citewell again.")
    arguments = [
        sys.executable, "-m", "streamlit", "run", str(app),
        "--server.address=127.0.0.1",
        f"--server.port={port}",
        "--server.fileWatcherType=none",
        "--server.showEmailPrompt=false",
        # Streamlit's collection of garbage after every run of a page holds the next one up for 0.3 s.
        "--runner.postScriptGC=false",
        "--browser.gatherUsageStats=false",
        "--client.toolbarMode=minimal",
        *(f"--theme.{name}={value}" for name, value in THEME.items()),
    ]  # fmt: skip
    if not _has_display():
        arguments.append("--server.headless=true")
    sys.stdout.flush()
    os.execv(sys.executable, arguments)


def _has_display() -> bool:
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


COMMANDS = (ui,)
