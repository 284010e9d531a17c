"""Retrieval figures in one table: this project's legs, a plain LangChain pipeline, and published figures of peers."""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from citewell.evaluation.known_items import known_items, score_library
from citewell.evaluation.retrieval import BeirSet, evaluation_library, measured, read_beir, score_retrieval
from citewell.library import Library
from citewell.models.bundled import bundled_model_folder
from citewell.settings import load_settings
from tests.conftest import SEEDS, SHARED

DEPTH = 100
HOME = Path(tempfile.gettempdir()) / "citewell-bench-retrieval"
# nDCG@10 on SciFact as its BEIR version has it. Sources: Thakur et al. 2021 (BM25), the MTEB results in the model cards
# of the encoders.
PUBLISHED = {
    "BM25 (BEIR paper)": 0.665,
    "all-MiniLM-L6-v2 (MTEB)": 0.645,
    "all-mpnet-base-v2 (MTEB)": 0.656,
    "bge-small-en-v1.5 (MTEB)": 0.713,
}


def main() -> None:
    folders = sorted(path.parent for path in (SHARED / "data/eval").glob("*/corpus.jsonl*"))
    if not folders:
        print("left out: no retrieval set is on this machine")
    for folder in folders:
        data = read_beir(folder)
        library = evaluation_library(data, load_settings(home=HOME))
        rows = {f"citewell, {leg}": values for leg, values in score_retrieval(data, library).items()}
        rows |= {f"LangChain, {leg}": values for leg, values in plain_pipeline(data).items()}
        library.close()
        print(f"\n{data.name}, {len(data.documents)} documents, {len(data.queries)} questions")
        for name, values in rows.items():
            print(f"  {name:32}" + "".join(f"  {key} {value:<8}" for key, value in values.items()))
        if data.name == "scifact":
            for name, value in PUBLISHED.items():
                print(f"  published: {name:32} ndcg@10 {value}")
    known()


def known() -> None:
    """Every known item of ICML 2025."""
    papers = SHARED / "data/icml-2025.jsonl"
    if not papers.exists():
        return
    library = Library(load_settings(home=Path(tempfile.gettempdir()) / "citewell-bench-icml-2025"))
    library.ingest([SEEDS, papers])
    print(f"\nknown items, {len(library)} papers")
    for kind, values in score_library(library, known_items(library.papers(), None)).items():
        print(f"  by {kind:10} {values}")
    library.close()


def plain_pipeline(data: BeirSet) -> dict[str, dict[str, float]]:
    """LangChain's own parts with their defaults: Chroma, HuggingFaceEmbeddings, BM25Retriever, EnsembleRetriever."""
    warnings.simplefilter("ignore", DeprecationWarning)
    from langchain_chroma import Chroma
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_community.embeddings import HuggingFaceEmbeddings
    from langchain_community.retrievers import BM25Retriever
    from langchain_core.documents import Document

    documents = [
        Document(id=paper.id, page_content=f"{paper.title}\n{paper.abstract}".strip(), metadata={"id": paper.id})
        for paper in data.documents
    ]
    embeddings = HuggingFaceEmbeddings(model_name=str(bundled_model_folder()))
    store = Chroma("plain", embeddings, persist_directory=str(HOME / f"plain-{data.name}"))
    if len(store.get(include=[])["ids"]) < len(documents):
        for start in range(0, len(documents), 1000):
            store.add_documents(documents[start : start + 1000])
    words = BM25Retriever.from_documents(documents, k=DEPTH)
    dense = store.as_retriever(search_kwargs={"k": DEPTH})
    both = EnsembleRetriever(retrievers=[words, dense], weights=[0.5, 0.5])
    return {
        name: _scored(data, retriever.invoke)
        for name, retriever in (("dense", dense), ("words", words), ("both", both))
    }


def _scored(data: BeirSet, search: Callable[[str], list]) -> dict[str, float]:
    started = time.perf_counter()
    ranking = {
        query: {hit.metadata["id"]: float(DEPTH - rank) for rank, hit in enumerate(search(text)[:DEPTH])}
        for query, text in data.queries.items()
    }
    speed = len(data.queries) / (time.perf_counter() - started)
    return measured(data.grades, ranking) | {"queries_per_second": round(speed, 1)}


if __name__ == "__main__":
    main()
