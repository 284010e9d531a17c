"""The map of the library: what lies near what, and what stays where it was."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from citewell.library import Library
from citewell.library import map as atlas
from citewell.library.map import LibraryMap, current_map, make_map
from citewell.progress import no_progress
from citewell.settings import Settings


def test_every_seed_has_a_place_and_a_topic(library: Library) -> None:
    steps: list[tuple[str, int, int]] = []
    made = make_map(library, lambda *step: steps.append(step))
    assert sorted(made.ids) == sorted(paper.id for paper in library.papers())
    assert made.points.shape == (29, 2)
    assert np.abs(made.points).max() <= 1.0
    assert np.ptp(made.points, axis=0).min() > 1.9
    assert set(made.topics) == set(range(len(made.names)))
    assert all(name.strip() for name in made.names)
    assert len(set(made.names)) == len(made.names)
    counted = [(done, total) for stage, done, total in steps if stage == "Placing the papers" and total]
    assert counted[-1] == (750, 750)


def test_the_map_is_made_once_per_version(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    assert current_map(library) is None
    made = make_map(library)
    monkeypatch.setattr(atlas, "_projected", None)  # a second projection would fail
    for again in (make_map(library), current_map(library)):
        assert again is not None
        assert again.ids == made.ids
        assert again.names == made.names
        assert np.array_equal(again.points, made.points)


def test_groups_that_lie_apart_stay_apart() -> None:
    random = np.random.default_rng(3)
    middles = random.standard_normal((3, 64))
    vectors = np.concatenate([middle + 0.3 * random.standard_normal((50, 64)) for middle in middles])
    points = atlas._projected(vectors.astype(np.float32), no_progress)
    group = np.repeat(np.arange(3), 50)
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    assert (group[distances.argmin(axis=1)] == group).mean() == 1.0


def test_new_papers_come_beside_their_like_and_the_others_stay(library: Library, tmp_path: Path) -> None:
    before = make_map(library)
    papers = list(library.papers())
    twin = papers[4]
    file = tmp_path / "new.jsonl"
    rest = twin.abstract.split(". ", 1)[1]
    file.write_text(json.dumps({"title": "A second look", "abstract": f"We look at this once more. {rest}"}))
    library.ingest([file])
    after = make_map(library)
    assert after.version > before.version
    places = dict(zip(after.ids, after.points, strict=True))
    assert all(np.array_equal(places[paper], point) for paper, point in zip(before.ids, before.points, strict=True))
    new = next(paper for paper in after.ids if paper not in before.ids)
    distance = {paper: float(np.linalg.norm(point - places[new])) for paper, point in places.items() if paper != new}
    near = library.snapshot().similar(library.catalog.papers_by_id([new])[new], 5)
    assert near[0].id == twin.id
    assert np.mean([distance[paper.id] for paper in near]) < np.median(list(distance.values()))


def test_a_damaged_map_is_made_anew(library: Library) -> None:
    make_map(library)
    (library.settings.home / "map.npz").write_bytes(b"not a map")
    assert current_map(library) is None
    assert len(make_map(library).ids) == 29


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_a_small_library_has_a_map_too(settings: Settings, embeddings, tmp_path: Path, count: int) -> None:
    library = Library.open(settings.model_copy(update={"seed": False}), embeddings)
    file = tmp_path / "few.jsonl"
    names = ("sorting", "whales", "bandits", "proteins", "poems")[:count]
    rows = [{"title": f"On {name}", "abstract": f"We study {name} and what they do all day long."} for name in names]
    file.write_text("\n".join(map(json.dumps, rows)))
    if rows:
        library.ingest([file])
    made = make_map(library)
    assert len(made.ids) == len(made.points) == len(made.topics) == count
    assert np.isfinite(made.points).all()
    kept = LibraryMap.load(settings.home)
    assert kept is not None
    assert kept.ids == made.ids
    library.close()
