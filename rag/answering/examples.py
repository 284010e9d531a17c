"""Questions that this library can answer, for someone who does not know what to ask."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from rag.library import Library
from rag.text.names import looks_like_name, title_names
from rag.text.words import QUESTION_WORDS, STOP_WORDS, raw_words

LOOK_AT = 400


def example_questions(library: Library, count: int = 4) -> list[str]:
    """Up to `count` questions made of the names and topics of the library's own papers."""
    named: list[str] = []
    pairs: Counter[tuple[str, str]] = Counter()
    for position, paper in enumerate(library.papers()):
        if position >= LOOK_AT:
            break
        if paper.title_from_text:
            continue
        found = [name.text for name in title_names(paper.title)]
        names = [name for name in found if looks_like_name(name.split()[0]) and name[0].isalpha()]
        if names and ":" in paper.title and paper.title.startswith(names[0]):
            named.append(names[0])
        words = [word.lower() for word in raw_words(paper.title)]
        pairs.update(pair for pair in pairwise(words) if not set(pair) & (STOP_WORDS | QUESTION_WORDS))
    forms = ("What is {}?", "How does {} work?", "Summarise {}.")
    questions = [form.format(name) for form, name in zip(forms, _spread(named, len(forms)), strict=False)]
    common = [pair for pair, times in pairs.most_common(3) if times > 1]
    if common:
        questions.insert(1, f"Which papers are about {' '.join(common[0])}?")
    return questions[:count]


def _spread(items: list[str], count: int) -> list[str]:
    """`count` items from the whole length of the list."""
    step = max(1, len(items) // count)
    return items[::step][:count]
