"""The chat as a person uses it: a real server, a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser
ARTIFACTS = Path(__file__).resolve().parents[1] / "artifacts"
PATIENCE = 90_000
RCDB = "What regret bound does RCDB achieve?"


@pytest.fixture
def page(browser: Browser, app: tuple[str, Path]) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1200, "height": 900})
    opened.outside = []
    opened.on(
        "request", lambda r: None if r.url.startswith((app[0], "data:", "blob:")) else opened.outside.append(r.url)
    )
    opened.goto(app[0])
    expect(opened.get_by_text("Try one of these")).to_be_visible(timeout=PATIENCE)
    yield opened
    opened.close()


def ask(page: Page, question: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")


def test_ask_follow_the_citation_and_see_the_quote(page: Page) -> None:
    ask(page, RCDB)
    link = page.locator("a.cw-cite").first
    expect(link).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Quoted word for word")).to_be_visible()
    assert link.inner_text() == "[1]"
    expect(page.get_by_test_id("stChatMessage").first).to_be_in_viewport(timeout=20_000)
    expect(link).to_be_in_viewport()
    page.wait_for_timeout(2_000)  # the page holds still a moment after it has been drawn
    target = link.get_attribute("href")
    link.click()
    page.wait_for_url(f"**{target}")
    anchor = page.locator(target)
    expect(anchor).to_be_in_viewport()
    card = page.locator("div[class*='st-key-card-0-1']").first
    expect(card).to_contain_text("Nearly Optimal Algorithms for Contextual Dueling Bandits")
    expect(card).to_contain_text("Qiwei Di")
    expect(card.get_by_role("link", name="Open the paper")).to_have_attribute(
        "href", re.compile("^https://proceedings")
    )
    mark = card.locator("mark").first
    expect(mark).to_be_visible()
    assert "regret bound" in mark.inner_text()
    assert mark.locator(".katex").count() >= 3
    ARTIFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTIFACTS / "chat.png")
    assert page.outside == []


def test_the_answer_streams_and_can_be_stopped(page: Page) -> None:
    ask(page, "What is DexScale?")
    expect(page.get_by_role("button", name="Stop").or_(page.locator("a.cw-cite").first).first).to_be_visible(
        timeout=PATIENCE
    )
    expect(page.locator("a.cw-cite").first).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


def test_two_tabs_have_two_chats(page: Page, browser: Browser, app: tuple[str, Path]) -> None:
    ask(page, "What is DexScale?")
    expect(page.locator("a.cw-cite").first).to_be_visible(timeout=PATIENCE)
    other = browser.new_page()
    other.goto(app[0])
    expect(other.get_by_text("Try one of these")).to_be_visible(timeout=PATIENCE)
    ask(other, "What does SSDE do?")
    expect(other.locator("a.cw-cite").first).to_be_visible(timeout=PATIENCE)
    expect(other.get_by_test_id("stMain").get_by_text("DexScale")).to_have_count(0)
    expect(page.get_by_test_id("stMain").get_by_text("SSDE")).to_have_count(0)
    other.close()


WATCH = """() => {
  window.tops = [];
  const watch = () => {
    const mark = document.getElementById("turn-1");
    if (mark) window.tops.push(Math.round(mark.getBoundingClientRect().top));
    if (window.tops.length < 2000) requestAnimationFrame(watch);
  };
  watch();
}"""


def test_a_question_goes_to_the_top_and_stays_there(page: Page) -> None:
    ask(page, RCDB)
    expect(page.get_by_text("Quoted word for word")).to_be_visible(timeout=PATIENCE)
    page.wait_for_timeout(2_000)
    page.evaluate(WATCH)
    ask(page, "What is DexScale?")
    expect(page.get_by_text("Quoted word for word")).to_have_count(2, timeout=PATIENCE)
    page.wait_for_timeout(1_500)
    tops = page.evaluate("window.tops")
    arrived = next(place for place, top in enumerate(tops) if 0 <= top < 150)
    # A moment's way up, then nothing moves while the answer grows.
    assert arrived < 60, tops[:80]
    assert max(tops[arrived:]) - min(tops[arrived:]) <= 40, sorted(set(tops[arrived:]))
    page.reload()
    expect(page.get_by_text("Quoted word for word")).to_have_count(2, timeout=PATIENCE)
    expect(page.locator("#turn-1")).to_be_in_viewport(timeout=20_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [380, 1200, 2560])
def test_nothing_is_wider_than_the_window(browser: Browser, app: tuple[str, Path], width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(app[0])
    expect(page.get_by_text("Try one of these")).to_be_visible(timeout=PATIENCE)
    ask(page, RCDB)
    expect(page.locator("a.cw-cite").first).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Quoted word for word")).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    expect(page.get_by_test_id("stChatMessage").first).to_be_in_viewport(timeout=20_000)
    ARTIFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTIFACTS / f"chat-{scheme}-{width}.png")
    page.close()


def test_an_answer_that_is_there_at_once_is_shown_once(page: Page) -> None:
    for count, text in enumerate(("hello", "thanks", "hi"), start=1):
        ask(page, text)
        expect(page.get_by_test_id("stChatMessage")).to_have_count(2 * count, timeout=PATIENCE)
        expect(page.get_by_role("button", name="Stop")).to_have_count(0)
        expect(page.get_by_test_id("stChatInputTextArea")).to_be_enabled()
        page.wait_for_timeout(500)
        expect(page.get_by_test_id("stChatMessage")).to_have_count(2 * count)


def test_a_refusal_shows_the_nearest_papers(page: Page) -> None:
    ask(page, "What is the capital of France?")
    expect(page.get_by_text("The nearest papers are")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("a.cw-cite")).to_have_count(0)


NASTY = [
    "DI* and **SSDE** and *emphasis* and _under_ and ~~gone~~",
    "a | b | c, 1 < 2 > 0 & more",
    "<script>alert(1)</script> <b>bold</b> <img src=x onerror=alert(1)>",
    "[1] and [text](https://evil.example/a) ![image](http://evil.example/x.png)",
    "# not a heading",
    "1. not a list",
    "- not a list",
    "> not a quote",
    "`code` and ```fences```",
    ":red[text] :material/home: :smile: :tada:",
    "costs $5 to $10 and 3$ more",
    r"24.7\% and \url{https://a.b/c} www.example.com me@example.com",
    "a -> b, a --- b, a -- b, <- c, <-> d, >= e, <= f, ~= g, != h",
    "plain text (c) (tm) 1/2 ... 'single' \"double\"",
]


@pytest.mark.parametrize("text", NASTY)
def test_a_question_is_shown_exactly_as_it_was_typed(page: Page, text: str) -> None:
    ask(page, text)
    message = page.get_by_test_id("stChatMessage").first.get_by_test_id("stMarkdown").first
    expect(message).to_have_text(text, timeout=PATIENCE)
    assert message.locator("a, em, strong, h1, li, code, img, b, script, table, del").count() == 0


def test_the_start_up_log_is_clean(app: tuple[str, Path]) -> None:
    log = app[1].read_text()
    for word in ("Warning", "WARNING", "ERROR", "Traceback", "DEBUG", "Collecting usage statistics", "External URL"):
        assert word not in log, log
