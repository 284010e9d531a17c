"""From a question to a checked, cited answer, or a refusal that helps."""

from rag.answering.assistant import Assistant

__all__ = ["Assistant"]
