"""Every test has a home folder of its own; the embedding model and the seed library are made once a session."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from citewell.settings import Settings, load_settings, quiet_environment

quiet_environment()

SHARED = Path(os.environ.get("CITEWELL_SHARED", Path(__file__).resolve().parents[2] / "shared"))
SEEDS = Path(__file__).resolve().parents[1] / "seeds"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh CITEWELL_HOME, and no setting left over from the machine."""
    for name in list(os.environ):
        if name.startswith("CITEWELL_") and name != "CITEWELL_SHARED":
            monkeypatch.delenv(name)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "home"
    monkeypatch.setenv("CITEWELL_HOME", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def settings(home: Path) -> Settings:
    return load_settings()


@pytest.fixture(scope="session")
def bundled_embeddings():
    """The bundled model, loaded once."""
    from citewell.library.embeddings import ModelEmbeddings

    return ModelEmbeddings()


@pytest.fixture(scope="session")
def embeddings(bundled_embeddings):
    return bundled_embeddings


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def seed_home(run_folder: Path, embeddings) -> Path:
    """A home with the seeds indexed, made once a run; to be copied, never to be used."""
    from filelock import FileLock

    from citewell.library import Library

    folder = run_folder / "seed-home"
    with FileLock(run_folder / "seed-home.lock"):
        if not folder.exists():
            library = Library.open(load_settings(home=run_folder / "seed-home-new"), embeddings)
            assert len(library) == 29
            library.close()
            (run_folder / "seed-home-new").rename(folder)
    return folder


@pytest.fixture
def seeded_home(seed_home: Path, home: Path) -> Path:
    """This test's home, with the seeds indexed."""
    shutil.copytree(seed_home, home)
    return home


@pytest.fixture
def library(seeded_home: Path, settings: Settings, embeddings) -> Iterator:
    """The seed library of this test."""
    from citewell.library import Library

    opened = Library.open(settings, embeddings)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def llm_address() -> Iterator[str]:
    """The address of a small language model behind a real HTTP server."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.llm_server"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.kill()


@pytest.fixture
def assistant(library):
    from citewell.assistant import Assistant

    return Assistant(library)


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """Paths of the evaluation data; the test is skipped, saying so, where they are absent."""

    def path(name: str) -> Path:
        found = SHARED / name
        if not found.exists():
            pytest.skip(f"evaluation data {name} is not on this machine (set CITEWELL_SHARED)")
        return found

    return path


@pytest.fixture(scope="session")
def seed_titles() -> dict[str, str]:
    """How a seed's abstract starts, and its title."""
    import csv

    with (SEEDS / "titles.csv").open(encoding="utf-8", newline="") as file:
        return {row["abstract_starts_with"]: row["title"] for row in csv.DictReader(file)}
