"""The support check by itself, on anybody's text: which abstract says each sentence, and how surely."""

from __future__ import annotations

from dataclasses import dataclass

from citewell.answering.markers import MARKER
from citewell.checking.support import Backing, SupportCheck
from citewell.citation import Citation
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.request import Request
from citewell.retrieval import HybridSearch
from citewell.sentence import Doubt, Support
from citewell.text.sentences import split_sentences
from citewell.understanding import understand

# So many of the papers found for a sentence are held against it.
READ = 8


@dataclass(frozen=True, slots=True)
class Verdict:
    """One sentence of a text: `text == whole[start:end]`; the paper that comes nearest to saying it, and its words.

    `doubt` says why the verdict is not "supported"; without a paper, nothing in the library comes near.
    """

    text: str
    start: int
    end: int
    support: Support
    paper: Paper | None = None
    citations: tuple[Citation, ...] = ()
    doubt: Doubt | None = None

    @property
    def reason(self) -> str:
        """The doubt in words; empty without one."""
        return self.doubt.text if self.doubt is not None else ""


def verdicts_of(text: str, snapshot: Snapshot, check: SupportCheck) -> list[Verdict]:
    """Each sentence of a text against the papers that search finds for it; markers such as `[1]` count for nothing."""
    search = HybridSearch(snapshot)
    found = []
    for start, end in split_sentences(text):
        claim = MARKER.sub("", text[start:end]).strip()
        query = understand(Request(claim, read_filters=False), snapshot)
        papers = [hit.paper for hit in search.search(query, READ).hits]
        backings = check.judge(claim, papers) if papers else []
        best = max(backings, key=_worth, default=None)
        found.append(_verdict(text, start, end, best))
    return found


def _worth(backing: Backing) -> tuple[int, float]:
    order = (Support.UNSUPPORTED, Support.PARTLY, Support.SUPPORTED)
    return order.index(backing.support), backing.score


def _verdict(text: str, start: int, end: int, best: Backing | None) -> Verdict:
    said = text[start:end]
    if best is None:
        return Verdict(said, start, end, Support.UNSUPPORTED)
    stretches = [(best.start, best.end), *([best.more] if best.more else [])]
    citations = tuple(Citation.of(1, best.paper, first, last) for first, last in stretches)
    return Verdict(said, start, end, best.support, best.paper, citations, best.doubt)
