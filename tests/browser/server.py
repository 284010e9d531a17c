"""The real app on loopback, and a real Chromium to look at it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """The Chromium of this machine."""
    return next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_up(address: str) -> None:
    """Wait up to half a minute for a server to answer."""
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=1)
            return
        except OSError:
            time.sleep(0.1)


@contextmanager
def running_app(home: Path, **environment: str) -> Iterator[tuple[str, Path]]:
    """The address of `citewell ui` over the library in `home`, and its log."""
    port = free_port()
    log = home.parent / f"ui-{port}.log"
    command = [str(Path(sys.executable).with_name("citewell")), "ui", "--port", str(port)]
    with log.open("w") as out:
        app = subprocess.Popen(
            command, env={**os.environ, "CITEWELL_HOME": str(home), **environment}, stdout=out, stderr=subprocess.STDOUT
        )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_up(f"{url}/_stcore/health")
        yield url, log
    finally:
        app.terminate()
        app.wait(timeout=20)
