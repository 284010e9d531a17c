"""The registry says of every model what is true of its file."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path

import pytest

from citewell.models.bundled import bundled_model_folder
from citewell.models.registry import ENCODER, MODELS, SUPPORT, ModelDescription, fitted


def weights_file(model: ModelDescription) -> Path:
    if model.package:
        return bundled_model_folder() / "model.safetensors"
    return Path(str(files("citewell.models").joinpath(model.file)))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_size_and_hash_are_those_of_the_weights(model: ModelDescription) -> None:
    data = weights_file(model).read_bytes()
    assert (len(data), hashlib.sha256(data).hexdigest()) == (model.size, model.sha256)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_every_field_is_told(model: ModelDescription) -> None:
    facts = model.to_dict()
    assert [name for name, value in facts.items() if not value] == (["file"] if model.package else ["package"])


def test_every_weights_file_has_its_record() -> None:
    folder = Path(str(files("citewell.models")))
    assert {str(path.relative_to(folder)) for path in folder.rglob("*.json")} == {m.file for m in MODELS if m.file}


def test_the_figure_of_the_support_check_is_the_one_that_was_measured() -> None:
    measured = fitted(SUPPORT)["scifact_held_back"]
    assert f"{measured['claims']} held-back claims: {measured['this check']:.3f}" in SUPPORT.figure


def test_names_are_unique() -> None:
    assert len({model.name for model in MODELS}) == len(MODELS)
    assert ENCODER in MODELS
