"""The entry point that `citewell ui` hands to Streamlit."""

from __future__ import annotations

from rag.settings import quiet_environment

quiet_environment()

from pathlib import Path  # noqa: E402

import streamlit as st  # noqa: E402 - the variables above must be set first

from ui.chat import page  # noqa: E402
from ui.style import CSS  # noqa: E402

st.set_page_config(page_title="Citewell", page_icon=str(Path(__file__).with_name("icon.png")), layout="centered")
st.html(CSS)
st.navigation([st.Page(page, title="Chat", icon=":material/forum:", default=True)]).run()
