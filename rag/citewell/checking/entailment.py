"""An optional second opinion on support: a cross-encoder trained on natural language inference."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from citewell.errors import CitewellError
from citewell.retrieval.reranker import load_cross_encoder
from citewell.sentence import Doubt, DoubtKind, Support
from citewell.settings import Settings

# Probabilities from which the model's word counts.
CONTRADICTED, ENTAILED = 0.7, 0.7


class Entailment:
    """Probabilities that quoted words entail or contradict a claim; the model is loaded at its first use."""

    def __init__(self, name: str, settings: Settings) -> None:
        self._name = name
        self._settings = settings
        self._model: Any = None
        self._columns: dict[str, int] = {}
        self._lock = threading.Lock()

    def probabilities(self, premise: str, claim: str) -> dict[str, float]:
        """`entailment` and `contradiction`, each 0 to 1. Raises `CitewellError` when the model cannot be used."""
        model = self._loaded()
        logits = np.asarray(
            model.predict([(premise, claim)], show_progress_bar=False, apply_softmax=False), dtype=float
        )
        row = np.exp(logits[0] - logits[0].max())
        row /= row.sum()
        return {label: float(row[column]) for label, column in self._columns.items()}

    def joined(self, claim: str, premise: str, verdict: Support, doubt: Doubt | None) -> tuple[Support, Doubt | None]:
        """A verdict with this opinion counted in.

        A contradiction takes "supported" down to "partly"; an entailment lifts "partly" to "supported" unless a number
        or a name is at fault, which no model may overrule.
        """
        found = self.probabilities(premise, claim)
        if verdict is Support.SUPPORTED and found["contradiction"] >= CONTRADICTED:
            return Support.PARTLY, Doubt(DoubtKind.CONTRADICTED)
        near = doubt is not None and doubt.kind is DoubtKind.SOMETHING_NEAR
        if near and found["entailment"] >= ENTAILED:
            return Support.SUPPORTED, None
        return verdict, doubt

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                model = load_cross_encoder(self._name, self._settings, "CITEWELL_NLI_MODEL")
                labels = {str(name).lower(): int(column) for column, name in model.config.id2label.items()}
                self._columns = {name: labels[name] for name in ("entailment", "contradiction") if name in labels}
                if len(self._columns) < 2:
                    raise CitewellError(
                        f"“{self._name}” is no inference model: its labels are {', '.join(labels)}.",
                        "Set CITEWELL_NLI_MODEL to one with the labels entailment and contradiction.",
                    )
                self._model = model
        return self._model
