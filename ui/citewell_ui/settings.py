"""The Settings screen: what this session answers with, and where each value comes from."""

from __future__ import annotations

from typing import Any

import streamlit as st
from pydantic import SecretStr

from citewell.answering.answerability import STRICTNESS
from citewell.answering.language_model import test_connection
from citewell.errors import CitewellError
from citewell.rendering.markdown import pipe_table
from citewell.settings import Settings, origins
from citewell_ui.layout import heading, ready_library
from citewell_ui.markup import label
from citewell_ui.state import LibraryHolder, session_settings

THEMES = ("System", "Light", "Dark")
_SECRET = ("llm_api_key", "chroma_token")


def page() -> None:
    """Draw the settings that a session can change, and a table of all."""
    heading("Settings", "Changes here last for this session; the environment or `.env` set them for good.", "reading")
    holder = ready_library()
    if holder is None:
        return
    settings = session_settings(holder)
    _draw_writer(settings)
    _draw_answers(settings)
    _draw_theme()
    _draw_all(holder)


def _draw_writer(settings: Settings) -> None:
    st.markdown("##### Writer")
    model = st.text_input(
        "Model", value=settings.llm, placeholder="provider:model, such as openai:gpt-5-mini",
        help="Empty: answers are quotes from the abstracts, and nothing leaves this machine.", key="set-llm",
    )  # fmt: skip
    address = st.text_input(
        "Base URL", value=settings.llm_base_url, placeholder="http://127.0.0.1:8080/v1",
        help="The address of an OpenAI-compatible server; empty for the provider's own.", key="set-base",
    )  # fmt: skip
    key = st.text_input(
        "Key", type="password", key="set-key", placeholder="kept for this session only",
        help="Held in memory for this session, never written to disk or shown.",
    )  # fmt: skip
    _change("llm", model.strip(), settings)
    _change("llm_base_url", address.strip(), settings)
    if key:
        _changed()["llm_api_key"] = SecretStr(key)
    if st.button("Test connection", icon=":material/network_check:", disabled=not model.strip()):
        current = settings.model_copy(update=_changed())
        try:
            with st.spinner("Asking the model for one word"):
                st.success(label(test_connection(current)), icon=":material/check_circle:")
        except CitewellError as error:
            st.error(label(str(error)), icon=":material/error:")


def _draw_answers(settings: Settings) -> None:
    st.markdown("##### Answers")
    count = st.slider(
        "Most papers that one answer cites", 1, 20, settings.max_sources, key="set-sources",
        help="A survey shows every paper that fits, however many.",
    )  # fmt: skip
    strictness = st.segmented_control(
        "How sure the library must be before it answers",
        list(STRICTNESS),
        default=settings.strictness,
        key="set-strict",
    )
    _change("max_sources", count, settings)
    _change("strictness", strictness or settings.strictness, settings)


def _draw_theme() -> None:
    st.markdown("##### Theme")
    with st.container(key="themes", horizontal=True):
        for name in THEMES:
            button = f'<button type="button" class="cw-copy cw-theme" data-theme="{name}">{name}</button>'
            st.html(button, width="content")


def _changed() -> dict[str, Any]:
    found: dict[str, Any] = st.session_state.setdefault("changed_settings", {})
    return found


def _change(name: str, value: Any, settings: Settings) -> None:
    if value != getattr(settings, name):
        _changed()[name] = value


def _draw_all(holder: LibraryHolder) -> None:
    """Every setting, its value and where it comes from."""
    changed = _changed()
    settings = session_settings(holder)
    with st.container(key="settings-reset", horizontal=True, vertical_alignment="center"):
        st.markdown("##### All settings")
        st.button("Undo the changes of this session", type="tertiary", on_click=_reset, disabled=not changed)
    rows = [
        [f"`{f'citewell_{name}'.upper()}`", label(_shown(name, settings)), origin]
        for name, origin in origins(holder.settings, list(changed)).items()
    ]
    with st.container(key="all-settings"):
        st.markdown(pipe_table([["Setting", "Value", "From"], *rows]))


def _shown(name: str, settings: Settings) -> str:
    value = getattr(settings, name)
    if name in _SECRET:
        return "set" if value.get_secret_value() else "not set"
    return str(value) if value != "" else "not set"


def _reset() -> None:
    st.session_state["changed_settings"] = {}
    for key in ("set-llm", "set-base", "set-key", "set-sources", "set-strict"):
        st.session_state.pop(key, None)
