"""Citewell: cited answers over a library of paper abstracts.

    import citewell

    library = citewell.open("~/papers")
    library.ingest("export.bib")
    print(library.ask("What is RLTHF?").text)

Importing this loads nothing and changes nothing in the process; each name below is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from citewell.answer import Answer, Notice
    from citewell.api import Citewell, check, open
    from citewell.chat.conversation import Conversation, Turn
    from citewell.checking.verdicts import Verdict
    from citewell.citation import Citation, Source
    from citewell.comparison import Comparison
    from citewell.errors import CitewellError
    from citewell.events import Delta, Done, Found, Searching
    from citewell.filters import Filters
    from citewell.hit import Hit
    from citewell.library.report import IngestReport
    from citewell.paper import Paper, Passage
    from citewell.refusal import Refusal, RefusalKind
    from citewell.request import Request
    from citewell.sentence import Sentence, Support
    from citewell.settings import Settings

# Where each public name is defined.
_HOMES = {
    "answer": ("Answer", "Notice"),
    "api": ("Citewell", "check", "open"),
    "chat.conversation": ("Conversation", "Turn"),
    "checking.verdicts": ("Verdict",),
    "citation": ("Citation", "Source"),
    "comparison": ("Comparison",),
    "errors": ("CitewellError",),
    "events": ("Delta", "Done", "Found", "Searching"),
    "filters": ("Filters",),
    "hit": ("Hit",),
    "library.report": ("IngestReport",),
    "paper": ("Paper", "Passage"),
    "refusal": ("Refusal", "RefusalKind"),
    "request": ("Request",),
    "sentence": ("Sentence", "Support"),
    "settings": ("Settings",),
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Answer",
    "Citation",
    "Citewell",
    "CitewellError",
    "Comparison",
    "Conversation",
    "Delta",
    "Done",
    "Filters",
    "Found",
    "Hit",
    "IngestReport",
    "Notice",
    "Paper",
    "Passage",
    "Refusal",
    "RefusalKind",
    "Request",
    "Searching",
    "Sentence",
    "Settings",
    "Source",
    "Support",
    "Turn",
    "Verdict",
    "check",
    "open",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
