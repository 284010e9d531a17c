"""The entry point that `citewell ui` hands to Streamlit."""

from __future__ import annotations

from citewell.settings import quiet_environment

quiet_environment()

from pathlib import Path  # noqa: E402

import streamlit as st  # noqa: E402 - the variables above must be set first

from citewell_ui import chat, compare, library, settings  # noqa: E402
from citewell_ui import map as library_map  # noqa: E402
from citewell_ui.layout import PAGES, follow_link  # noqa: E402
from citewell_ui.style import CSS, SCRIPT  # noqa: E402

st.set_page_config(page_title="Citewell", page_icon=str(Path(__file__).with_name("icon.png")), layout="wide")
st.html(CSS)
PAGES.update(
    chat=st.Page(chat.page, title="Chat", icon=":material/forum:", default=True, url_path="chat"),
    library=st.Page(library.page, title="Library", icon=":material/library_books:", url_path="library"),
    compare=st.Page(compare.page, title="Compare", icon=":material/compare_arrows:", url_path="compare"),
    map=st.Page(library_map.page, title="Map", icon=":material/scatter_plot:", url_path="map"),
    settings=st.Page(settings.page, title="Settings", icon=":material/tune:", url_path="settings"),
)
current = st.navigation(list(PAGES.values()))
follow_link()
current.run()
st.html(SCRIPT, unsafe_allow_javascript=True)
