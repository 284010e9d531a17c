"""What in a sentence cannot be squared with the words that are said to back it, seen from the words alone.

Numbers with their unit and direction, names, negation, and comparisons turned round. Each check gives the words at
fault, so that a reader can be told why a sentence is not believed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from citewell import wording
from citewell.text.names import looks_like_name
from citewell.text.numbers import Number, count_number, numbers_in
from citewell.text.tokens import STOP_WORDS, index_tokens, plain, raw_words, stem

# Number words that mostly count nothing ("one of", "the two").
_IDLE_NUMBERS = frozenset({"one", "two", "half"})
_UP = (
    r"more|higher|larger|greater|bigger|longer|faster|better|increas\w*|improv\w*|gain\w*|rais\w*|grow\w*|above|rise\w*"
)
_DOWN = (
    r"less|fewer|lower|smaller|shorter|slower|worse|decreas\w*|reduc\w*|drop\w*|declin\w*|below|sav\w*|cut\w*|degrad\w*|"
    r"fall\w*"
)
_DIRECTION = re.compile(rf"\b(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b", re.IGNORECASE)
_NEAR = 32
SAME_WORDING = 0.7
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|neither|nor|without|fail(?:s|ed)? to|unable to|lacks?|hardly|none)\b|n['’]t\b",
    re.IGNORECASE,
)
# "With and without X" denies nothing.
_NO_DENIAL = re.compile(r"\b(?:with and|with or|whether or)\s+$", re.IGNORECASE)
_BEATS = re.compile(
    r"\b(?:outperform\w*|surpass\w*|exceed\w*|beat\w*|improv\w+ (?:on|over|upon)|"
    r"(?:better|faster|larger|stronger|higher|superior|cheaper|smaller|lower|slower|worse|(?:more|less) \w+) "
    r"(?:than|to))\b",
    re.IGNORECASE,
)
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been)\s+$", re.IGNORECASE)
# Words that say the opposite of each other about the same thing.
_OPPOSITES = (
    (
        "increase increases increased raise raises raised enhance enhances improve improves boost boosts higher more "
        "greater larger",
        "decrease decreases decreased reduce reduces reduced lower lowers diminish diminishes fewer less smaller "
        "impair impairs worsen worsens degrade degrades",
    ),
    ("better superior outperform outperforms", "worse inferior underperform underperforms"),
    ("faster", "slower"),
    (
        "promote promotes induce induces activate activates enable enables",
        "inhibit inhibits suppress suppresses prevent prevents block blocks",
    ),
    ("positive", "negative"),
    ("upper", "lower"),
    ("supervised", "unsupervised"),
    ("online", "offline"),
    ("homophilic", "heterophilic"),
    ("linear", "nonlinear"),
    ("symmetric", "asymmetric"),
    ("deep", "shallow"),
)


@lru_cache(maxsize=1)
def _opposites() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """The stems of each pair, both ways round."""
    pairs = [(frozenset(map(stem, one.split())), frozenset(map(stem, other.split()))) for one, other in _OPPOSITES]
    return tuple(pairs + [(other, one) for one, other in pairs])


def wrong_numbers(claim: str, backing: Sequence[str]) -> list[str]:
    """Numbers of `claim` that no text of `backing` states with the same unit and direction, or not so often."""
    found, used = [], list[Number]()
    for number in numbers_in(claim):
        if number.text.lower() in _IDLE_NUMBERS:
            continue
        direction = _direction(claim, number)
        said = sum(count_number(number, text) for text in backing if not _opposed(direction, _direction(text, number)))
        if said <= sum(other.value == number.value for other in used):
            found.append(number.text)
        used.append(number)
    return found


def replaced_numbers(claim: str, sentence: str) -> list[str]:
    """Numbers of `claim` that stand where `sentence`, otherwise nearly the same, has another one."""
    mine, theirs = claim.split(), sentence.split()
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    if matcher.ratio() < SAME_WORDING:
        return []
    found = []
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "replace":
            said, meant = " ".join(mine[first:last]), " ".join(theirs[start:end])
            held = Counter(_DIGITS.findall(meant))
            # Where the sentence has no number at all, words were put differently rather than a number changed.
            found += list((Counter(_DIGITS.findall(said)) - held).elements()) if held else []
    return found


def _bare(word: str) -> str:
    return re.sub(r"[\s–-]", "", word).casefold()


def _direction(text: str, number: Number) -> str:
    """`up` or `down` as the words around the first mention of a number say; empty when they do not, or say both."""
    place = text.find(number.text)
    if place < 0:
        match = next((m for m in re.finditer(r"\d+(?:\.\d+)?", text) if _same(m.group(), number)), None)
        if match is None:
            return ""
        place, length = match.start(), len(match.group())
    else:
        length = len(number.text)
    after = re.split(r"[,;:()]", text[place + length : place + length + _NEAR], maxsplit=1)[0]
    before = re.split(r"[,;:(]", text[max(0, place - _NEAR) : place])[-1]
    for window, last in ((after, False), (before, True)):
        matches = list(_DIRECTION.finditer(window))
        if matches:
            match = matches[-1] if last else matches[0]
            return "up" if match["up"] else "down"
    return ""


def _same(digits: str, number: Number) -> bool:
    return abs(float(digits) - number.value) < 1e-9


def _opposed(one: str, other: str) -> bool:
    return bool(one and other and one != other)


def strange_names(claim: str, text: str) -> list[str]:
    """Names in `claim` that `text` (title and abstract) does not hold."""
    folded = plain(text).casefold()
    held = {_bare(word) for word in raw_words(text)} | {_bare(p) for word in raw_words(text) for p in _parts(word)}
    found = []
    for position, word in enumerate(raw_words(claim)):
        capital = position > 0 and word[0].isupper() and word.lower() not in STOP_WORDS and len(word) > 2
        if not (looks_like_name(word) or capital) or word.casefold() in folded:
            continue
        # Of a compound ("HIV-positive") only the parts that are written as names must be held.
        parts = [part for part in _parts(word) if not part.islower()] or [word]
        if not _is_held(word, held) and not all(_is_held(part, held) or _spelled_out(part, text) for part in parts):
            found.append(word)
    return list(dict.fromkeys(found))


def _parts(word: str) -> list[str]:
    return [part for part in re.split(r"[-–/]", word) if part]


def _is_held(word: str, held: set[str]) -> bool:
    bare = _bare(word)
    return bool({bare, bare.removesuffix("s"), bare + "s", stem(bare)} & held)


def _spelled_out(acronym: str, text: str) -> bool:
    """Whether a run of words of `text` has the letters of an acronym as its initials."""
    if not acronym.isupper() or not 2 <= len(acronym) <= 6:
        return False
    initials = "".join(part[0] for part in re.findall(r"[^\W\d_]+", text)).upper()
    return acronym in initials


def turned_round(claim: str, sentence: str) -> str:
    """How `claim` says the reverse of `sentence` though it uses its words; empty when it does not."""
    said, meant = set(index_tokens(claim)), set(index_tokens(sentence))
    for left, right in _opposites():
        mine, theirs = said & left, meant & right
        if (
            mine
            and theirs
            and not said & right
            and not meant & left
            and _around(claim, mine) & _around(sentence, theirs)
        ):
            return wording.REVERSALS["opposite"].format(mine=_written(claim, mine), theirs=_written(sentence, theirs))
    for one, other in ((claim, sentence), (sentence, claim)):
        if (denied := _denied(one) - _denied(other)) & set(index_tokens(other)):
            return wording.REVERSALS["denied"].format(word=_written(other, denied))
    return wording.REVERSALS["swapped"] if _swapped(claim, sentence) else ""


def _around(text: str, tokens: set[str]) -> set[str]:
    """The informative words within three of one of `tokens`."""
    words = index_tokens(text)
    places = [place for place, token in enumerate(words) if token in tokens]
    return {token for place in places for token in words[max(0, place - 3) : place + 4]} - tokens


def _denied(text: str) -> set[str]:
    """The informative word behind each negation."""
    found = set()
    for match in _NEGATION.finditer(text):
        if _NO_DENIAL.search(text[: match.start()]) or re.match(r"\s+only\b", text[match.end() :]):
            continue
        found.update(index_tokens(text[match.end() :])[:1])
    return found


def _written(text: str, tokens: set[str]) -> str:
    return next((word for word in raw_words(text) if set(index_tokens(word)) & tokens), next(iter(tokens)))


def _swapped(claim: str, sentence: str) -> bool:
    """Whether what stands before and after "outperforms" or "better than" has changed places."""
    mine, theirs = _sides(claim), _sides(sentence)
    if mine is None or theirs is None:
        return False
    (a, b), (c, d) = mine, theirs
    one_way, other_way = (a - b) & (d - c), (b - a) & (c - d)
    straight = len((a - b) & (c - d)) + len((b - a) & (d - c))
    return bool(one_way and other_way) and len(one_way) + len(other_way) >= straight


def _sides(text: str) -> tuple[set[str], set[str]] | None:
    match = _BEATS.search(text)
    if match is None:
        return None
    before, after = text[: match.start()], text[match.end() :]
    sides = set(index_tokens(before)), set(index_tokens(after))
    # "A is outperformed by B" says what "B outperforms A" says.
    passive = _PASSIVE.search(before) and re.match(r"\s*by\b", after)
    return (sides[1], sides[0]) if passive else sides
