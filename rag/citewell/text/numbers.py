"""Numbers in running text, in one comparable form: `128B`, `60\\times`, `6–7 %`, `1,000`, `twice`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SCALE = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "b": 1e9, "billion": 1e9, "bn": 1e9,
    "t": 1e12, "trillion": 1e12,
}  # fmt: skip
_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "hundred": 100, "thousand": 1000, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    "twice": 2, "double": 2, "triple": 3, "half": 0.5, "tenfold": 10,
}  # fmt: skip
_NUMBER = re.compile(
    r"(?<![\w.])(?<![A-Za-z]-)(?P<sign>[+-]?)(?P<value>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"\s?\$?(?P<scale>(?:thousand|million|billion|trillion)\b|[kKMBT](?![\w]))?"
    r"\s?\$?(?P<unit>\\?%|percent\b|percentage points?\b|\\times|×|[xX](?!\w)|-?fold\b|times\b)?"
)
_WORD = re.compile(rf"\b(?P<word>{'|'.join(_WORDS)})\b", re.IGNORECASE)
_UNITS = {"%": "%", "\\%": "%", "percent": "%", "percentage point": "%", "percentage points": "%"}


@dataclass(frozen=True, slots=True)
class Number:
    """A value and its unit: `%`, `x` (times), or nothing."""

    value: float
    unit: str = ""
    text: str = ""


def numbers_in(text: str) -> list[Number]:
    """The numbers of `text` in order, numerals first, then number words. Digits inside names are left out."""
    found = []
    clean = re.sub(r"(?<=\d)\s*[–—-]\s*(?=\d)", " - ", text)
    for match in _NUMBER.finditer(clean):
        value = float(match["value"].replace(",", ""))
        scale = (match["scale"] or "").lower()
        unit = match["unit"] or ""
        kind = _UNITS.get(unit.lower(), "x" if unit else "")
        if not scale and not unit and clean[match.end("value") : match.end("value") + 1].isalpha():
            continue  # a name such as 3D
        found.append(Number(value * _SCALE.get(scale, 1.0), kind, match.group().strip()))
    words = _WORD.finditer(_NUMBER.sub(" ", clean))
    return found + [Number(float(_WORDS[match["word"].lower()]), "", match.group()) for match in words]


def holds_number(number: Number, text: str) -> bool:
    """Whether `text` states the number with the same unit, in any notation; a bare number matches any unit."""
    return count_number(number, text) > 0


def count_number(number: Number, text: str) -> int:
    """How often `text` states the number."""
    count = 0
    for other in numbers_in(text):
        same = abs(other.value - number.value) <= 1e-9 * max(1.0, abs(number.value))
        count += same and (number.unit == other.unit or not number.unit or not other.unit)
    return count
