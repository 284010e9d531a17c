"""Names for groups of papers, made of the words that set each group apart from the others."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from citewell.paper import Paper
from citewell.text.tokens import QUESTION_WORDS, STOP_WORDS, stem

# Words of every abstract: they set nothing apart, whatever a small sample says.
_EVERYWHERE = frozenset(
    """method methods approach approaches model models problem problems results result performance propose novel new
    existing experiments experimental demonstrate demonstrates framework algorithm algorithms achieve achieves
    state-of-the-art state art significantly effective effectively various different data dataset datasets task tasks
    training learning via across however while under often current high low large better code available github https com
    provide enables enable approach outperforms improve improves improved improving leveraging leverage leverages key
    important real world many first second well also make makes making learn learned setting settings including include
    extensive thus moreover furthermore additionally specifically address challenge challenges challenging due given
    towards toward beyond without despite able simple position understanding efficient""".split()
)
LONGEST_TEXT = 2_000
# What a word still weighs once it names another group.
TAKEN = 0.15


def group_names(groups: Sequence[Sequence[Paper]], words: int = 2) -> list[str]:
    """A name for each group: its most distinctive words or pairs of words, joined by commas.

    Only words of the group's titles are taken, which hold the nouns of a field and few of its verbs. A word's weight is
    its share of the Kullback-Leibler divergence of the group's documents from all documents.
    """
    from sklearn.feature_extraction.text import CountVectorizer

    texts = [f"{paper.title}. {paper.abstract}"[:LONGEST_TEXT] for group in groups for paper in group]
    if not any(text.strip() for text in texts):
        return ["" for _ in groups]
    stop = sorted(STOP_WORDS | QUESTION_WORDS | _EVERYWHERE)
    counter = CountVectorizer(
        binary=True,
        ngram_range=(1, 2),
        stop_words=stop,
        token_pattern=r"(?u)\b[^\W\d_][\w-]{2,}\b",
        min_df=2 if len(texts) > 3 else 1,
        max_features=20_000,
        dtype=np.float32,
    )
    try:
        matrix = counter.fit_transform(texts).tocsr()
    except ValueError:  # nothing but stop words
        return ["" for _ in groups]
    terms = counter.get_feature_names_out()
    overall = np.asarray(matrix.mean(axis=0)).ravel()
    ends = np.cumsum([len(group) for group in groups])
    names: list[str] = []
    taken: set[str] = set()
    for group, end in zip(groups, ends, strict=True):
        share = np.asarray(matrix[end - len(group) : end].mean(axis=0)).ravel() if group else np.zeros(len(terms))
        weight = np.where(share > 0, share * np.log(np.maximum(share, 1e-9) / overall), 0.0)
        # A pair of words says more than either alone.
        weight *= np.array([1.3 if " " in term else 1.0 for term in terms])
        # Words that name an earlier group tell this one from it less.
        weight *= np.array([TAKEN if taken & _stems(term) else 1.0 for term in terms])
        titles = " . ".join(paper.title for paper in group).lower()
        fewest = min(2, len(group)) / max(1, len(group))
        best = (str(terms[row]) for row in np.argsort(-weight, kind="stable")[:400] if share[row] >= fewest)
        # Words that were neighbours only once stop words were gone make no pair.
        chosen = _apart([term for term in best if re.search(rf"\b{re.escape(term)}\b", titles)], words)
        names.append(", ".join(chosen))
        taken = taken.union(*map(_stems, chosen))
    return names


def _stems(term: str) -> set[str]:
    return {stem(word) for word in term.split()}


def _apart(terms: Sequence[str], count: int) -> list[str]:
    """The first `count` terms that share no word with those before them."""
    chosen: list[str] = []
    used: set[str] = set()
    for term in terms:
        own = _stems(term)
        if not own & used and len(chosen) < count:
            chosen.append(term)
            used |= own
    return chosen
