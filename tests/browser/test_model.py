"""A model that writes, as the page shows it: its text as it comes, the checks, and the button that stops it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.server import running_app
from tests.llm_server import MODEL

pytestmark = [pytest.mark.browser, pytest.mark.llm]
PATIENCE = 180_000


@pytest.fixture
def page(
    browser: Browser, seed_home: Path, tmp_path_factory: pytest.TempPathFactory, llm_address: str
) -> Iterator[Page]:
    home = tmp_path_factory.mktemp("model") / "home"
    shutil.copytree(seed_home, home)
    settings = {
        "CITEWELL_LLM": f"openai:{MODEL}", "CITEWELL_LLM_BASE_URL": f"{llm_address}/v1", "CITEWELL_LLM_API_KEY": "none",
        "CITEWELL_LLM_MAX_TOKENS": "250", "CITEWELL_LLM_TIMEOUT": "240", "CITEWELL_MAX_SOURCES": "1",
    }  # fmt: skip
    with running_app(home, **settings) as (url, _):
        opened = browser.new_page(viewport={"width": 1200, "height": 900})
        opened.goto(url)
        expect(opened.get_by_text("Try one of these")).to_be_visible(timeout=PATIENCE)
        yield opened
        opened.close()


def top(page: Page) -> float:
    return float(page.locator("#turn-0").evaluate("mark => mark.getBoundingClientRect().top"))


def test_a_models_answer_comes_in_pieces_is_stopped_and_checked(page: Page) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("What is RSD?")
    box.press("Enter")
    message = page.get_by_test_id("stChatMessage").nth(1)
    # The cursor stands behind a text that is still being written.
    expect(message).to_contain_text(re.compile(r"\w{3}.* ▌", re.DOTALL), timeout=PATIENCE)
    early, place = len(message.inner_text()), top(page)
    page.wait_for_timeout(2_000)
    assert len(message.inner_text()) > early
    assert abs(top(page) - place) <= 2
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped before the model had finished")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    expect(page.get_by_text("▌")).to_have_count(0)
    expect(page.get_by_text(re.compile("Written by openai|Quoted word for word"))).to_be_visible()
    expect(page.get_by_text(re.compile("The model's text before it was checked|What the model wrote"))).to_be_visible()
    expect(page.locator("div[class*='st-key-card-0-1']")).to_contain_text("Reward-Guided Speculative Decoding")
    assert abs(top(page) - place) <= 20
