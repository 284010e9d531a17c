"""Whether two records are the same paper, and what becomes of their fields when they are."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace

from rag.readers.base import Draft
from rag.records import Paper
from rag.text.names import label_from_text
from rag.text.words import plain

_NOT_WORD = re.compile(r"[^a-z0-9]+")
SHORTEST_TITLE = 12


def folded(text: str) -> str:
    """Letters and digits only, lower case, without accents or markup: for telling texts apart, not for showing."""
    return _NOT_WORD.sub("", plain(text).casefold())


def title_key(title: str, year: int | None) -> str:
    """The key of a title; empty for one too short to identify a paper."""
    text = folded(title)
    return f"title:{text}:{year or ''}" if len(text) >= SHORTEST_TITLE else ""


def text_key(abstract: str) -> str:
    """The key of an abstract; empty when there is none."""
    text = folded(abstract)
    return f"text:{hashlib.sha256(text.encode()).hexdigest()[:32]}" if len(text) >= 80 else ""


def draft_keys(draft: Draft) -> list[str]:
    """Keys by which a draft may be known, surest first."""
    keys = [*draft.identifiers, title_key(draft.title, draft.year), text_key(draft.abstract)]
    return [key for key in keys if key]


def paper_keys(paper: Paper) -> list[str]:
    """Keys under which a paper is kept."""
    title = "" if paper.title_from_text else title_key(paper.title, paper.year)
    return [key for key in (*paper.identifiers, title, text_key(paper.abstract)) if key]


def new_paper(draft: Draft, taken: Callable[[str], bool]) -> Paper:
    """A paper with a new id. The id is made of the first text seen, so the same files give the same ids."""
    seed = f"{folded(draft.title)}|{folded(draft.abstract)[:400]}|{draft.year or ''}|{draft.doi}"
    digest = hashlib.sha256(seed.encode()).hexdigest()
    paper_id = next(
        f"p{digest[start : start + 10]}" for start in range(50) if not taken(f"p{digest[start : start + 10]}")
    )
    title = draft.title or label_from_text(draft.abstract)
    return Paper(
        id=paper_id,
        title=title,
        abstract=draft.abstract,
        authors=draft.authors,
        year=draft.year,
        venue=draft.venue,
        url=draft.url,
        doi=draft.doi,
        identifiers=draft.identifiers,
        title_from_text=not draft.title,
    )


def merged(paper: Paper, draft: Draft, *, newer: bool = False) -> Paper:
    """`paper` with what `draft` adds: fields that it lacks, all identifiers, and the fuller text.

    `newer` says that the draft replaces an older version of the same record, so its fields win.
    """
    title, from_text = paper.title, paper.title_from_text
    if draft.title and (from_text or newer):
        title, from_text = draft.title, False
    abstract = paper.abstract
    if draft.abstract and (newer or not abstract):
        abstract = draft.abstract
    if from_text and abstract != paper.abstract:
        title = label_from_text(abstract)

    def pick(old: str, new: str) -> str:
        return (new or old) if newer else (old or new)

    return replace(
        paper,
        title=title,
        title_from_text=from_text,
        abstract=abstract,
        authors=(draft.authors or paper.authors) if newer else (paper.authors or draft.authors),
        year=(draft.year or paper.year) if newer else (paper.year or draft.year),
        venue=pick(paper.venue, draft.venue),
        url=pick(paper.url, draft.url),
        doi=pick(paper.doi, draft.doi),
        identifiers=tuple(dict.fromkeys((*paper.identifiers, *draft.identifiers))),
    )
