"""From a query to papers: hybrid search, an optional reranker, what was searched."""

from citewell.retrieval.search import HybridSearch, SearchResult

__all__ = ["HybridSearch", "SearchResult"]
