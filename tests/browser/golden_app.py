"""Draws the abstracts of the file that `GOLDEN` names, as the screens draw them. Run by `test_golden.py`."""

import json
import os
from pathlib import Path

import streamlit as st

from citewell.paper import Paper
from citewell_ui.comparison import cell_markdown
from citewell_ui.papers import abstract_text

for number, (title, abstract) in enumerate(json.loads(Path(os.environ["GOLDEN"]).read_text())):
    with st.container(key=f"golden-{number}"):
        st.markdown(abstract_text(Paper("p", title, abstract)), unsafe_allow_html=True)
    with st.container(key=f"title-{number}"):
        st.button(cell_markdown(title), key=f"button-{number}", type="tertiary")
    with st.container(key=f"cell-{number}"):
        st.markdown(f"| a | b |\n| --- | --- |\n| x | {cell_markdown(abstract)} |", unsafe_allow_html=True)
st.html("<p id='golden-end'>end</p>")
