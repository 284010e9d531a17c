"""From a question to papers: query understanding, hybrid search, a LangChain retriever."""

from rag.retrieval.intent import Intent
from rag.retrieval.query import Query, understand
from rag.retrieval.search import HybridSearch, SearchResult

__all__ = ["HybridSearch", "Intent", "Query", "SearchResult", "understand"]
