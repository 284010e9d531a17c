"""From a question, its conversation and the library's names to what is asked."""

from citewell.understanding.understand import understand, understand_parts

__all__ = ["understand", "understand_parts"]
