"""Drawing an answer: text with citations that lead to their sources, and a card for each source."""

from __future__ import annotations

import html
from collections.abc import Callable

import streamlit as st

from citewell import wording
from citewell.answer import Answer
from citewell.chat.export import reference_line
from citewell.citation import Source
from citewell.exports.papers import to_bibtex
from citewell.filters import Filters
from citewell.rendering.blocks import Heading, Paragraph, paragraphs
from citewell.rendering.markdown import answer_markdown, pipe_table
from citewell.retrieval.trace import TRACED, trace
from citewell.sentence import Sentence, Support
from citewell_ui.comparison import draw_comparison
from citewell_ui.markup import cell_markdown, label, paper_markdown, plain, shortened, to_markdown
from citewell_ui.papers import abstract_text, anchor, cite_link, copy_button, library_link, paper_facts, title_line

# How much of a passage a panel shows.
PASSAGE_SHOWN = 220
SUPPORT_WORDS = {
    Support.SUPPORTED: "✓ supported",
    Support.PARTLY: "◐ partly supported",
    Support.UNSUPPORTED: "✗ not supported",
    Support.UNCITED: "○ no citation",
}


def draw_answer(answer: Answer, turn: int) -> None:
    """The whole answer: text, notices, who wrote it, sources."""
    for notice in answer.notices:
        st.warning(label(notice.text), icon=":material/info:")
    if answer.refusal is not None:
        draw_refusal(answer, turn)
    else:
        if answer.comparison is not None:
            draw_comparison(answer.comparison, turn)
        st.markdown(answer_text(answer, turn), unsafe_allow_html=True)
    st.caption(byline(answer))
    draw_draft(answer, turn)
    if answer.sources:
        for source in answer.sources:
            draw_source(source, answer, turn)


def draw_filters(answer: Answer, turn: int, ask: Callable[[str, Filters], None]) -> None:
    """The filters that were in force, each a button that asks the question again without it."""
    if not answer.filters:
        return
    with st.container(key=f"filters-{turn}", horizontal=True, vertical_alignment="center"):
        st.caption("Only papers of", width="content")
        for text, rest in answer.filters.labels().items():
            st.button(
                label(text),
                key=f"filter-{turn}-{text}",
                icon=":material/close:",
                help="Ask again without this filter",
                on_click=ask,
                args=(answer.question, rest),
            )


def draw_refusal(answer: Answer, turn: int) -> None:
    """Why there is no answer, and what comes nearest to one."""
    assert answer.refusal is not None
    st.info(label(answer.refusal.reason), icon=":material/search_off:")
    if answer.sentences:
        st.markdown(f"{wording.NEAREST_STATED}\n\n{answer_text(answer, turn)}", unsafe_allow_html=True)
    elif answer.refusal.nearest:
        items = "\n".join(f"- {title_line(paper)}" for paper in answer.refusal.nearest)
        st.markdown(f"{wording.NEAREST}\n\n{items}", unsafe_allow_html=True)


def draw_trace(answer: Answer, turn: int) -> None:
    """What was searched: each paper found, its ranks, the words that matched, and what became of it."""
    if not answer.hits:
        return
    cited = {source.paper.id for source in answer.sources}
    with st.expander("What was searched", icon=":material/manage_search:"):
        st.caption("Rank by meaning and by words, then fused; a dash: not among the first found that way.")
        rows = [
            [
                str(found.rank),
                _rank(found.dense_rank),
                _rank(found.bm25_rank),
                library_link(found.paper),
                cell_markdown(shortened(found.passage, PASSAGE_SHOWN)),
                plain(found.outcome.text),
            ]
            for found in trace(answer.question, answer.hits[:TRACED], cited, refused=answer.refusal is not None)
        ]
        head = ["Fused", "Meaning", "Words", "Paper", "What matched", "Outcome"]
        with st.container(key=f"trace-{turn}"):
            st.markdown(pipe_table([head, *rows]), unsafe_allow_html=True)
        if len(answer.hits) > TRACED:
            st.caption(f"and {len(answer.hits) - TRACED} more")


def _rank(rank: int | None) -> str:
    return str(rank) if rank is not None else "–"


def draw_actions(answer: Answer, turn: int) -> None:
    """Copy the answer, or the cited papers as BibTeX."""
    if not any(sentence.citations for sentence in answer.sentences) and answer.comparison is None:
        return
    with st.container(key=f"actions-{turn}", horizontal=True):
        copy_button(_copied(answer), "Copy answer", f"copy-answer-{turn}")
        if answer.sources:
            copy_button(to_bibtex([source.paper for source in answer.sources]), "Copy BibTeX", f"copy-bib-{turn}")


