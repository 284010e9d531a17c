"""The contracts of a vector store, a word index and an encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from citewell.library.ports import Embeddings, Vectors, VectorStore, WordIndex
from citewell.paper import Paper, Passage
from citewell.text.tokens import index_tokens

COUNT = 600
LEAST_RECALL = 0.98


def random_vectors(count: int, dimension: int, seed: int = 7) -> Vectors:
    """Unit vectors in a few loose groups, as those of real texts lie."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(12, dimension))
    vectors = centres[rng.integers(12, size=count)] + 0.7 * rng.normal(size=(count, dimension))
    unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def some_passages(count: int) -> list[Passage]:
    """Two passages of each paper, one of every seventh without a text."""
    return [
        Passage(f"p{n // 2}", "" if n % 7 == 0 else f"Text, number {n}.", 10 * (n % 2), 10 * (n % 2) + 5 * (n % 7 > 0))
        for n in range(count)
    ]


class VectorStoreContract:
    """Subclass, and override `store` with a fixture that gives an empty one of `dimension`."""

    dimension = 256

    @pytest.fixture
    def store(self) -> VectorStore:
        raise NotImplementedError("override this fixture with one that gives an empty vector store")

    @pytest.fixture
    def vectors(self) -> Vectors:
        return random_vectors(COUNT, self.dimension)

    @pytest.fixture
    def filled(self, store: VectorStore, vectors: Vectors) -> VectorStore:
        with store.use(1):
            store.upsert(some_passages(COUNT), vectors)
        return store

    def test_it_is_a_vector_store(self, store: VectorStore) -> None:
        assert isinstance(store, VectorStore)
        with store.use(1):
            assert store.ids() == set()
            assert store.search(random_vectors(1, self.dimension)[0].tolist(), 5) == []

    def test_recall_against_brute_force(self, filled: VectorStore, vectors: Vectors) -> None:
        passages = some_passages(COUNT)
        found = wanted = 0
        with filled.use(1):
            for query in random_vectors(40, self.dimension, seed=8):
                best = {passages[row].id for row in np.argsort(-(vectors @ query))[:10]}
                near = filled.search(query.tolist(), 10)
                found += len(best & {passage.id for passage, _ in near})
                wanted += len(best)
        assert found >= LEAST_RECALL * wanted

    def test_cosines_and_order(self, filled: VectorStore, vectors: Vectors) -> None:
        passages = {passage.id: row for row, passage in enumerate(some_passages(COUNT))}
        query = random_vectors(1, self.dimension, seed=9)[0]
        with filled.use(1):
            near = filled.search(query.tolist(), 20)
        cosines = [cosine for _, cosine in near]
        assert cosines == sorted(cosines, reverse=True)
        for passage, cosine in near:
            assert cosine == pytest.approx(float(vectors[passages[passage.id]] @ query), abs=1e-3)

    def test_passages_come_back_whole(self, filled: VectorStore, vectors: Vectors) -> None:
        with filled.use(1):
            for row in (0, 1, 8):
                (passage, cosine), *_ = filled.search(vectors[row].tolist(), 1)
                assert passage == some_passages(COUNT)[row]
                assert cosine == pytest.approx(1.0, abs=1e-3)

    def test_only_some_papers(self, filled: VectorStore, vectors: Vectors) -> None:
        with filled.use(1):
            near = filled.search(vectors[0].tolist(), 6, only=["p3", "p4"])
            assert {passage.paper_id for passage, _ in near} == {"p3", "p4"}
            assert len(near) == 4
            assert filled.search(vectors[0].tolist(), 6, only=[]) == []

    def test_writing_again_replaces(self, filled: VectorStore, vectors: Vectors) -> None:
        with filled.use(1):
            filled.upsert(some_passages(COUNT)[:2], vectors[:2][::-1])
            assert len(filled.ids()) == COUNT
            assert filled.search(vectors[0].tolist(), 1)[0][0] == some_passages(COUNT)[1]

    def test_deleting_papers(self, filled: VectorStore, vectors: Vectors) -> None:
        with filled.use(1):
            filled.delete_papers(["p0", "nobody"])
            filled.delete_papers([])
            assert filled.ids() == {passage.id for passage in some_passages(COUNT) if passage.paper_id != "p0"}
            assert filled.search(vectors[0].tolist(), 1)[0][0].paper_id != "p0"

    def test_it_lasts_and_can_be_emptied(self, filled: VectorStore) -> None:
        filled.close()
        with filled.use(1):
            assert len(filled.ids()) == COUNT
        filled.reset()
        with filled.use(1):
            assert filled.ids() == set()


