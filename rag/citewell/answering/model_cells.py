"""A comparison table whose cells a language model chose: each must be a quote, or the extractive cell stands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.utils.json import parse_json_markdown
from pydantic import BaseModel, Field, ValidationError

from citewell.answer import Notice, NoticeKind
from citewell.answering import prompts
from citewell.answering.language_model import explain
from citewell.citation import Citation
from citewell.comparison import Comparison, ComparisonCell
from citewell.paper import Paper
from citewell.settings import Settings

# A quote of fewer letters and digits could stand anywhere; a longer one than this many words is no cell.
SHORTEST, LONGEST = 12, 70


class AspectQuote(BaseModel):
    """What an abstract states on one aspect, word for word."""

    aspect: str = Field(description="One of the aspects asked for, spelled as given.")
    quote: str = Field(description="The shortest words of the abstract that state it, copied; empty if none do.")


class AspectQuotes(BaseModel):
    """The aspects that one abstract states."""

    quotes: list[AspectQuote]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The table with a model's cells in it, how many cells are its own, its raw text, and what went wrong."""

    table: Comparison
    kept: int
    raw_text: str
    notices: tuple[Notice, ...] = ()


def choose_cells(model: BaseChatModel, settings: Settings, table: Comparison, name: str) -> Chosen:
    """Let `model` choose the words of every cell. A cell whose quote is not in the abstract stays as it is."""
    aspects = [row.aspect for row in table.rows]
    replies = [_ask(model, settings, paper, aspects) for paper in table.papers]
    troubles = list(dict.fromkeys(reply for reply in replies if isinstance(reply, _Trouble)))
    kept = offered = 0
    rows = []
    for row in table.rows:
        cells = []
        for number, (cell, paper, reply) in enumerate(zip(row.cells, table.papers, replies, strict=True), start=1):
            quote = reply.quotes.get(row.aspect.casefold(), "") if isinstance(reply, _Reply) else ""
            place = locate(quote, paper.abstract) if quote else None
            offered += bool(quote)
            if place is None:
                cells.append(cell)
                continue
            kept += 1
            citation = Citation.of(number, paper, *place)
            cells.append(ComparisonCell(paper.id, (citation,)))
        rows.append(replace(row, cells=tuple(cells)))
    notices = [Notice(NoticeKind.CELLS_WITHOUT_MODEL, {"trouble": trouble.message}) for trouble in troubles]
    if offered > kept:
        values: dict[str, str | int] = {"missing": offered - kept, "offered": offered, "model": name}
        notices.append(Notice(NoticeKind.QUOTES_NOT_FOUND, values))
    raw = "\n\n".join(reply.raw for reply in replies if isinstance(reply, _Reply))
    return Chosen(replace(table, rows=tuple(rows)), kept, raw, tuple(notices))


def locate(quote: str, abstract: str) -> tuple[int, int] | None:
    """Where a quote stands in an abstract, up to case, blanks, dashes, quotation marks and other signs; else None."""
    wanted = "".join(sign for sign in quote.casefold() if sign.isalnum())
    if len(wanted) < SHORTEST or len(quote.split()) > LONGEST:
        return None
    places = [(sign, place) for place, letter in enumerate(abstract) for sign in letter.casefold() if sign.isalnum()]
    start = "".join(sign for sign, _ in places).find(wanted)
    if start < 0:
        return None
    first, last = places[start][1], places[start + len(wanted) - 1][1] + 1
    # The signs that belong to the outermost words: "$", brackets, "%", "++".
    while first > 0 and not abstract[first - 1].isspace():
        first -= 1
    while last < len(abstract) and not abstract[last].isspace():
        last += 1
    return first, last - (abstract[last - 1] in ",;:")


@dataclass(frozen=True, slots=True)
class _Reply:
    quotes: dict[str, str]
    raw: str


@dataclass(frozen=True, slots=True)
class _Trouble:
    message: str


def _ask(model: BaseChatModel, settings: Settings, paper: Paper, aspects: Sequence[str]) -> _Reply | _Trouble:
    """The quotes that a model gives for one paper, by structured output if it can, else out of its plain text."""
    messages = prompts.aspect_messages(paper, aspects)
    try:
        found = model.with_structured_output(AspectQuotes, include_raw=True).invoke(messages)
        if isinstance(found, dict) and isinstance(found.get("parsed"), AspectQuotes):
            return _reply(found["parsed"], _text(found.get("raw")))
        return _parsed(_text(found.get("raw")) if isinstance(found, dict) else "")
    except (NotImplementedError, ValidationError, ValueError, TypeError):
        pass  # a model without structured output is asked in plain words
    except Exception as error:
        if text := _cut_off(error):
            return _parsed(text)
        if getattr(error, "status_code", None) != 400:
            return _Trouble(str(explain(error, settings)))
    try:
        return _parsed(_text(model.invoke(messages)))
    except Exception as error:
        return _Trouble(str(explain(error, settings)))


def _cut_off(error: Exception) -> str:
    """What a model had written when it reached its longest reply; empty for any other failure."""
    choices = getattr(getattr(error, "completion", None), "choices", None) or []
    return str(getattr(choices[0].message, "content", "") or "") if choices else ""


def _parsed(text: str) -> _Reply:
    """The quotes in a text that ought to be JSON: fences, remarks around it and a missing end are forgiven."""
    try:
        value: Any = parse_json_markdown(text[text.index("{") :]) if "{" in text else {}
        return _reply(AspectQuotes.model_validate(value), text)
    except (ValueError, TypeError, json.JSONDecodeError):
        return _Reply({}, text)


def _reply(quotes: AspectQuotes, raw: str) -> _Reply:
    return _Reply(
        {item.aspect.strip().casefold(): item.quote for item in quotes.quotes}, raw or quotes.model_dump_json()
    )


def _text(message: Any) -> str:
    content = getattr(message, "content", "")
    return content if isinstance(content, str) else json.dumps(content)
