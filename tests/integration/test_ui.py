"""The chat screen without a browser (Streamlit's AppTest)."""

from __future__ import annotations

import html
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def app(seeded_home: Path) -> AppTest:
    import streamlit as st

    st.cache_resource.clear()
    return AppTest.from_file(str(ROOT / "ui" / "citewell_ui" / "app.py"), default_timeout=120)


def text_of(app: AppTest) -> str:
    shown = [*app.markdown, *app.caption, *app.info, *app.warning, *app.error]
    return html.unescape("\n".join(item.value for item in shown))


def test_an_empty_chat_explains_itself_and_offers_questions(app: AppTest) -> None:
    app.run()
    assert not app.exception
    assert app.title[0].value == "Citewell"
    assert "cited" in app.markdown[0].value
    assert len([button for button in app.button if button.key and button.key.startswith("example-")]) >= 2
    assert "29 papers" in text_of(app)


def test_a_question_is_answered_with_a_source_card(app: AppTest) -> None:
    app.run()
    app.chat_input[0].set_value("How much faster does GenZSL train than f-VAEGAN on AWA2?").run()
    assert not app.exception
    shown = text_of(app)
    assert 'href="#source-0-1"' in shown
    assert 'id="source-0-1"' in shown
    assert "<mark>" in shown
    assert "$60\\times$" in shown
    assert "Shiming Chen" in shown
    assert 'href="https://proceedings.mlr.press/v267/chen25t.html"' in shown


def test_the_chat_survives_reruns_and_further_questions(app: AppTest) -> None:
    app.run()
    app.chat_input[0].set_value("What is DexScale?").run()
    app.run()
    app.chat_input[0].set_value("What is the capital of France?").run()
    app.run()
    shown = text_of(app)
    assert "data engine" in shown
    assert 'id="source-0-1"' in shown
    assert "nearest papers" in shown
    assert not app.exception


def test_an_example_asks_its_question(app: AppTest) -> None:
    app.run()
    button = next(button for button in app.button if button.key == "example-0")
    button.click().run()
    assert not app.exception
    assert 'id="source-0-1"' in text_of(app)


def test_new_chat_forgets(app: AppTest) -> None:
    app.run()
    app.chat_input[0].set_value("What is DexScale?").run()
    next(button for button in app.button if button.label == "New chat").click().run()
    assert "data engine" not in text_of(app)
    assert any(button.key == "example-0" for button in app.button)


def test_a_model_that_cannot_be_reached_is_told_and_the_quotes_are_shown(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEWELL_LLM", "openai:m")
    monkeypatch.setenv("CITEWELL_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    app.run()
    app.chat_input[0].set_value("What is DexScale?").run()
    assert "cannot be reached" in app.warning[0].value
    assert "<" not in app.warning[0].value
    assert "data engine" in text_of(app)


def test_a_library_that_cannot_be_opened_says_what_to_do(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_EMBEDDING_MODEL", "/nowhere/model")
    # The page is drawn before the model is loaded, so the message may come with the next run.
    deadline = time.monotonic() + 60
    while not app.run().error and time.monotonic() < deadline:
        time.sleep(0.5)
    assert not app.exception
    assert "cannot be loaded" in app.error[0].value


def test_small_talk_has_no_sources(app: AppTest) -> None:
    app.run()
    app.chat_input[0].set_value("hello").run()
    shown = text_of(app)
    assert "Hello!" in shown
    assert "source-0-1" not in shown


SOURCES = """
from citewell_ui.ingest import draw_sources
from citewell_ui.state import library_holder

holder = library_holder()
while not holder.opening.wait(1):
    pass
draw_sources(holder)
"""


def test_two_sources_of_the_same_name_are_both_listed(app: AppTest, library, tmp_path: Path) -> None:
    for folder, title in (("one", "A Study of Owls"), ("two", "A Study of Foxes")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.csv").write_text(
            f"title,abstract\n{title},We study them at night for {folder} years.\n"
        )
        library.ingest([tmp_path / folder / "mine.csv"])
    shown = AppTest.from_string(SOURCES, default_timeout=120).run()
    assert not shown.exception
    assert sum("mine.csv: 1 paper" in html.unescape(item.value) for item in shown.markdown) == 2
