"""`python -m tests.browser.screenshots FOLDER`: the README's pictures, made from the real app."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.server import FLAGS, chromium, running_app

QUESTION = "What regret bound does RCDB achieve?"


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, running_app(Path(home) / "home") as (url, _), sync_playwright() as pw:
        browser = pw.chromium.launch(executable_path=chromium(), args=FLAGS)
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": 1100, "height": 860}, color_scheme=scheme)
            page.goto(url)
            page.get_by_text("Try one of these").wait_for(timeout=180_000)
            box = page.get_by_test_id("stChatInputTextArea")
            box.fill(QUESTION)
            box.press("Enter")
            page.get_by_text("Quoted word for word").first.wait_for(timeout=120_000)
            page.wait_for_timeout(2_000)
            page.screenshot(path=folder / f"chat-{scheme}.png")
            for name in ("library", "compare", "map", "settings"):
                _open(page, url, name)
                page.screenshot(path=folder / f"{name}-{scheme}.png")
            page.close()
        browser.close()


def _open(page: Page, url: str, name: str) -> None:
    """Turn to a screen and wait for what it shows; two papers are picked for a comparison."""
    page.goto(f"{url}/{name}")
    if name == "library":
        page.get_by_text(" papers").first.wait_for(timeout=60_000)
    elif name == "compare":
        for words in ("reward-guided speculative", "model swarms collaborative"):
            page.get_by_label("Add a paper").press_sequentially(words, delay=20)
            page.locator("div[class*=st-key-pick-] button").first.click(timeout=20_000)
            page.wait_for_timeout(1_500)
    elif name == "map":
        page.locator(".js-plotly-plot .nsewdrag").first.wait_for(timeout=120_000)
    page.wait_for_timeout(2_500)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/screenshots"))
