"""Text to vectors: the bundled model on ONNX Runtime, any other by sentence-transformers, loaded at first use."""

from __future__ import annotations

import json
import threading
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from citewell.errors import WeightsError
from citewell.library.onnx_encoder import OnnxEncoder
from citewell.library.ports import Vectors
from citewell.models.bundled import bundled_model_folder
from citewell.models.registry import ENCODER
from citewell.settings import BUNDLED_MODEL, Settings

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

BATCH = 32
REMEMBERED = 256


class ModelEmbeddings:
    """Unit-length sentence vectors of one model. Thread-safe; nothing heavy is imported before the first text."""

    def __init__(self, model: str = BUNDLED_MODEL, *, offline: bool = True) -> None:
        self._model = model
        self._offline = offline
        self._lock = threading.RLock()
        self._is_loaded = False
        self._remembered = lru_cache(maxsize=REMEMBERED)(self.encode_query)

    @classmethod
    def from_settings(cls, settings: Settings) -> ModelEmbeddings:
        return cls(settings.embedding_model, offline=settings.offline)

    @property
    def name(self) -> str:
        """The model's name as it is stored with the vectors."""
        return ENCODER.name if self._model == BUNDLED_MODEL else self._model

    def encode(self, texts: list[str]) -> Vectors:
        """Vectors of shape `(len(texts), dimension)`, float32, each of length 1."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        if self._bundled is not None:
            return self._bundled.encode(texts)
        with self._lock:
            vectors = self._encoder.encode(texts, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    def query_vector(self, text: str) -> Vectors:
        """The unit vector of a question, shape `(dimension,)`; the last few are remembered."""
        return self._remembered(text)

    def encode_query(self, text: str) -> Vectors:
        """Like `query_vector`, but always encoded anew: for measuring."""
        vector: Vectors = self.encode([text])[0]
        return vector

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        if self._model == BUNDLED_MODEL and (config := self._config_of_folder("config.json")):
            return int(config["hidden_size"])
        encoder = self._encoder
        getter = getattr(encoder, "get_embedding_dimension", None) or encoder.get_sentence_embedding_dimension
        return int(getter() or 0)

    @cached_property
    def max_tokens(self) -> int:
        """Word pieces that the model reads, the two end marks included."""
        config = self._config_of_folder("sentence_bert_config.json")
        if config and "max_seq_length" in config:
            return int(config["max_seq_length"])
        return int(self._encoder.max_seq_length or 512)

    def token_offsets(self, texts: list[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of the word pieces of each text, end marks left out."""
        return [list(encoding.offsets) for encoding in self._tokenizer.encode_batch(texts, add_special_tokens=False)]

    @property
    def is_loaded(self) -> bool:
        """Whether questions can be encoded without loading anything first."""
        return self._is_loaded

    def load(self) -> None:
        """Load what encodes questions now, rather than with the first one."""
        with self._lock:
            if self._bundled is not None:
                self._bundled.load()
            else:
                _ = self._encoder
            self._is_loaded = True

    @cached_property
    def _bundled(self) -> OnnxEncoder | None:
        """The encoder without torch, for the one model that its graph is of."""
        return OnnxEncoder(bundled_model_folder()) if self._model == BUNDLED_MODEL else None

    @cached_property
    def _folder(self) -> Path | None:
        if self._model == BUNDLED_MODEL:
            return bundled_model_folder()
        path = Path(self._model).expanduser()
        return path if path.is_dir() else None

    def _config_of_folder(self, name: str) -> dict[str, Any] | None:
        if self._folder is None or not (self._folder / name).is_file():
            return None
        loaded = json.loads((self._folder / name).read_text(encoding="utf-8"))
        return loaded if isinstance(loaded, dict) else None

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        if self._folder is not None and (self._folder / "tokenizer.json").is_file():
            tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        else:
            tokenizer = Tokenizer.from_str(self._encoder.tokenizer.backend_tokenizer.to_str())
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _encoder(self) -> SentenceTransformer:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise WeightsError(
                "Embedding models other than the bundled one need sentence-transformers.",
                "Install it with: pip install 'citewell[models]'",
            ) from None
        try:
            return SentenceTransformer(str(self._folder or self._model), device="cpu", local_files_only=self._offline)
        except (OSError, ValueError, ImportError) as error:
            first_line = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise WeightsError(
                f"The embedding model {self._model} cannot be loaded: {first_line}",
                "Give CITEWELL_EMBEDDING_MODEL a folder on this machine, or set CITEWELL_OFFLINE=false once to "
                "download it, or leave both empty for the bundled model.",
            ) from None
