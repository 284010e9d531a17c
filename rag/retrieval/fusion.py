"""Joining the dense and the word leg into one score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
WORDS_SHARE = 0.5


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
