"""How long a person waits at the screens, over all of ICML 2025: first words, a keystroke in the Library, the Map."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from citewell.library import Library
from citewell.library.map import make_map
from citewell.settings import load_settings
from tests.browser.server import FLAGS, chromium, running_app
from tests.conftest import SEEDS, SHARED

QUESTIONS = (
    "What regret bound does RCDB achieve?", "What is TabFlex?", "How does SWAN save memory?", "What is NoLiMa?",
    "Which papers are about machine unlearning?", "How are spiking transformers converted?", "What does SafeArena find?",
)  # fmt: skip
KEYED = (
    "bandit", "diffusion", "protein", "watermark", "attention", "privacy", "causal", "graph", "speech", "robot",
    "unlearning", "pruning",
)  # fmt: skip
PATIENCE = 120_000


def main() -> None:
    papers = SHARED / "data/icml-2025.jsonl"
    if not papers.exists() or chromium() is None:
        print("left out: its data, or Chromium, is not on this machine")
        return
    home = Path(tempfile.gettempdir()) / "citewell-bench-icml-2025"
    library = Library(load_settings(home=home))
    library.ingest([SEEDS, papers])
    make_map(library)
    library.close()
    with running_app(home) as (url, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.goto(url)
        page.get_by_text("Try one of these").wait_for(timeout=PATIENCE)
        _first_words(page, "What is MoMa?", 0)  # the encoder warms up
        words = [_first_words(page, question, place) for place, question in enumerate(QUESTIONS, start=1)]
        print(f"first words of an answer: median {statistics.median(words):.0f} ms, longest {max(words):.0f} ms")
        keys = _keystrokes(page, url)
        print(
            f"Library, a keystroke to the new count: median {statistics.median(keys):.0f} ms, longest {max(keys):.0f} ms"
        )
        drawn = [_map(page, url) for _ in range(3)]
        print(f"Map, from the address to its points: median {statistics.median(drawn):.1f} s")
        browser.close()


def _first_words(page: Page, question: str, place: int) -> float:
    """Milliseconds from Enter until the first words of the answer are on the page."""
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    began = time.perf_counter()
    box.press("Enter")
    page.wait_for_function(
        """place => [...document.querySelectorAll('[data-testid=stChatMessage]')].slice(2 * place + 1)
            .some(each => /[A-Za-z]{3}/.test(each.innerText.replace(/Searching the library…|Loading the encoder, once after each start…|Reading .* abstracts…|Stop|smart_toy|stop_circle/g, '')))""",
        arg=place,
        polling=10,
        timeout=PATIENCE,
    )
    taken = 1000 * (time.perf_counter() - began)
    page.wait_for_function(
        "n => document.querySelectorAll('div[class*=st-key-actions-]').length > n || document.body.innerText.includes('nearest papers')",
        arg=place,
        timeout=PATIENCE,
    )
    page.wait_for_timeout(1_500)
    return taken


def _keystrokes(page: Page, url: str) -> list[float]:
    """Milliseconds from a key until the list is the one of the longer word."""
    page.goto(f"{url}/library")
    page.get_by_text("3,330 of 3,330 papers").wait_for(timeout=PATIENCE)
    box = page.get_by_label("Search titles, authors and abstracts")
    taken = []
    # Set at once, as by one key: not every single letter changes the list.
    for word in KEYED:
        box.fill("")
        page.get_by_text("3,330 of 3,330 papers").wait_for(timeout=PATIENCE)
        page.wait_for_timeout(600)
        before = page.get_by_text(" of 3,330 papers").inner_text()
        began = time.perf_counter()
        box.fill(word)
        page.wait_for_function(
            "before => [...document.querySelectorAll('p')].some(p => / of 3,330 papers/.test(p.innerText) && p.innerText !== before)",
            arg=before,
            polling=10,
            timeout=5_000,
        )
        taken.append(1000 * (time.perf_counter() - began))
        page.wait_for_timeout(300)
    return taken


def _map(page: Page, url: str) -> float:
    began = time.perf_counter()
    page.goto(f"{url}/map")
    page.locator(".js-plotly-plot .nsewdrag").first.wait_for(timeout=PATIENCE)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