def _copied(answer: Answer) -> str:
    """The answer as Markdown with its numbered references."""
    references = "\n".join(f"[{source.number}] {reference_line(source.paper)}" for source in answer.sources)
    return f"{answer_markdown(answer)}\n\n{references}".strip() + "\n"


def draw_draft(answer: Answer, turn: int) -> None:
    """What the model wrote, folded away: the sentences that were not believed, or the raw text."""
    if answer.draft:
        with st.expander("What the model wrote, and why it is not shown first"):
            text = " ".join(sentence_text(sentence, turn, checked=True, linked=False) for sentence in answer.draft)
            st.markdown(text, unsafe_allow_html=True)
    elif answer.raw_text:
        with st.expander("The model's text before it was checked"):
            st.markdown(to_markdown(answer.raw_text), unsafe_allow_html=True)


def answer_text(answer: Answer, turn: int) -> str:
    """The sentences of an answer as Markdown; quoted papers are named where they begin."""
    checked = not answer.is_quoted
    if not answer.is_extractive or answer.comparison is not None or answer.refusal is not None:
        return " ".join(sentence_text(sentence, turn, checked=checked) for sentence in answer.sentences)
    pieces: list[str] = []
    for block in paragraphs(answer.sentences, answer.sources):
        if isinstance(block, Heading):
            pieces.append(f"##### {to_markdown(block.text)}")
        elif isinstance(block, Paragraph):
            said = " ".join(sentence_text(sentence, turn, checked=checked) for sentence in block.sentences)
            pieces.append(f"{title_line(block.paper)}\n\n{said}" if block.paper is not None else said)
    return "\n\n".join(pieces)


def sentence_text(sentence: Sentence, turn: int, *, checked: bool, linked: bool = True) -> str:
    """One sentence with its citation links, which show the quoted words, and a model's sentence with its verdict."""
    text = paper_markdown(sentence.text)
    if checked and sentence.support is Support.UNSUPPORTED:
        text = f'<span class="cw-unsupported">{text}</span>'
    quotes: dict[int, list[str]] = {}
    for citation in sentence.citations:
        quotes.setdefault(citation.number, []).append(citation.quote)
    links = "".join(cite_link(turn, number, " … ".join(words)) for number, words in quotes.items()) if linked else ""
    return text + (f"&nbsp;{links}" if links else "") + _badge(sentence, checked=checked)


def _badge(sentence: Sentence, *, checked: bool) -> str:
    """The verdict as sign and words; a quote needs only the sign, and its words for who cannot see it."""
    if not checked and not sentence.citations:
        return ""
    if not checked:
        mark = '<span aria-hidden="true">✓</span><span class="cw-hidden">verbatim</span>'
        return f' <small class="cw-badge cw-quoted" title="Quoted word for word">{mark}</small>'
    reason = f' title="{html.escape(sentence.reason)}"' if sentence.reason else ""
    return f' <small class="cw-badge"{reason}>{SUPPORT_WORDS[sentence.support]}</small>'


def streaming_text(text: str) -> str:
    """A model's text while it comes, not checked yet."""
    return "\n\n".join(paper_markdown(block) for block in text.split("\n\n") if block.strip()) + " ▌"


def byline(answer: Answer) -> str:
    """Who wrote the answer, how much of it is supported, and how long it took."""
    seconds = answer.timings.get("total", 0.0)
    parts = []
    supported, stating = answer.supported
    if answer.refusal is None and stating:
        count = f"{supported} of {stating} sentence{'' if stating == 1 else 's'} supported"
        quoted = answer.is_extractive
        parts.append(f"Quoted word for word, {count}" if quoted else f"Written by {label(answer.writer)}, {count}")
    parts.append(f"{seconds:.2f} s" if seconds >= 0.01 else "under 0.01 s")
    return " · ".join(parts)


def draw_source(source: Source, answer: Answer, turn: int) -> None:
    """A source card: number, title, authors, venue and year, link, and the abstract with the quotes marked."""
    paper = source.paper
    cited = [citation for sentence in answer.sentences for citation in sentence.citations]
    if answer.comparison is not None:
        # The table is the answer: its cells are what is marked.
        cited = answer.comparison.citations
    quotes = [(citation.start, citation.end) for citation in cited if citation.number == source.number]
    with st.container(border=True, key=f"card-{turn}-{source.number}"):
        st.markdown(
            f'<span id="{anchor(turn, source.number)}" class="cw-anchor"></span>'
            f"**[{source.number}]** **{paper_markdown(paper.title)}**",
            unsafe_allow_html=True,
        )
        st.markdown(paper_facts(paper), unsafe_allow_html=True)
        st.markdown(abstract_text(paper, quotes), unsafe_allow_html=True)