class WordIndexContract:
    """Subclass, and override `build` with a fixture that gives a function from papers and a version to an index."""

    papers = (
        Paper("a", "Bandits with Knapsacks", "We bound the regret of bandits."),
        Paper("b", "Regret", "Nothing about them here."),
        Paper("c", "Label", "Zebras have stripes, and GNNs have none.", title_from_text=True),
        Paper("d", "No Abstract at All", ""),
    )

    @pytest.fixture
    def build(self) -> Callable[[Sequence[Paper], int], WordIndex]:
        raise NotImplementedError("override this fixture with a function that makes a word index")

    @pytest.fixture
    def index(self, build: Callable[[Sequence[Paper], int], WordIndex]) -> WordIndex:
        return build(self.papers, 3)

    def test_it_is_a_word_index(self, index: WordIndex) -> None:
        assert isinstance(index, WordIndex)
        assert (index.version, len(index), list(index.ids)) == (3, 4, ["a", "b", "c", "d"])
        assert index.rows == {"a": 0, "b": 1, "c": 2, "d": 3}

    def test_scores_are_those_of_bm25(self, index: WordIndex) -> None:
        for text in ("regret", "bandits regret", "stripes", "GNN", "abstract", "nowhere", "regret regret"):
            assert index.scores(index_tokens(text)) == pytest.approx(plain_bm25(self.papers, text), abs=1e-4)

    def test_a_label_cut_from_the_abstract_is_no_title(self, index: WordIndex) -> None:
        assert index.document_frequency(index_tokens("label")[0]) == 0

    def test_rarity(self, index: WordIndex) -> None:
        regret, stripes = index_tokens("regret stripes")
        assert (index.document_frequency(regret), index.document_frequency(stripes)) == (2, 1)
        assert index.idf("nowhere") > index.idf(stripes) > index.idf(regret) > 0
        assert index.share([regret, "nowhere"], [regret]) == pytest.approx(
            index.idf(regret) / (index.idf(regret) + index.idf("nowhere"))
        )
        assert index.share([], [regret]) == 0

    def test_an_empty_library(self, build: Callable[[Sequence[Paper], int], WordIndex]) -> None:
        index = build([], 1)
        assert len(index) == 0
        assert index.scores(["regret"]).shape == (0,)


def plain_bm25(papers: Sequence[Paper], text: str, k1: float = 1.2, b: float = 0.75) -> list[float]:
    """BM25 in the form of Lucene, written out: titles count twice, labels not at all."""
    documents = [
        ([] if paper.title_from_text else index_tokens(paper.title)) * 2 + index_tokens(paper.abstract)
        for paper in papers
    ]
    mean = sum(map(len, documents)) / len(documents)
    scores = [0.0] * len(documents)
    for token in index_tokens(text):
        held = sum(token in document for document in documents)
        idf = float(np.log(1 + (len(documents) - held + 0.5) / (held + 0.5))) if held else 0.0
        for row, document in enumerate(documents):
            count = document.count(token)
            scores[row] += idf * count / (count + k1 * (1 - b + b * len(document) / mean))
    return scores


class EmbeddingsContract:
    """Subclass, and override `embeddings` with a fixture that gives an encoder."""

    texts = ("Heaps sort lists.", "", "Ein Müsli für $x^2$", "word " * 900)

    @pytest.fixture
    def embeddings(self) -> Embeddings:
        raise NotImplementedError("override this fixture with one that gives an encoder")

    def test_it_is_an_encoder(self, embeddings: Embeddings) -> None:
        assert isinstance(embeddings, Embeddings)
        embeddings.load()
        assert embeddings.is_loaded

    def test_vectors_have_unit_length(self, embeddings: Embeddings) -> None:
        vectors = embeddings.encode(list(self.texts))
        assert vectors.shape == (len(self.texts), embeddings.dimension)
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(self.texts)), abs=1e-5)
        assert embeddings.encode([]).shape == (0, embeddings.dimension)

    def test_a_question_and_a_document_of_the_same_words_are_one(self, embeddings: Embeddings) -> None:
        (document,) = embeddings.encode([self.texts[0]])
        for vector in (embeddings.query_vector(self.texts[0]), embeddings.encode_query(self.texts[0])):
            assert float(document @ vector) >= 0.9999

    def test_langchain_takes_it(self, embeddings: Embeddings) -> None:
        from langchain_core.embeddings import Embeddings as LangChainEmbeddings

        from citewell.library.langchain_embeddings import CitewellEmbeddings

        adapter = CitewellEmbeddings(embeddings)
        assert isinstance(adapter, LangChainEmbeddings)
        vector = embeddings.query_vector(self.texts[0]).tolist()
        assert adapter.embed_query(self.texts[0]) == pytest.approx(vector, abs=1e-4)
        assert adapter.embed_documents([self.texts[0]])[0] == pytest.approx(vector, abs=1e-4)

    def test_pieces_stand_at_their_offsets(self, embeddings: Embeddings) -> None:
        text = self.texts[0]
        (offsets,) = embeddings.token_offsets([text])
        assert "".join(text[start:end] for start, end in offsets) == text.replace(" ", "")
        assert len(embeddings.token_offsets([self.texts[3]])[0]) >= 900
        assert embeddings.max_tokens > 2
