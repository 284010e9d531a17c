"""One text to a vector with numpy alone: a BERT encoder small enough that a question takes some ten milliseconds.

Importing torch takes most of a cold start, and a question is one short text; so questions, and a few texts at a time,
are encoded here with the same weights, and torch is loaded only where many texts are. The vectors agree with those of
sentence-transformers to a cosine of 0.999999 (tested).
"""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Array = NDArray[np.float32]


class QueryEncoder:
    """A sentence-transformers folder of a BERT model with mean pooling, read by numpy. Safe between threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        reading = json.loads((folder / "sentence_bert_config.json").read_text(encoding="utf-8"))
        self._max_tokens = int(reading["max_seq_length"])

    @cached_property
    def _weights(self) -> dict[str, Array]:
        from safetensors.numpy import load_file

        return {name: np.asarray(value) for name, value in load_file(self._folder / "model.safetensors").items()}

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.enable_truncation(self._max_tokens)
        tokenizer.no_padding()
        return tokenizer

    def load(self) -> None:
        """Read weights and vocabulary now, rather than with the first text."""
        _ = self._weights, self._tokenizer

    def encode(self, text: str) -> Array:
        """The unit vector of a text, shape `(hidden size,)`, float32."""
        hidden = self._embedded(self._tokenizer.encode(text.strip()).ids)
        for layer in range(int(self._config["num_hidden_layers"])):
            hidden = self._layer(hidden, f"encoder.layer.{layer}")
        mean = hidden.mean(axis=0)
        vector: Array = (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype(np.float32)
        return vector

    def _embedded(self, ids: list[int]) -> Array:
        weights = self._weights
        words = weights["embeddings.word_embeddings.weight"][ids]
        places = weights["embeddings.position_embeddings.weight"][: len(ids)]
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        return self._normed(words + places + kind, "embeddings.LayerNorm")

    def _layer(self, hidden: Array, name: str) -> Array:
        """Self-attention and feed-forward of one layer; shape `(tokens, hidden size)` in and out."""
        attended = self._attention(hidden, f"{name}.attention.self")
        dense = self._linear(attended, f"{name}.attention.output.dense")
        hidden = self._normed(hidden + dense, f"{name}.attention.output.LayerNorm")
        inner = gelu(self._linear(hidden, f"{name}.intermediate.dense"))
        return self._normed(hidden + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _attention(self, hidden: Array, name: str) -> Array:
        tokens, size = hidden.shape
        heads = int(self._config["num_attention_heads"])
        width = size // heads
        query, key, value = (
            self._linear(hidden, f"{name}.{part}").reshape(tokens, heads, width).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(width))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        joined: Array = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        return joined.transpose(1, 0, 2).reshape(tokens, size)

    def _linear(self, hidden: Array, name: str) -> Array:
        return np.asarray(hidden @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"])

    def _normed(self, hidden: Array, name: str) -> Array:
        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(self._config["layer_norm_eps"]))
        return np.asarray(centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"])


def gelu(values: Array) -> Array:
    """x · Φ(x), the error function after Abramowitz & Stegun (1964), formula 7.1.26: off by less than 2e-7."""
    scaled = np.abs(values) * np.float32(0.7071067811865476)
    t = 1.0 / (1.0 + np.float32(0.3275911) * scaled)
    series: Array = np.full_like(values, 1.061405429)
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = series * t + np.float32(coefficient)
    erf = np.sign(values) * (1.0 - series * t * np.exp(-scaled * scaled))
    return np.asarray(0.5 * values * (1.0 + erf), dtype=np.float32)
