"""The hybrid search as a LangChain retriever, for use in chains and graphs outside Citewell."""

from __future__ import annotations

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from citewell.hit import Hit
from citewell.library import Library
from citewell.retrieval.search import HybridSearch
from citewell.understanding import understand


class CitewellRetriever(BaseRetriever):
    """Papers for a question, best first: the abstract as content, the bibliographic record as metadata."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    library: Library
    k: int = 6

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        snapshot = self.library.snapshot()
        return [_document(hit) for hit in HybridSearch(snapshot).search(understand(query, snapshot), self.k).hits]


def _document(hit: Hit) -> Document:
    metadata = {**hit.paper.facts(), "score": hit.score}
    return Document(id=hit.paper.id, page_content=hit.paper.abstract, metadata=metadata)
