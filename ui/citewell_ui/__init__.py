"""The screens of Citewell (Streamlit). Nothing here searches or answers."""
