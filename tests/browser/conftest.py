"""The real app in a real Chromium, over the seeds and over all of ICML 2025."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from citewell.models.registry import ENCODER
from citewell.settings import load_settings
from citewell.testing import HashEmbeddings
from tests.browser.server import FLAGS, chromium, running_app
from tests.conftest import SEEDS, SHARED

ENCODER_DIMENSION = 384


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    assert path, "install Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def app(seed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    home = tmp_path_factory.mktemp("browser") / "home"
    shutil.copytree(seed_home, home)
    with running_app(home) as running:
        yield running


@pytest.fixture(scope="session")
def icml_app(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app over the seeds and all of ICML 2025: many papers, whose vectors are of their words, not their meaning."""
    from filelock import FileLock

    from citewell.library import Library
    from citewell.library.sync import sync_files
    from citewell.progress import no_progress

    papers = SHARED / "data/icml-2025.jsonl"
    if not papers.exists():
        pytest.skip("evaluation data data/icml-2025.jsonl is not on this machine (set CITEWELL_SHARED)")
    made = run_folder / "icml-home"
    with FileLock(run_folder / "icml-home.lock"):
        if not made.exists():
            library = Library(load_settings(home=made), HashEmbeddings(ENCODER_DIMENSION, ENCODER.name))
            sync_files(library.catalog, [SEEDS, papers], no_progress, dry_run=False)
            library.catalog.set_meta("filled", "yes")
            library.resume(sentences=False)
            library.close()
    home = tmp_path_factory.mktemp("icml") / "home"
    shutil.copytree(made, home)
    with running_app(home) as (url, _):
        yield url
