"""The same code against a real `chroma run`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from citewell.assistant import Assistant
from citewell.errors import VectorStoreError
from citewell.library import Library
from citewell.library.doctor import examine
from citewell.settings import load_settings
from tests.browser.server import free_port, wait_until_up


@pytest.fixture(scope="module")
def chroma_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    folder = tmp_path_factory.mktemp("chroma")
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(folder), "--host", "127.0.0.1"]
    server = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_up(f"{url}/api/v2/heartbeat")
        yield url
    finally:
        server.kill()


def test_a_library_on_a_server_ingests_answers_and_encodes_once(chroma_url: str, seeded_home: Path, embeddings) -> None:
    settings = load_settings(chroma_url=chroma_url, chroma_token="secret", collection="seeds-one")
    library = Library(settings, embeddings)
    calls: list[int] = []
    real = embeddings.encode
    embeddings.encode = lambda texts, **kw: (calls.append(len(texts)), real(texts, **kw))[1]
    try:
        library.rebuild()  # moving the seeds to the server takes the vectors that are there
        assert calls == []
    finally:
        del embeddings.encode
    assert not (seeded_home / "chroma").is_dir() or examine(library).ok
    answer = Assistant(library).answer("How much faster does GenZSL train than f-VAEGAN on AWA2?")
    assert "60" in answer.sentences[0].text
    assert answer.notices == ()
    assert examine(library).ok
    library.close()


def test_two_libraries_in_one_collection_are_kept_apart(
    chroma_url: str, seeded_home: Path, embeddings, tmp_path
) -> None:
    first = Library(load_settings(chroma_url=chroma_url, collection="seeds-two"), embeddings)
    first.rebuild()
    second = Library(load_settings(home=tmp_path / "other", chroma_url=chroma_url, collection="seeds-two"), embeddings)
    with pytest.raises(VectorStoreError, match="CITEWELL_COLLECTION"), second.store.use(0):
        pass


def test_an_unknown_tenant_is_told(chroma_url: str, seeded_home: Path, embeddings) -> None:
    library = Library(load_settings(chroma_url=chroma_url, chroma_tenant="nobody"), embeddings)
    with pytest.raises(VectorStoreError, match="CITEWELL_CHROMA_TENANT"), library.store.use(0):
        pass


def test_a_tenant_and_database_of_ones_own(chroma_url: str, seeded_home: Path, embeddings) -> None:
    from chromadb import AdminClient
    from chromadb.config import Settings as ChromaSettings

    port = int(chroma_url.rsplit(":", 1)[1])
    admin = AdminClient(
        ChromaSettings(
            chroma_api_impl="chromadb.api.fastapi.FastAPI",
            chroma_server_host="127.0.0.1",
            chroma_server_http_port=port,
            anonymized_telemetry=False,
        )
    )
    admin.create_tenant("lab")
    admin.create_database("papers", tenant="lab")
    settings = load_settings(chroma_url=chroma_url, chroma_tenant="lab", chroma_database="papers")
    library = Library(settings, embeddings)
    library.rebuild()
    assert examine(library).ok


def test_a_server_that_is_not_there_leaves_search_by_words(seeded_home: Path, embeddings) -> None:
    library = Library(load_settings(chroma_url="http://127.0.0.1:9"), embeddings)
    answer = Assistant(library).answer("Which paper automates data scaling for sim2real manipulation?")
    assert answer.sources[0].paper.title.startswith("DexScale")
    assert "does not answer" in answer.notices[0].text
    assert "chroma run" in answer.notices[0].text
