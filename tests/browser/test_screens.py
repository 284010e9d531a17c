"""Every screen as a person walks it: narrow and wide, light and dark, over the seeds and over ICML 2025."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from citewell.chat import Conversation, ConversationStore

pytestmark = pytest.mark.browser
ARTIFACTS = Path(__file__).resolve().parents[1] / "artifacts"
PATIENCE = 90_000
SIZES = [(380, "dark"), (1200, "light"), (2560, "light")]


def look(page: Page, name: str) -> None:
    """No serious accessibility fault, nothing wider than the window, no error on the page, a picture kept."""
    # What Streamlit is about to replace is drawn pale.
    page.wait_for_function("!document.querySelector('[data-stale=true]')", timeout=PATIENCE)
    page.wait_for_function("document.querySelector('[data-test-script-state=notRunning]')", timeout=PATIENCE)
    page.wait_for_timeout(700)
    ARTIFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTIFACTS / f"{name}-{page.viewport_size['width']}.png")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= page.viewport_size["width"], name
    expect(page.get_by_test_id("stException")).to_have_count(0)
    found = Axe().run(page).response["violations"]
    serious = [
        (fault["id"], fault["nodes"][0]["html"][:160]) for fault in found if fault["impact"] in ("serious", "critical")
    ]
    assert serious == [], name


def ask(page: Page, question: str) -> None:
    done = page.locator("div[class*=st-key-actions-]").count()
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")
    expect(page.locator("div[class*=st-key-actions-]")).to_have_count(done + 1, timeout=PATIENCE)


def walk(page: Page, url: str, papers: str) -> None:
    """Chat, Library, a paper, Compare, a chat about the comparison, Map, a chat about a selection, Settings."""
    page.goto(url)
    expect(page.get_by_text("Try one of these")).to_be_visible(timeout=PATIENCE)
    look(page, "empty")
    ask(page, "What regret bound does RCDB achieve?")
    ask(page, "How does Model Swarms differ from it?")
    expect(page.locator("div[class*=st-key-table-] table").first).to_be_visible()
    page.get_by_text("What was searched").first.click()
    expect(page.locator("div[class*=st-key-trace-] table").first).to_contain_text("cited")
    look(page, "chat")

    page.goto(f"{url}/library")
    expect(page.get_by_text(f"{papers} of {papers} papers")).to_be_visible(timeout=PATIENCE)
    look(page, "library")
    box = page.get_by_label("Search titles, authors and abstracts")
    box.press_sequentially("dueling bandits adversarial", delay=20)
    expect(page.get_by_text(re.compile(rf"^[1-9] of {papers} papers"))).to_be_visible(timeout=20_000)
    expect(box).to_be_focused()
    page.get_by_role("button", name="Nearly Optimal Algorithms for Contextual Dueling Bandits").click()
    expect(page.get_by_role("button", name="Ask about this")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Similar papers")).to_be_visible(timeout=PATIENCE)
    look(page, "paper")

    page.get_by_role("button", name="Add to comparison").click()
    expect(page.get_by_role("heading", name="Compare")).to_be_visible(timeout=PATIENCE)
    page.get_by_label("Add a paper").press_sequentially("model swarms collaborative", delay=20)
    page.locator("div[class*=st-key-pick-] button").first.click(timeout=20_000)
    table = page.locator("div[class*=st-key-table-] table")
    expect(table).to_contain_text("Model Swarms", timeout=PATIENCE)
    expect(table.locator("td").filter(has_text="not stated in the abstract").first).to_be_visible()
    look(page, "compare")
    page.get_by_role("button", name="Discuss this").click()
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_visible(timeout=PATIENCE)
    ask(page, "Only results")
    expect(page.locator("div[class*=st-key-table-] table").last.locator("tbody tr")).to_have_count(1)

    page.goto(f"{url}/map")
    expect(page.locator(".js-plotly-plot .nsewdrag").first).to_be_visible(timeout=180_000)
    page.wait_for_timeout(1_500)
    look(page, "map")
    lasso(page)
    button = page.get_by_role("button", name=re.compile("Ask about th"))
    expect(button).to_be_visible(timeout=20_000)
    look(page, "map-picked")
    button.click()
    expect(page.get_by_role("button", name="Questions are about")).to_be_visible(timeout=PATIENCE)

    page.goto(f"{url}/settings")
    expect(page.get_by_text("All settings")).to_be_visible(timeout=PATIENCE)
    look(page, "settings")


def lasso(page: Page) -> None:
    """Draw around the middle of the map."""
    area = page.locator(".js-plotly-plot .nsewdrag").first
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    assert box is not None
    x, y, reach = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, min(box["width"], box["height"]) / 3
    page.mouse.move(x - reach, y - reach)
    page.mouse.down()
    for right, down in ((1, -1), (1, 1), (-1, 1), (-1, -1)):
        page.mouse.move(x + right * reach, y + down * reach, steps=6)
    page.mouse.up()


@pytest.mark.parametrize(("width", "scheme"), SIZES)
def test_every_screen_over_the_seeds(browser: Browser, app: tuple[str, Path], width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 1000}, color_scheme=scheme)
    walk(page, app[0], "29")
    page.close()


@pytest.mark.shared
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize(("width", "scheme"), SIZES[:2])
def test_every_screen_over_icml_2025(browser: Browser, icml_app: str, width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 1000}, color_scheme=scheme)
    walk(page, icml_app, "3,330")
    page.close()


def test_a_file_is_added_reported_and_taken_out_again(browser: Browser, app: tuple[str, Path], tmp_path: Path) -> None:
    file = tmp_path / "mine.bib"
    file.write_text(
        "@article{a, title={A Study of Purple Squirrels}, author={Doe, Jane}, year={2021},"
        " abstract={We study purple squirrels. They eat 12 nuts a day.}}\n@article{b, note={no title}}\n"
    )
    page = browser.new_page()
    page.goto(f"{app[0]}/library")
    page.get_by_role("tab", name="Add papers").click(timeout=PATIENCE)
    page.locator("input[type=file]").set_input_files(str(file))
    page.get_by_role("button", name="Add to the library").click()
    expect(page.get_by_text("2 records: 1 added")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Records that failed (1)")).to_be_visible()
    page.get_by_role("tab", name="Papers", exact=True).click()
    expect(page.get_by_text("30 of 30 papers")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="Chat").click()
    ask(page, "How many nuts do purple squirrels eat?")
    expect(page.locator("mark").last).to_contain_text("12 nuts")
    page.goto(f"{app[0]}/library")
    page.get_by_role("tab", name="Sources").click(timeout=PATIENCE)
    row = page.locator("div[class*='st-key-source-mine']")
    row.get_by_role("button", name="Remove").click()
    row.get_by_role("button", name="Remove 1 paper").click()
    expect(page.locator("div[class*='st-key-source-mine']")).to_have_count(0, timeout=PATIENCE)
    page.get_by_role("tab", name="Health").click()
    page.get_by_role("button", name="Examine").click()
    expect(page.get_by_text("All is well")).to_be_visible(timeout=PATIENCE)
    page.close()


def test_papers_added_on_the_command_line_are_noticed(browser: Browser, app: tuple[str, Path], tmp_path: Path) -> None:
    file = tmp_path / "cli.bib"
    file.write_text("@article{a, title={Zebras and Their Stripes}, abstract={We count the stripes of zebras.}}\n")
    environment = {**os.environ, "CITEWELL_HOME": str(app[1].parent / "home")}

    def citewell(*words: str) -> None:
        subprocess.run([Path(sys.executable).with_name("citewell"), *words], env=environment, check=True, timeout=300)

    page = browser.new_page()
    page.goto(f"{app[0]}/library")
    expect(page.get_by_text("29 of 29 papers")).to_be_visible(timeout=PATIENCE)
    citewell("ingest", str(file))
    page.get_by_label("Search titles, authors and abstracts").press_sequentially("zebras")
    expect(page.get_by_text("1 of 30 papers")).to_be_visible(timeout=20_000)
    citewell("remove", "--source", "cli.bib", "--yes")
    page.get_by_label("Search titles, authors and abstracts").fill("")
    expect(page.get_by_text("29 of 29 papers")).to_be_visible(timeout=20_000)
    page.close()


def test_settings_of_a_session_are_its_own(browser: Browser, app: tuple[str, Path]) -> None:
    page = browser.new_page()
    page.goto(f"{app[0]}/settings")
    model = page.get_by_role("textbox", name="Model")
    expect(model).to_be_visible(timeout=PATIENCE)
    model.fill("openai:nobody")
    model.press("Enter")
    address = page.get_by_role("textbox", name="Base URL")
    address.fill("http://127.0.0.1:9/v1")
    address.press("Enter")
    expect(page.get_by_role("row", name=re.compile("CITEWELL_LLM_BASE_URL.*this session"))).to_be_visible(
        timeout=PATIENCE
    )
    page.get_by_role("button", name="Test connection").click()
    expect(page.get_by_text("cannot be reached")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="Chat").click()
    ask(page, "What is DexScale?")
    expect(page.get_by_text("This answer is made of quotes instead")).to_be_visible()
    other = browser.new_page()
    other.goto(f"{app[0]}/settings")
    expect(other.get_by_role("row", name=re.compile("CITEWELL_LLM .*default"))).to_be_visible(timeout=PATIENCE)
    other.close()
    page.close()


def test_the_answer_and_its_bibtex_are_copied(browser: Browser, app: tuple[str, Path]) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(app[0])
    expect(page.get_by_text("Try one of these")).to_be_visible(timeout=PATIENCE)
    ask(page, "What is DexScale?")
    page.get_by_role("button", name="Copy BibTeX").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("@")
    page.get_by_role("button", name="Copy answer").click()
    page.wait_for_timeout(300)
    assert "**DexScale" in page.evaluate("navigator.clipboard.readText()")
    context.close()


def test_the_cursor_returns_and_a_suggestion_goes_on(browser: Browser, app: tuple[str, Path]) -> None:
    page = browser.new_page()
    page.goto(app[0])
    expect(page.get_by_text("Try one of these")).to_be_visible(timeout=PATIENCE)
    ask(page, "What is KABB?")
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_focused(timeout=10_000)
    page.locator("div[class*=st-key-suggestions] button").first.click()
    expect(page.locator("div[class*=st-key-actions-]")).to_have_count(2, timeout=PATIENCE)
    page.close()


def test_a_conversation_of_200_turns_opens_like_a_short_one(
    browser: Browser, app: tuple[str, Path], tmp_path: Path, library
) -> None:
    from citewell.assistant import Assistant

    short = Conversation(name="short")
    short.answer("What is KABB?", Assistant(library))
    long = Conversation(name="long", turns=[*short.turns * 200])
    # The app's log lies beside its home folder.
    store = ConversationStore(app[1].parent / "home")
    store.save(short)
    store.save(long)

    def seconds(conversation: Conversation) -> float:
        page = browser.new_page()
        began = time.perf_counter()
        page.goto(f"{app[0]}/?chat={conversation.id}")
        expect(page.locator("a.cw-cite").first).to_be_visible(timeout=PATIENCE)
        taken = time.perf_counter() - began
        page.close()
        return taken

    seconds(short)
    one, many = (statistics.median(seconds(talk) for _ in range(3)) for talk in (short, long))
    # A second by the bar; twice that here, for machines are noisy.
    assert many - one < 2, (one, many)
    page = browser.new_page()
    page.goto(f"{app[0]}/?chat={long.id}")
    page.get_by_role("button", name="Show the 188 earlier questions").click(timeout=PATIENCE)
    expect(page.get_by_text("What is KABB?", exact=True).nth(150)).to_be_attached(timeout=PATIENCE)
    page.close()
