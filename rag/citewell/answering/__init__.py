"""Writing answers: out of quotes or with a language model, as text, table or summary."""
