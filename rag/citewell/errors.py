"""Errors meant for the person at the screen: what happened, and what to do next."""

from __future__ import annotations


class CitewellError(Exception):
    """A failure with a message for the user.

    `message` says what happened, `advice` what to do next; `str()` joins them.
    """

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(f"{message} {advice}".strip())
        self.message = message
        self.advice = advice


class UnreadableFile(CitewellError):
    """A file that cannot be read as a bibliography at all; nothing was changed."""


class LibraryBusy(CitewellError):
    """Another process is writing to the library; `holder` names it, in words."""

    def __init__(self, message: str, advice: str = "", *, holder: str = "another process") -> None:
        super().__init__(message, advice)
        self.holder = holder


class ModelMismatch(CitewellError):
    """The vectors in the store were made by another embedding model or text recipe."""


class WeightsError(CitewellError):
    """The embedding weights are missing, damaged, or not the ones expected."""


class VectorStoreError(CitewellError):
    """The Chroma store or server cannot be opened or searched."""


class LanguageModelError(CitewellError):
    """The configured language model did not answer."""


class NoSuchPaper(CitewellError):
    """No paper of the library goes by that name."""
