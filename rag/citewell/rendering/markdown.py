"""An answer as Markdown with `[n]` markers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from citewell import wording
from citewell.answer import Answer
from citewell.citation import Citation
from citewell.comparison import Comparison
from citewell.paper import Paper
from citewell.rendering.blocks import Block, Heading, Message, PaperList, Paragraph, Table, blocks_of
from citewell.sentence import Sentence

# The number of each paper by its id, where it is not the one that the answer gave it.
Numbers = Mapping[str, int]


def answer_markdown(answer: Answer, numbers: Numbers | None = None) -> str:
    """The whole answer as one text."""
    return "".join(markdown_pieces(answer, numbers))


def markdown_pieces(answer: Answer, numbers: Numbers | None = None) -> Iterator[str]:
    """The whole answer piece by piece, sentence by sentence: joined they are `answer_markdown`."""
    numbers = numbers or {}
    before: Block | None = None
    for block in blocks_of(answer):
        gap = "" if before is None else " " if isinstance(before, Message) and isinstance(block, Paragraph) else "\n\n"
        pieces = _block_pieces(block, answer, numbers)
        yield gap + next(pieces)
        yield from pieces
        before = block


def _block_pieces(block: Block, answer: Answer, numbers: Numbers) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"### {block.text}"
    elif isinstance(block, Message):
        yield block.text
    elif isinstance(block, PaperList):
        yield "\n".join(f"- {lead(paper)}" for paper in block.papers)
    elif isinstance(block, Table):
        yield comparison_markdown(block.comparison, numbers)
    else:
        yield from _paragraph_pieces(block, answer, numbers)


def _paragraph_pieces(block: Paragraph, answer: Answer, numbers: Numbers) -> Iterator[str]:
    opening = f"{lead(block.paper)}: " if block.paper is not None else ""
    for place, sentence in enumerate(block.sentences):
        said = f"{sentence.text} {markers(sentence.citations, numbers)}".strip()
        yield f"{' ' if place else opening}{said}{verdict(sentence) if answer.claim else ''}"
    if not block.sentences:
        yield ""


def verdict(sentence: Sentence) -> str:
    """What the words found do for a claim: ` _(says something near: …)_`."""
    reason = f": {sentence.reason}" if sentence.reason else ""
    return f" _({wording.SAYS[sentence.support]}{reason})_"


def markers(citations: Sequence[Citation], numbers: Numbers) -> str:
    """Citation markers: `[1][3]`."""
    own = dict.fromkeys(numbers.get(citation.paper_id, citation.number) for citation in citations)
    return "".join(f"[{number}]" for number in own)


def lead(paper: Paper) -> str:
    """How a quoted paper is named: its title in bold, authors and year behind it."""
    reference = paper.short_reference()
    return f"**{paper.title}**" + (f" ({reference})" if reference else "")


def comparison_markdown(comparison: Comparison, numbers: Numbers | None = None) -> str:
    """The table in Markdown, each quoted cell with its marker."""
    known = {paper.id: number for number, paper in enumerate(comparison.papers, start=1)} | dict(numbers or {})
    headings = (f"{paper.title} [{known[paper.id]}]" for paper in comparison.papers)
    cells = [[f"{cell.text} {markers(cell.citations, known)}".strip() for cell in row.cells] for row in comparison.rows]
    grid = comparison.grid(headings, cells)
    return pipe_table([[" ".join(text.replace("|", "\\|").split()) for text in row] for row in grid])


def pipe_table(grid: Sequence[Sequence[str]]) -> str:
    """A Markdown table of cells that are Markdown already, the first row its heading."""
    lines = ["| " + " | ".join(row) + " |" for row in grid]
    return "\n".join([lines[0], "|" + " --- |" * len(grid[0]), *lines[1:]])
