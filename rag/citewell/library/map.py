"""A map of the library: every paper a point in the plane, papers of like meaning near each other, topics named.

Made once per library version and kept in `map.npz` in the home folder. The projection is t-SNE (van der Maaten &
Hinton, 2008; openTSNE: Poličar, Stražar & Zupan, 2024) of the first principal components of the papers' mean passage
vectors; topics are k-means clusters of the points.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citewell.batches import batched
from citewell.library.library import Library
from citewell.progress import Progress, no_progress
from citewell.text.topics import group_names

FORMAT = "map/1"
SEED = 7
COMPONENTS = 30
# t-SNE wants more points than its perplexity; below this the first two components are shown as they are.
FEWEST = 12
PERPLEXITY = 30.0
# Rounds of the projection: with the pull between neighbours exaggerated, then without.
EXAGGERATED, PLAIN, ROUNDS_A_STEP = 250, 500, 25
# When no more than this share is new, new papers are put beside their nearest neighbours instead of drawing all anew.
NEW_SHARE, NEIGHBOURS = 0.1, 5
PAPERS_A_TOPIC, FEWEST_TOPICS, MOST_TOPICS = 90, 4, 24
NAMED_BY = 250


@dataclass(frozen=True, slots=True)
class LibraryMap:
    """`points` has shape `(papers, 2)`, each axis within -1 to 1; `topics[i]` is the place in `names` of `ids[i]`."""

    version: int
    ids: tuple[str, ...]
    points: NDArray[np.float32]
    topics: NDArray[np.int32]
    names: tuple[str, ...]

    @classmethod
    def load(cls, home: Path) -> LibraryMap | None:
        """The map on disk, of whatever version; None when there is none that can be read."""
        with suppress(OSError, ValueError, KeyError), np.load(home / "map.npz") as kept:
            facts = json.loads(str(kept["facts"]))
            if facts["format"] == FORMAT:
                return cls(facts["version"], tuple(facts["ids"]), kept["points"], kept["topics"], tuple(facts["names"]))
        return None

    def save(self, home: Path) -> None:
        """Write the map so that a reader sees the old one or the new one."""
        facts = {"format": FORMAT, "version": self.version, "ids": self.ids, "names": self.names}
        fresh = home / "map.new.npz"
        np.savez_compressed(fresh, points=self.points, topics=self.topics, facts=np.array(json.dumps(facts)))
        fresh.replace(home / "map.npz")


def current_map(library: Library) -> LibraryMap | None:
    """The kept map if it is of the library's present version."""
    made = LibraryMap.load(library.settings.home)
    return made if made is not None and made.version == library.version else None


def make_map(library: Library, progress: Progress = no_progress) -> LibraryMap:
    """The map of the present version: the kept one, or a new one, which is then kept."""
    kept = LibraryMap.load(library.settings.home)
    version = library.version
    if kept is not None and kept.version == version:
        return kept
    ids, vectors = _mean_vectors(library, progress)
    points = _placed_beside(kept, ids, vectors) if kept is not None else None
    points = points if points is not None else _scaled(_projected(vectors, progress))
    progress("Naming the topics", 0, 0)
    topics, names = _topics(library, ids, points)
    made = LibraryMap(version, tuple(ids), points.astype(np.float32), topics, names)
    made.save(library.settings.home)
    return made


def _mean_vectors(library: Library, progress: Progress) -> tuple[list[str], NDArray[np.float32]]:
    """Ids and unit mean vectors, shape `(papers, dimension)`, of every paper that has vectors."""
    ids: list[str] = []
    blocks: list[NDArray[np.float32]] = []
    count = len(library)
    for papers in batched(library.papers(), 500):
        progress("Reading the vectors", len(ids), count)
        # A snapshot keeps what it has read: one for each batch.
        snapshot = library.snapshot()
        some, means = snapshot.mean_vectors(papers)
        if some:
            ids += some
            blocks.append(means)
    return ids, np.concatenate(blocks).astype(np.float32) if blocks else np.zeros((0, 1), np.float32)


def _projected(vectors: NDArray[np.float32], progress: Progress) -> NDArray[np.float32]:
    """Points in the plane, shape `(papers, 2)`."""
    count = len(vectors)
    if count < 2:
        return np.zeros((count, 2), np.float32)
    progress("Placing the papers", 0, 0)
    from sklearn.decomposition import PCA

    components = PCA(min(COMPONENTS, count, vectors.shape[1]), random_state=SEED).fit_transform(vectors)
    if count < FEWEST:
        return np.pad(components, ((0, 0), (0, 2)))[:, :2].astype(np.float32)
    from openTSNE import TSNE

    rounds = 0

    def note(_round: int, _error: float, _points: object) -> bool:
        nonlocal rounds
        rounds += ROUNDS_A_STEP
        progress("Placing the papers", rounds, EXAGGERATED + PLAIN)
        return False

    tsne = TSNE(
        perplexity=min(PERPLEXITY, (count - 1) / 3), early_exaggeration_iter=EXAGGERATED, n_iter=PLAIN,
        initialization="pca", callbacks=note, callbacks_every_iters=ROUNDS_A_STEP, random_state=SEED, n_jobs=-1,
    )  # fmt: skip
    return np.asarray(tsne.fit(components), dtype=np.float32)


def _scaled(points: NDArray[np.float32]) -> NDArray[np.float32]:
    if not len(points):
        return points
    low, high = points.min(axis=0), points.max(axis=0)
    scaled: NDArray[np.float32] = (2 * (points - low) / np.maximum(high - low, 1e-9) - 1).astype(np.float32)
    return scaled


def _placed_beside(kept: LibraryMap, ids: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """Points that keep the old map and put each new paper among its nearest old ones; None when too many are new."""
    place = dict(zip(kept.ids, kept.points, strict=True))
    new = [row for row, paper_id in enumerate(ids) if paper_id not in place]
    old = [row for row, paper_id in enumerate(ids) if paper_id in place]
    if len(old) < FEWEST or len(new) > NEW_SHARE * len(ids):
        return None
    points = np.array([place.get(paper_id, (0.0, 0.0)) for paper_id in ids], dtype=np.float32)
    known = vectors[old]
    for rows in batched(new, 500):
        near = np.argpartition(-(vectors[rows] @ known.T), NEIGHBOURS - 1, axis=1)[:, :NEIGHBOURS]
        points[rows] = points[np.asarray(old)[near]].mean(axis=1)
    return points


def _topics(
    library: Library, ids: Sequence[str], points: NDArray[np.float32]
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """The topic of each paper, the largest topic first, and the topics' names."""
    wanted = round(len(ids) / PAPERS_A_TOPIC)
    count = 1 if len(ids) < FEWEST else min(MOST_TOPICS, wanted) if wanted > 1 else FEWEST_TOPICS
    if not ids:
        return np.zeros(0, np.int32), ()
    from sklearn.cluster import KMeans

    labels = KMeans(count, n_init=4, random_state=SEED).fit_predict(points.astype(np.float64))
    order = np.argsort(-np.bincount(labels, minlength=count), kind="stable")
    topics = np.argsort(order)[labels].astype(np.int32)
    members = [[ids[row] for row in np.flatnonzero(topics == topic)[:NAMED_BY]] for topic in range(count)]
    groups = [list(library.catalog.papers_by_id(own).values()) for own in members]
    return topics, tuple(group_names(groups)) if count > 1 else ("all papers",)
