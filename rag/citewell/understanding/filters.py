"""Filters on year, venue, author and file: given, or read out of a question ("papers since 2024 by Hazan").

Only values that the library holds are recognised; whatever else the question says stays a matter of words.
"""

from __future__ import annotations

import re
from dataclasses import replace

from citewell.errors import CitewellError
from citewell.facets import Facets
from citewell.filters import Filters
from citewell.text.tokens import plain

_YEAR = r"((?:19|20)\d\d)"
_PUBLISHED = r"(?:(?:published|written|presented|that appeared|appearing|dated|papers|works?|studies)\s+)?"
_YEARS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(_PUBLISHED + pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (rf"\b(?:between|from)\s+{_YEAR}\s*(?:and|to|until|through|-|–)\s*{_YEAR}\b", "range"),
        (rf"\b(?:since|from|as of)\s+{_YEAR}\b(?:\s+(?:on|onwards?))?", "since"),
        (rf"\bafter\s+{_YEAR}\b", "after"),
        (rf"\b(?:until|till|up to)\s+{_YEAR}\b", "until"),
        (rf"\bbefore\s+{_YEAR}\b", "before"),
        (rf"\b(?:in|during)\s+{_YEAR}\b", "in"),
    )
)
_BARE_YEAR = re.compile(rf"(?<![\w-]){_YEAR}(?=\s+(?:papers?|works?|studies|articles?)\b)")
# "In 2024" may belong to what is asked about ("the election in 2024"); beside such a word it is a date of papers.
_OF_PAPERS = re.compile(r"\b(?:papers?|works?|stud(?:y|ies)|articles?|research|publi\w+)\b", re.IGNORECASE)
_BY = re.compile(
    r"\b(?:(?:written|authored|published|(?:co-)?authored|papers?|works?|studies|research|articles?|anything|something|"
    r"published in \d{4}|(?:since|in|after|before|until) \d{4})\s+)(?:is\s+|are\s+|were\s+|was\s+)?(?:by|from|of)\s+"
    r"(?P<name>(?:[^\W\d_][\w.’'-]*\s+){0,3}[^\W\d_][\w’'-]*)"
)
_DID = re.compile(
    r"\b(?:did|has|have)\s+(?P<name>(?:[A-Z][\w.’'-]*\s+){0,2}[A-Z][\w-]+)(?:\s+et al\.?)?\s+"
    r"(?:write|written|publish|published|author|authored|work on|worked on)\b"
)
_OWNED = re.compile(r"(?P<name>(?:[A-Z][\w.’'-]*\s+){0,2}[A-Z][\w-]+)['’]s?\s+(?:papers?|works?|research|studies)\b")
_AT = r"(?:(?:published|presented|accepted|appeared)\s+)?(?:at|in|from|of)\s+(?:the\s+)?"


def years(text: str) -> tuple[int | None, int | None]:
    """`2024`, `2020-2024`, `2024-` or `-2019` as first and last year. Raises `CitewellError`."""
    match = re.fullmatch(r"\s*(\d{4})?\s*(-|–|\.\.)?\s*(\d{4})?\s*", text)
    if not match or not (match[1] or match[3]):
        raise CitewellError(f"“{text}” is no year.", "Write 2024, 2020-2024, 2024- or -2019.")
    first, last = (int(match[1]) if match[1] else None), (int(match[3]) if match[3] else None)
    return (first, last if match[2] else first)


class FilterReader:
    """Reads filters out of questions to one library."""

    def __init__(self, facets: Facets) -> None:
        self._facets = facets

    def read(self, question: str) -> tuple[Filters, str]:
        """The filters that a question names, and the question without the words for them."""
        filters, rest = Filters(), question
        for part in (self._read_file, self._read_years, self._read_author, self._read_venue):
            found, rest = part(rest)
            filters = filters.joined(found)
        return filters, _tidied(rest) if filters else question

    def _read_years(self, text: str) -> tuple[Filters, str]:
        for pattern, kind in (*_YEARS, (_BARE_YEAR, "in")):
            match = pattern.search(text)
            if match and (kind != "in" or _OF_PAPERS.search(text)):
                numbers = [int(group) for group in match.groups() if group]
                found = _year_filter(kind, numbers)
                if any(_within(found, year) for year in self._facets.years):
                    return found, text[: match.start()] + " papers " + text[match.end() :]
        return Filters(), text

    def _read_author(self, text: str) -> tuple[Filters, str]:
        for pattern in (_BY, _OWNED, _DID):
            for match in pattern.finditer(text):
                words = match["name"].split()
                # The longest run of words that is an author: "by Elad Hazan on regret" is two of four.
                for count in range(len(words), 0, -1):
                    name = " ".join(words[:count])
                    whole = pattern is _BY or count == len(words)
                    if whole and words[0][0].isupper() and self._is_author(name):
                        end = match.end() if pattern is not _BY else match.start("name") + len(name)
                        return Filters(authors=(name,)), f"{text[: match.start()]} papers {text[end:]}"
        return Filters(), text

    def _read_venue(self, text: str) -> tuple[Filters, str]:
        for name in self._facets.venue_names:
            escaped = re.escape(name)
            year = rf"(?:\s+(?:papers?\s+)?{_YEAR})?"
            papers = rf"(?<![\w-]){escaped}\s+(?=papers?\b|works?\b|studies\b|{_YEAR}\s+papers?\b)"
            match = re.search(rf"\b{_AT}{escaped}(?![\w-]){year}", text) or re.search(papers, text)
            if match:
                found = Filters(venues=(name,))
                if match.lastindex and match[1] and int(match[1]) in self._facets.years:
                    found = replace(found, year_from=int(match[1]), year_to=int(match[1]))
                return found, f"{text[: match.start()]} {text[match.end() :]}"
        return Filters(), text

    def _read_file(self, text: str) -> tuple[Filters, str]:
        for name in self._facets.files:
            match = re.search(rf"(?:\b(?:in|from|of)\s+(?:the\s+)?(?:file\s+)?)?(?<!\S){re.escape(name)}(?!\w)", text)
            if match:
                return Filters(files=(name,)), f"{text[: match.start()]} {text[match.end() :]}"
        return Filters(), text

    def _is_author(self, name: str) -> bool:
        return plain(name).casefold() in self._facets.author_names


def _year_filter(kind: str, numbers: list[int]) -> Filters:
    first, last = numbers[0], numbers[-1]
    return {
        "range": Filters(year_from=min(first, last), year_to=max(first, last)),
        "since": Filters(year_from=first),
        "after": Filters(year_from=first + 1),
        "until": Filters(year_to=first),
        "before": Filters(year_to=first - 1),
        "in": Filters(year_from=first, year_to=first),
    }[kind]


def _within(filters: Filters, year: int) -> bool:
    return (filters.year_from or year) <= year <= (filters.year_to or year)


def _tidied(text: str) -> str:
    """`text` with the holes that taken-out words leave closed."""
    text = re.sub(r"\s+([?.!,])", r"\1", " ".join(text.split()))
    return re.sub(r"\b(papers?|works?|studies)(?:\s+(?:papers?|works?|studies))+\b", r"\1", text, flags=re.IGNORECASE)
