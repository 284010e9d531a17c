"""The hybrid search as a LangChain retriever, for use in chains outside Citewell."""

from __future__ import annotations

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from rag.library import Library
from rag.records import Hit
from rag.retrieval.query import understand
from rag.retrieval.search import HybridSearch


class CitewellRetriever(BaseRetriever):
    """Papers for a question, best first: the abstract as content, the bibliographic record as metadata."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    library: Library
    k: int = 6

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        result = HybridSearch(self.library).search(understand(query, self.library), self.k)
        return [_document(hit) for hit in result.hits]


def _document(hit: Hit) -> Document:
    metadata = {**hit.paper.facts(), "score": hit.score}
    return Document(id=hit.paper.id, page_content=hit.paper.abstract, metadata=metadata)
