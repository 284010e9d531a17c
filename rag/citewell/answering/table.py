"""Comparing two to six papers: a table whose every cell is the abstract's own words, and what is alike and differs."""

from __future__ import annotations

from collections.abc import Sequence

from citewell import wording
from citewell.answering.aspects import AspectFinder
from citewell.citation import Citation, Source
from citewell.comparison import Comparison, ComparisonCell, ComparisonRow
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.sentence import Sentence, Support
from citewell.text.names import paper_names
from citewell.text.numbers import numbers_in
from citewell.text.sentences import split_sentences
from citewell.text.tokens import index_tokens, informative_words
from citewell.understanding.aspects import STANDARD

SHARED_WORDS = 3
# A word shared by the abstracts says something only when at most this share of the library has it.
COMMON = 0.2


def compare(snapshot: Snapshot, papers: Sequence[Paper], aspects: Sequence[str] = STANDARD) -> Comparison:
    """The table: papers as columns, aspects as rows, every cell verbatim or "not stated in the abstract"."""
    finder = AspectFinder(snapshot)
    numbers = {paper.id: number for number, paper in enumerate(papers, start=1)}
    rows = []
    for aspect in aspects:
        cells = []
        for paper in papers:
            stated = finder.find(paper, aspect)
            if stated is None:
                cells.append(ComparisonCell(paper.id))
                continue
            cells.append(ComparisonCell(paper.id, (Citation.of(numbers[paper.id], paper, stated.start, stated.end),)))
        rows.append(ComparisonRow(aspect, tuple(cells)))
    return Comparison(tuple(papers), tuple(rows))


def sources_of(comparison: Comparison) -> tuple[Source, ...]:
    """The compared papers as numbered sources."""
    return tuple(Source(number, paper) for number, paper in enumerate(comparison.papers, start=1))


def remarks(snapshot: Snapshot, comparison: Comparison) -> tuple[Sentence, ...]:
    """One to three sentences under the table: what is alike, what differs, what cannot be set side by side."""
    papers = comparison.papers
    found = [_alike(snapshot, papers), _different(snapshot, papers), _not_comparable(comparison)]
    return tuple(sentence for sentence in found if sentence is not None)


def _alike(snapshot: Snapshot, papers: Sequence[Paper]) -> Sentence | None:
    shared = _distinctive(snapshot, papers[0], [set(_tokens(paper)) for paper in papers[1:]], present=True)[
        :SHARED_WORDS
    ]
    if not shared:
        return None
    citations = tuple(
        citation
        for number, paper in enumerate(papers, start=1)
        if (citation := _where(paper, number, shared[0])) is not None
    )
    said = wording.BOTH_SPEAK if len(papers) == 2 else wording.ALL_SPEAK
    return Sentence(said.format(words=_listed(shared)), citations, Support.SUPPORTED)


def _different(snapshot: Snapshot, papers: Sequence[Paper]) -> Sentence | None:
    """What each abstract alone speaks of."""
    parts, citations = [], []
    for number, paper in enumerate(papers, start=1):
        others = [set(_tokens(other)) for other in papers if other.id != paper.id]
        own = _distinctive(snapshot, paper, others, present=False)[:SHARED_WORDS]
        citation = _where(paper, number, own[0]) if own else None
        if citation is not None:
            parts.append(wording.ALONE_SPEAKS.format(name=paper.label, words=_listed(own)))
            citations.append(citation)
    if len(parts) < 2:
        return None
    return Sentence(f"{'; '.join(parts)}.", tuple(citations), Support.SUPPORTED)


def _not_comparable(comparison: Comparison) -> Sentence | None:
    """A warning where two results have numbers and the abstracts do not show that these measure the same."""
    rows = {row.aspect: row.cells for row in comparison.rows}
    cells = [cell for cell in rows.get("results", ()) if cell.citations and numbers_in(cell.text)]
    if len(cells) < 2:
        return None
    texts = [set(index_tokens(cell.text)) for cell in cells]
    if len(set.intersection(*texts)) >= 6:
        return None
    citations = tuple(citation for cell in cells for citation in cell.citations)
    return Sentence(wording.NOT_COMPARABLE, citations, Support.SUPPORTED)


def _distinctive(snapshot: Snapshot, paper: Paper, others: Sequence[set[str]], *, present: bool) -> list[str]:
    """Words of a paper that the others have too, or have not, the rarest in the library first."""
    names = {token for name in paper_names(paper.title, paper.abstract) for token in index_tokens(name.text)}
    limit = max(2.0, COMMON * len(snapshot))
    found: dict[str, str] = {}
    for word in informative_words(f"{paper.title} {paper.abstract}"):
        tokens = index_tokens(word)
        if not tokens or not word.isalpha() or len(word) < 5 or set(tokens) & names:
            continue
        fits = [all((token in other) is present for token in tokens) for other in others]
        if all(fits) and snapshot.word_index.document_frequency(tokens[0]) <= limit:
            found.setdefault(tokens[0], word.lower())
    counts = {token: _tokens(paper).count(token) for token in found}
    if present:
        # A word used in passing ("operates") is shared by chance.
        title = set(index_tokens(paper.title))
        found = {token: word for token, word in found.items() if counts[token] > 1 or token in title}
    order = sorted(found, key=lambda token: -counts[token] * snapshot.word_index.idf(token))
    return [found[token] for token in order]


def _where(paper: Paper, number: int, word: str) -> Citation | None:
    wanted = set(index_tokens(word))
    for start, end in split_sentences(paper.abstract):
        if wanted <= set(index_tokens(paper.abstract[start:end])):
            return Citation.of(number, paper, start, end)
    return None


def _tokens(paper: Paper) -> list[str]:
    return index_tokens(f"{paper.title} {paper.abstract}")


def _listed(words: Sequence[str]) -> str:
    quoted = [f"“{word}”" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
