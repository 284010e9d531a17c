"""Answering with a table: which papers a question wants side by side, and what is said under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citewell import wording
from citewell.answer import Answer, NoticeKind
from citewell.answering import table
from citewell.answering.builder import AnswerBuilder
from citewell.answering.evidence_search import EvidenceSearch
from citewell.answering.language_model import Writer
from citewell.comparison import Comparison
from citewell.errors import LanguageModelError
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.query import Intent, Query
from citewell.request import Request
from citewell.understanding import understand
from citewell.understanding.aspects import STANDARD
from citewell.understanding.comparisons import FEWEST, MOST, sides, wanted_aspects

# So many of the papers that a table has no room for are named.
NAMED_LEFT = 8


def compared_papers(
    request: Request, queries: Sequence[Query], search: EvidenceSearch, builder: AnswerBuilder
) -> list[Paper]:
    """The papers that a question wants set side by side: given, named, or described; none for any other question."""
    if len(queries) != 1:
        return []
    query = queries[0]
    if request.compared:
        papers = list(search.snapshot.papers_by_id(request.compared).values())
    elif query.intent is Intent.COMPARE:
        ids = [named.paper_ids[0] for named in query.named]
        for side in sides(query.text) if len(ids) < FEWEST else ():
            own = understand(Request(side, query.filters, read_filters=False), search.snapshot)
            if (hit := search.best_answering(own, builder)) is not None:
                ids.append(hit.paper.id)
        papers = list(search.snapshot.papers_by_id(ids).values())
    else:
        papers = []
    return papers if len(papers) >= FEWEST else []


def answer(
    query: Query, papers: Sequence[Paper], request: Request, builder: AnswerBuilder, snapshot: Snapshot, writer: Writer
) -> Answer:
    """The table of these papers with the remarks under it."""
    wanted = request.aspects or wanted_aspects(query.text) or STANDARD
    if left := papers[MOST:]:
        names = ", ".join(paper.label for paper in left[:NAMED_LEFT])
        more = wording.AND_MORE.format(count=len(left) - NAMED_LEFT) if len(left) > NAMED_LEFT else ""
        builder.tell(NoticeKind.LEFT_OUT, most=MOST, names=names + more)
        papers = papers[:MOST]
    with builder.timed("compare"):
        made = replace(table.compare(snapshot, papers, wanted), swapped=request.swapped)
    model, raw = "", ""
    if writer.name:
        made, model, raw = _model_cells(builder, made, writer)
    said = table.remarks(snapshot, made)
    builder.name_unknown(query, snapshot)
    return builder.answer(said, table.sources_of(made), table=made, model=model, raw_text=raw)


def _model_cells(builder: AnswerBuilder, made: Comparison, writer: Writer) -> tuple[Comparison, str, str]:
    """The table with the model's own choice of quotes, the model that then counts, and its raw text."""
    from citewell.answering.model_cells import choose_cells

    try:
        with builder.timed("model"):
            chosen = choose_cells(writer.chat_model(), writer.settings, made, writer.name)
    except LanguageModelError as error:
        builder.tell(NoticeKind.TABLE_WITHOUT_MODEL, trouble=str(error))
        return made, "", ""
    builder.notices.extend(chosen.notices)
    return chosen.table, writer.name if chosen.kept else "", chosen.raw_text
