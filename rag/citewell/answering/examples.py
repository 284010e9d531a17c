"""Questions that this library can answer, for someone who does not know what to ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

from citewell import wording
from citewell.library import Library
from citewell.paper import Paper
from citewell.text.names import looks_like_name, title_names
from citewell.text.tokens import QUESTION_WORDS, STOP_WORDS, raw_words

LOOK_AT = 400
FORMS = (wording.EXAMPLES["define"], wording.EXAMPLES["summarise"])
T = TypeVar("T")


def example_questions(library: Library, count: int = 4) -> list[str]:
    """Up to `count` questions of different kinds, made of the names and topics of the library's own papers."""
    named: list[tuple[str, Paper]] = []
    pairs: Counter[tuple[str, str]] = Counter()
    for position, paper in enumerate(library.papers()):
        if position >= LOOK_AT:
            break
        if paper.title_from_text:
            continue
        found = [name.text for name in title_names(paper.title)]
        names = [name for name in found if looks_like_name(name.split()[0]) and name[0].isalpha()]
        if names and ":" in paper.title and paper.title.startswith(names[0]):
            named.append((names[0], paper))
        words = [word.lower() for word in raw_words(paper.title)]
        pairs.update(pair for pair in pairwise(words) if not set(pair) & (STOP_WORDS | QUESTION_WORDS))
    questions = [form.format(name=name) for form, (name, _) in zip(FORMS, _spread(named, len(FORMS)), strict=False)]
    if pair := _nearest(library, named):
        questions.append(wording.EXAMPLES["compare"].format(one=pair[0], other=pair[1]))
    common = [pair for pair, times in pairs.most_common(3) if times > 1]
    if common:
        questions.insert(1, wording.EXAMPLES["about"].format(topic=" ".join(common[0])))
    return questions[:count]


def _nearest(library: Library, named: Sequence[tuple[str, Paper]]) -> tuple[str, str] | None:
    """The names of the two named papers that are nearest to each other by meaning."""
    ids, vectors = library.snapshot().mean_vectors(paper for _, paper in named)
    if len(ids) < 2:
        return None
    names = {paper.id: name for name, paper in named}
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1.0)
    pair = {ids[row] for row in np.unravel_index(int(cosines.argmax()), cosines.shape)}
    one, other = (name for paper_id, name in names.items() if paper_id in pair)
    return one, other


def _spread(items: list[T], count: int) -> list[T]:
    """`count` items from the whole length of the list."""
    step = max(1, len(items) // count)
    return items[::step][:count]
