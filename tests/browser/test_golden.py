"""Formulas, names and odd characters of real papers, right on the page: the seeds, and 200 ICML abstracts with `$` or `\\`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from citewell.text.formulas import Span, split_formulas
from citewell.text.tex import readable
from citewell_ui.markup import is_whole
from tests.browser.server import free_port, wait_until_up

pytestmark = pytest.mark.browser
COUNT = 200
# What the page shows, formulas left out, and how many formulas it has and how many of them KaTeX could not read.
READ = """(kind) => Array.from({length: COUNT}, (_, i) => {
  const box = document.querySelector(`.st-key-${kind}-${i}`).cloneNode(true);
  const formulas = box.querySelectorAll(".katex").length, broken = box.querySelectorAll(".katex-error").length;
  box.querySelectorAll(".katex").forEach((each) => each.replaceWith("\\u241f"));
  const cell = kind === "cell" ? box.querySelectorAll("td")[1] : box;
  return [cell.textContent, formulas, broken, box.querySelectorAll("td").length];
})"""


@contextmanager
def drawn(pairs: list[tuple[str, str]], folder: Path) -> Iterator[str]:
    data = folder / "golden.json"
    data.write_text(json.dumps(pairs))
    port = free_port()
    script = Path(__file__).with_name("golden_app.py")
    command = [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}", "--server.headless=true",
               "--server.address=127.0.0.1", "--browser.gatherUsageStats=false", "--server.fileWatcherType=none"]  # fmt: skip
    root = Path(__file__).resolve().parents[2]
    app = subprocess.Popen(
        command, env={**os.environ, "GOLDEN": str(data), "PYTHONPATH": str(root)}, stdout=subprocess.DEVNULL
    )
    try:
        wait_until_up(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        app.terminate()
        app.wait(timeout=20)


def squeezed(text: str) -> str:
    """Text without blanks and joiners, which layout may add or take."""
    return re.sub(r"[\s\u2060\u00a0]+", "", text)


def shown_as(span: Span) -> str:
    """A mark for a formula that can be rendered, else the text as it is written, its TeX read."""
    if not span.is_formula:
        return readable(span.body)
    return "\u241f" if is_whole(span.body) else f"${span.body}$"


def compare(browser: Browser, pairs: list[tuple[str, str]], folder: Path) -> None:
    with drawn(pairs, folder) as url:
        page = browser.new_page()
        page.goto(url)
        expect(page.locator("#golden-end")).to_be_visible(timeout=120_000)
        page.wait_for_timeout(2_000)
        for kind in ("golden", "cell"):
            shown = page.evaluate(READ.replace("COUNT", str(len(pairs))), kind)
            for (title, abstract), (text, formulas, broken, cells) in zip(pairs, shown, strict=True):
                spans = split_formulas(" ".join(abstract.split()))
                wanted = "".join(shown_as(span) for span in spans)
                got, want = squeezed(text), squeezed(wanted)
                cut = next((k for k, (a, b) in enumerate(zip(got, want, strict=False)) if a != b), 0)
                assert got[max(0, cut - 20) : cut + 60] == want[max(0, cut - 20) : cut + 60], (kind, title)
                assert got == want, (kind, title)
                assert formulas == wanted.count("\u241f"), (kind, title)
                assert broken == 0, (kind, title)
                assert cells == (2 if kind == "cell" else 0), (kind, title)
        page.close()


def test_the_seeds_are_shown_as_they_are_written(browser: Browser, library, tmp_path: Path) -> None:
    compare(browser, [(paper.title, paper.abstract) for paper in library.papers()], tmp_path)


@pytest.mark.shared
def test_200_icml_abstracts_are_shown_as_they_are_written(browser: Browser, shared, tmp_path: Path) -> None:
    lines = shared("data/icml-2025.jsonl").read_text(encoding="utf-8").splitlines()
    papers = [(paper["title"], paper["abstract"]) for paper in map(json.loads, lines)]
    hard = [paper for paper in papers if "$" in paper[1] or "\\" in paper[1]]
    step = max(1, len(hard) // COUNT)
    compare(browser, hard[::step][:COUNT], tmp_path)
