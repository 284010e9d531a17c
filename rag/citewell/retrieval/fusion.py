"""Joining the dense and the word leg into one score over one pool of candidates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Matrix = NDArray[np.float32]
WORDS_SHARE = 0.45
# How much of a paper's meaning score is its best single sentence; the rest is its best passage.
SENTENCE_SHARE = 0.3
# Pseudo-relevance feedback: the question is drawn this far towards the mean of so many best papers.
FEEDBACK_PAPERS, FEEDBACK_SHARE = 3, 0.2


def standardised(scores: Scores) -> Scores:
    """Scores with mean 0 and deviation 1; all zero when they do not differ."""
    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread > 1e-9 else np.zeros_like(scores)


def fuse(dense: Scores, words: Scores, words_share: float = WORDS_SHARE) -> Scores:
    """Weighted sum of the standardised scores of one pool of candidates, both legs complete; shape `(pool,)`."""
    if not words.any():
        return standardised(dense)
    if not dense.any():
        return standardised(words)
    return (1.0 - words_share) * standardised(dense) + words_share * standardised(words)


def with_feedback(dense: Scores, first: Scores, means: Matrix) -> Scores:
    """`dense` drawn towards the papers that come out best in `first`.

    `means` are the unit mean vectors of the pool's papers, shape `(pool, dimension)`. The vector form of Rocchio's
    feedback (1971), blended on scores rather than on the query so that the question keeps a fixed say.
    """
    best = np.argsort(-first, kind="stable")[:FEEDBACK_PAPERS]
    centre = means[best].mean(axis=0)
    length = float(np.linalg.norm(centre))
    if length < 1e-9:
        return dense
    nearness = (means @ (centre / length)).astype(np.float64)
    return np.asarray((1.0 - FEEDBACK_SHARE) * dense + FEEDBACK_SHARE * nearness)
