"""An optional last look at the best papers by a cross-encoder, which reads question and abstract together."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

from citewell.errors import CitewellError
from citewell.hit import Hit
from citewell.settings import Settings


class Reranker:
    """A sentence-transformers CrossEncoder, loaded at its first use."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self._settings = settings
        self._model: Any = None
        self._lock = threading.Lock()

    @classmethod
    def from_settings(cls, settings: Settings) -> Reranker | None:
        """The configured reranker; None when there is none."""
        return cls(settings.reranker, settings) if settings.reranker else None

    def reorder(self, question: str, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        """The same hits, best first by the cross-encoder; `score` becomes its score. Raises `CitewellError`."""
        if len(hits) < 2:
            return hits
        pairs = [(question, f"{hit.paper.title}\n{hit.paper.abstract}") for hit in hits]
        scores = [float(score) for score in self._loaded().predict(pairs, show_progress_bar=False)]
        order = sorted(range(len(hits)), key=lambda row: -scores[row])
        return tuple(replace(hits[row], score=scores[row]) for row in order)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = load_cross_encoder(self.name, self._settings, "CITEWELL_RERANKER")
        return self._model


def load_cross_encoder(name: str, settings: Settings, variable: str) -> Any:
    """A CrossEncoder by name or folder. Raises `CitewellError` that names the setting to change."""
    try:
        from sentence_transformers import CrossEncoder
    except ImportError:
        raise CitewellError(
            "Cross-encoders need sentence-transformers.", "Install it with: pip install 'citewell[models]'"
        ) from None
    try:
        return CrossEncoder(name, device="cpu", local_files_only=settings.offline)
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise CitewellError(
            f"The cross-encoder “{name}” cannot be loaded: {reason.rstrip('.')}.",
            f"Set {variable} to a folder that holds one, or allow its download with CITEWELL_OFFLINE=false.",
        ) from None
