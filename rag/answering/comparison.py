"""Comparing two to six papers: a table whose every cell is the abstract's own words, and what is alike and differs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.answering.aspects import STANDARD, AspectFinder, asked_aspects
from rag.library import Library
from rag.records import Citation, Comparison, ComparisonCell, ComparisonRow, Paper, Sentence, Source, Support
from rag.text.names import paper_names
from rag.text.numbers import numbers_in
from rag.text.sentences import split_sentences
from rag.text.words import index_tokens, informative_words

NOT_STATED = "not stated in the abstract"
FEWEST, MOST = 2, 6
SHARED_WORDS = 3
# A word shared by the abstracts says something only when at most this share of the library has it.
COMMON = 0.2


def compare(library: Library, papers: Sequence[Paper], aspects: Sequence[str] = STANDARD) -> Comparison:
    """The table: papers as columns, aspects as rows, every cell verbatim or "not stated in the abstract"."""
    finder = AspectFinder(library)
    numbers = {paper.id: number for number, paper in enumerate(papers, start=1)}
    rows = []
    for aspect in aspects:
        cells = []
        for paper in papers:
            stated = finder.find(paper, aspect)
            if stated is None:
                cells.append(ComparisonCell(paper.id, NOT_STATED))
                continue
            citation = Citation.of(numbers[paper.id], paper, stated.start, stated.end)
            cells.append(ComparisonCell(paper.id, citation.quote, (citation,)))
        rows.append(ComparisonRow(aspect, tuple(cells)))
    return Comparison(tuple(papers), tuple(rows))


def sides(question: str) -> list[str]:
    """The things that a question wants compared: "compare the method for A with the one for B" gives two."""
    text = re.sub(
        r"^\W*(?:please |can you |could you )*(?:compare|contrast)\b|[?.!]+$", "", question, flags=re.IGNORECASE
    )
    text = re.sub(
        r"\b(?:what is |what are )?the differences? between\b|\bhow do(?:es)?\b", "", text, flags=re.IGNORECASE
    )
    text = re.sub(r"\bdiffer\b.*$|\bon (?:data|results?|cost|approach)\b.*$", "", text, flags=re.IGNORECASE)
    found = re.split(r"\b(?:and|with|to|versus|vs\.?|against)\b|,", text, flags=re.IGNORECASE)
    return [side.strip() for side in found if informative_words(side)][:MOST]


def wanted_aspects(question: str) -> tuple[str, ...]:
    """The aspects behind "on" or "in terms of", standard ones by name and others as they are written."""
    match = re.search(
        r"\b(?:on|in terms of|regarding|with respect to|by|in how they|in their)\s+(?P<what>[^?.!]+)[?.!]*$", question
    )
    if match is None:
        return ()
    found: list[str] = []
    for piece in re.split(r",|\band\b", match["what"]):
        standard = asked_aspects(piece)
        found += standard or ([" ".join(informative_words(piece))] if informative_words(piece) else [])
    return tuple(dict.fromkeys(found))


def sources_of(comparison: Comparison) -> tuple[Source, ...]:
    """The compared papers as numbered sources."""
    return tuple(Source(number, paper) for number, paper in enumerate(comparison.papers, start=1))


def remarks(library: Library, comparison: Comparison) -> tuple[Sentence, ...]:
    """One to three sentences under the table: what is alike, what differs, what cannot be set side by side."""
    papers = comparison.papers
    found = [_alike(library, papers), _different(library, papers), _not_comparable(comparison)]
    return tuple(sentence for sentence in found if sentence is not None)


def short_name(paper: Paper) -> str:
    """What a paper is called in running text: its method's name, else the head of its title."""
    names = paper_names(paper.title, paper.abstract)
    if names and names[0].weight >= 2:
        return names[0].text
    words = paper.title.split()
    return " ".join(words[:5]) + ("…" if len(words) > 5 else "")


def _alike(library: Library, papers: Sequence[Paper]) -> Sentence | None:
    shared = _distinctive(library, papers[0], [set(_tokens(paper)) for paper in papers[1:]], present=True)[
        :SHARED_WORDS
    ]
    if not shared:
        return None
    citations = tuple(
        citation
        for number, paper in enumerate(papers, start=1)
        if (citation := _where(paper, number, shared[0])) is not None
    )
    who = "Both abstracts" if len(papers) == 2 else "All of the abstracts"
    return Sentence(f"{who} speak of {_listed(shared)}.", citations, Support.SUPPORTED)


def _different(library: Library, papers: Sequence[Paper]) -> Sentence | None:
    """What each abstract alone speaks of."""
    parts, citations = [], []
    for number, paper in enumerate(papers, start=1):
        others = [set(_tokens(other)) for other in papers if other.id != paper.id]
        own = _distinctive(library, paper, others, present=False)[:SHARED_WORDS]
        citation = _where(paper, number, own[0]) if own else None
        if citation is not None:
            parts.append(f"{short_name(paper)} alone of {_listed(own)}")
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
    text = "The results are figures of different data or measures, so they cannot be set side by side."
    return Sentence(text, tuple(citation for cell in cells for citation in cell.citations), Support.SUPPORTED)


def _distinctive(library: Library, paper: Paper, others: Sequence[set[str]], *, present: bool) -> list[str]:
    """Words of a paper that the others have too, or have not, the rarest in the library first."""
    names = {token for name in paper_names(paper.title, paper.abstract) for token in index_tokens(name.text)}
    limit = max(2.0, COMMON * len(library))
    found: dict[str, str] = {}
    for word in informative_words(f"{paper.title} {paper.abstract}"):
        tokens = index_tokens(word)
        if not tokens or not word.isalpha() or len(word) < 5 or set(tokens) & names:
            continue
        fits = [all((token in other) is present for token in tokens) for other in others]
        if all(fits) and library.words.document_frequency(tokens[0]) <= limit:
            found.setdefault(tokens[0], word.lower())
    counts = {token: _tokens(paper).count(token) for token in found}
    if present:
        # A word used in passing ("operates") is shared by chance.
        title = set(index_tokens(paper.title))
        found = {token: word for token, word in found.items() if counts[token] > 1 or token in title}
    order = sorted(found, key=lambda token: -counts[token] * library.words.idf(token))
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
