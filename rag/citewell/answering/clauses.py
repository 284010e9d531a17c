"""The part of a sentence that speaks of one aspect: a table's cell is read across, so it must be short.

A sentence is cut only where its grammar allows (an opening that states a purpose, "show that", a semicolon, a trailing
participle); in doubt it stays whole. What is left is always one stretch of the sentence, so it can be quoted.
"""

from __future__ import annotations

import re

from citewell.text.formulas import split_formulas

FEWEST_WORDS = 4
# "To address this, we …", "In this paper, we …", "Motivated by …, we …".
_PURPOSE = re.compile(
    r"(?:To|In|On|For|Motivated|Inspired|Given|Towards?|As|Under|Building|Against|Here|With this|Based on|Drawing)\b"
    r"[^;]{0,220}?,\s+(?=(?:we|this (?:paper|work|study|article)|our (?:paper|work|approach|method|idea))\b)",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:demonstrate|show|reveal|indicate|confirm|suggest|verify|verifie|illustrate|validate|prove|find|found|observe|"
    r"establish|establishe|highlight|underscore|conclude)(?:s|d|ed|n)?\s+(?:theoretically |empirically )?that\s+",
    re.IGNORECASE,
)
# Where experiments are reported, what they were made on stands before what they show.
_SHOWS = re.compile(
    r",?\s+(?:(?:clearly|consistently|empirically|further|also|and|we)\s+)*(?:demonstrat\w+|show(?:s|n|ed|ing|cas\w+)?|"
    r"reveal\w*|indicat\w+|confirm\w*|suggest\w*|verif\w+|illustrat\w+|validat\w+|highlight\w*|underscor\w+)\b",
    re.IGNORECASE,
)
# "… , as demonstrated by extensive experiments on X" and "we ran experiments on X, demonstrating Y".
_SHOWN_BY = re.compile(
    r"\b(?:as )?(?:is |are |have been )?(?:demonstrated|shown|verified|validated|confirmed|illustrated|evaluated) "
    r"(?:by|through|in|via|with)\s+(?=.{0,60}\b(?:experiment|evaluation|benchmark|dataset|simulation|stud))",
    re.IGNORECASE,
)
_WE_TEST = re.compile(
    r"(?:we|extensive|comprehensive)\b[^,;]{0,30}\b(?:conduct|perform|experiment|evaluat|test|validat|run|ran)\w*[^;]*?,\s+"
    r"(?:and\s+)?(?=(?:thereby\s+|clearly\s+)?(?:demonstrat|show|reveal|achiev|observ|confirm|highlight)ing\b)",
    re.IGNORECASE,
)
_OUTCOME = re.compile(
    r",\s+(?:thereby |thus |while |effectively |significantly |consistently )*(?:achiev|improv|outperform|reduc|enabl|"
    r"result|lead|yield|surpass|ensur|allow|boost|enhanc|obtain|attain|deliver|offer)ing\b",
    re.IGNORECASE,
)
_NEXT_CLAUSE = re.compile(
    r";\s+|,\s+(?:and|but|while|whereas)\s+(?=(?:we|our|it|this|these|the|its|code|all)\b)|\s+[–—]\s+", re.IGNORECASE
)
_LINKS = re.compile(
    r"(?:However|Moreover|Furthermore|Additionally|Finally|Specifically|Therefore|Thus|Here|Notably|Further|"
    r"In addition|Also|Consequently|Hence|Nevertheless|Unfortunately|In particular|Concretely|Importantly|Lastly|"
    r"As a result|Empirically|Theoretically|Overall|In this (?:paper|work|study)|"
    r"To (?:address|tackle|fill|bridge|overcome|solve) (?:this|these|that|it)(?: \w+){0,2}),\s+"
)
CODE = re.compile(r"\b(?:codes?|source|implementation|github|open-?sourced?\w*)\b|https?://", re.IGNORECASE)


def clause_of(text: str, aspect: str) -> tuple[int, int]:
    """Where in a sentence the stretch stands that speaks of a standard aspect; all of it when it cannot be told."""
    start, end = _link(text), len(text)
    if aspect in ("approach", "what is new"):
        start, end = _approach(text, start)
    elif aspect == "results":
        start, end = _result(text, start)
    elif aspect == "data and benchmarks":
        shown = _SHOWN_BY.search(text, start)
        start, end = (shown.end(), end) if shown else (start, _before(_SHOWS, text, start, end))
    elif aspect == "code":
        start, end = next(((a, b) for a, b in reversed(_parts(text, start)) if CODE.search(text[a:b])), (start, end))
    return (start, end) if _stands_alone(text, start, end) else (_link(text), len(text))


def _link(text: str) -> int:
    """The length of an opening that only links a sentence to the one before it."""
    match = _LINKS.match(text)
    return match.end() if match and len(text) - match.end() > 30 else 0


def _approach(text: str, start: int) -> tuple[int, int]:
    """Without the purpose before it and the outcome behind it."""
    if match := _PURPOSE.match(text, start):
        start = match.end()
    end = min((b for a, b in _parts(text, start)), default=len(text))
    return start, _before(_OUTCOME, text, start, end)


def _result(text: str, start: int) -> tuple[int, int]:
    """What is shown, without "experiments on six benchmarks show that"."""
    if (match := _REPORTED.search(text, start)) and len(text[match.end() :].split()) >= FEWEST_WORDS:
        return match.end(), len(text)
    match = _WE_TEST.match(text, start) or _PURPOSE.match(text, start)
    return (match.end() if match else start), len(text)


def _before(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    """Where the words before a match end, when enough of them are left."""
    match = pattern.search(text, start, end)
    return match.start() if match and len(text[start : match.start()].split()) >= FEWEST_WORDS else end


def _parts(text: str, start: int) -> list[tuple[int, int]]:
    """The clauses of a sentence from `start` on."""
    bounds, last = [], start
    for match in _NEXT_CLAUSE.finditer(text, start):
        if _stands_alone(text, last, match.start()):
            bounds.append((last, match.start()))
            last = match.end()
    return [*bounds, (last, len(text))]


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a stretch has enough words and cuts through no formula, bracket or quotation."""
    part = text[start:end]
    whole = all(part.count(one) == part.count(other) for one, other in ("()", "[]", "{}", "“”"))
    cut = any(
        span.is_formula and span.start < edge < span.end for span in split_formulas(text) for edge in (start, end)
    )
    return whole and not cut and len(part.split()) >= FEWEST_WORDS
