"""Identifiers inside links and fields: DOI, arXiv, OpenReview, PMLR; and years inside dates."""

from __future__ import annotations

import re

_PATTERNS = (
    ("doi", re.compile(r"(?:doi\.org/|^doi:\s*|^)(10\.\d{4,9}/[^\s\"<>]+)", re.IGNORECASE)),
    (
        "arxiv",
        re.compile(
            r"(?:arxiv\.org/(?:abs|pdf)/|^arxiv:\s*)(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})",
            re.IGNORECASE,
        ),
    ),
    ("openreview", re.compile(r"openreview\.net/(?:forum|pdf)\?id=([\w-]+)")),
    ("pmlr", re.compile(r"proceedings\.mlr\.press/(v\d+/[\w-]+?)(?:\.html|/|$)")),
)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")


def identifiers_of(*texts: str) -> tuple[str, ...]:
    """`kind:value` for each identifier found in the links or fields `texts`, each once."""
    found: dict[str, None] = {}
    for text in texts:
        for kind, pattern in _PATTERNS:
            if match := pattern.search(text.strip()):
                value = match.group(1).rstrip(".,;)")
                found[f"{kind}:{value.lower() if kind in ('doi', 'arxiv') else value}"] = None
    return tuple(found)


def year_of(text: str) -> int | None:
    """The first plausible year in `text`, or None."""
    match = _YEAR.search(text)
    return int(match.group(1)) if match else None
