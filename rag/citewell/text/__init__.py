"""Text tools with no knowledge of libraries or answers: formulas, sentences, words, names."""
