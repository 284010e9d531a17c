"""Whether two records are the same paper, and what becomes of their fields when they are.

Known again by identifier, else by title, else by text. Each key only proposes; `is_same` decides, because DOIs of
whole volumes stand on chapters, "Editorial" is the title of many papers, and the second part of a paper opens like
the first.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from citewell.paper import Paper
from citewell.readers.base import Draft
from citewell.text.names import label_from_text
from citewell.text.tokens import index_tokens, plain, raw_words

_NOT_WORD = re.compile(r"[^\w]+|_")
_SERIES = re.compile(
    r"\b(erratum|errata|corrigendum|correction|retraction|comment|reply|response|addendum|supplement\w*|"
    r"part\s+(?:[ivx]+|\d+|one|two|three)|volume\s+\d+|(?:[ivx]+|\d+)\s*$)",
    re.IGNORECASE,
)
_ARXIV_VERSION = re.compile(r"v\d+$")
_CUT_SHORT = re.compile(r"(?:…|\.\.\.)\s*$")
SHORTEST_TITLE = 12
SHORTEST_TEXT = 80
SAME_TEXT, NEAR_TEXT = 0.5, 0.8
SKETCH, SHINGLE = 12, 4
# A text must be this much longer to be worth more than the one that answers have quoted from.
RICHER = 1.25


def folded(text: str) -> str:
    """Letters and digits only, lower case, without accents or markup: for telling texts apart, not for showing."""
    return _NOT_WORD.sub("", plain(text).casefold())


def keys_of(title: str, abstract: str, identifiers: Iterable[str]) -> list[str]:
    """Keys under which a paper is kept and looked up, surest first."""
    keys = [_ARXIV_VERSION.sub("", key) if key.startswith("arxiv:") else key for key in identifiers]
    heading, text = folded(title), folded(abstract)
    if len(heading) >= SHORTEST_TITLE:
        keys.append(f"title:{heading}")
    elif text and (heading or len(text) < SHORTEST_TEXT):
        keys.append(f"both:{_digest(f'{heading}|{text}')}")
    if len(text) >= SHORTEST_TEXT:
        keys.append(f"text:{_digest(text)}")
        keys.extend(likeness_keys(abstract))
    return list(dict.fromkeys(keys))


def likeness_keys(abstract: str) -> list[str]:
    """Keys that abstracts which share many words have in common; none for a short one."""
    return [f"near:{number}" for number in sketch(abstract)] if len(folded(abstract)) >= SHORTEST_TEXT else []


def draft_keys(draft: Draft) -> list[str]:
    return keys_of(draft.title, draft.abstract, draft.identifiers)


def paper_keys(paper: Paper) -> list[str]:
    return keys_of("" if paper.title_from_text else paper.title, paper.abstract, paper.identifiers)


def sketch(text: str) -> list[str]:
    """The smallest hashes of the text's four-word shingles: texts that share many words share some of these.

    A bottom-k sketch: Broder, "On the resemblance and containment of documents", 1997.
    """
    import xxhash

    words = [word.casefold() for word in raw_words(text)]
    shingles = {" ".join(words[start : start + SHINGLE]) for start in range(max(0, len(words) - SHINGLE + 1))}
    return [
        f"{number:016x}"
        for number in sorted(xxhash.xxh3_64_intdigest(shingle.encode()) for shingle in shingles)[:SKETCH]
    ]


def is_same(paper: Paper, draft: Draft, key: str) -> bool:
    """Whether the draft is the paper that `key` proposes."""
    title = "" if paper.title_from_text else paper.title
    if _other_member_of_a_series(title, draft.title):
        return False
    kind = key.partition(":")[0]
    overlap = text_overlap(paper.abstract, draft.abstract) if paper.abstract and draft.abstract else None
    if kind in ("text", "both"):
        return True
    if kind == "near":
        alike = not title or not draft.title or text_overlap(title, draft.title) >= SAME_TEXT
        return overlap is not None and overlap >= NEAR_TEXT and alike
    if kind == "title":
        if overlap is not None:
            return overlap >= SAME_TEXT
        return _compatible(paper, draft)
    # An identifier: believed unless title and text both say otherwise.
    return not (_titles_far_apart(title, draft.title) and (overlap is None or overlap < SAME_TEXT))


def _other_member_of_a_series(one: str, other: str) -> bool:
    """Whether the titles differ in being a correction, a reply, or another part."""
    if not one or not other:
        return False
    signs = [{folded(sign) for sign in _SERIES.findall(title)} for title in (one, other)]
    return signs[0] != signs[1]


def _titles_far_apart(one: str, other: str) -> bool:
    if not one or not other:
        return False
    first, second = set(index_tokens(one)), set(index_tokens(other))
    return len(first & second) < 0.3 * max(1, min(len(first), len(second)))


def _compatible(paper: Paper, draft: Draft) -> bool:
    """Whether nothing but the title speaks, and nothing speaks against it."""
    if paper.year and draft.year and abs(paper.year - draft.year) > 1:
        return False
    if paper.doi and draft.doi and paper.doi != draft.doi and not _preprint(paper.doi) and not _preprint(draft.doi):
        return False
    ours, theirs = _families(paper.authors), _families(draft.authors)
    return not ours or not theirs or bool(ours & theirs)


def _preprint(doi: str) -> bool:
    return doi.startswith(("10.48550/", "10.1101/", "10.21203/", "10.2139/", "10.36227/", "10.31234/"))


def _families(names: Iterable[str]) -> set[str]:
    return {folded(name.split()[-1]) for name in names if name.split()}


def text_overlap(one: str, other: str) -> float:
    """Jaccard similarity of the stems of two texts, 0 to 1."""
    first, second = set(index_tokens(one)), set(index_tokens(other))
    return len(first & second) / max(1, len(first | second))


def new_paper(draft: Draft, taken: Callable[[str], bool]) -> Paper:
    """A paper with a new id. The id is made of the first text seen, so the same files give the same ids."""
    digest = _digest(f"{folded(draft.title)}|{folded(draft.abstract)[:400]}|{draft.year or ''}|{draft.doi}")
    names = (f"p{_digest(digest + str(attempt))[:10]}" if attempt else f"p{digest[:10]}" for attempt in range(1000))
    return Paper(
        id=next(name for name in names if not taken(name)),
        title=draft.title or label_from_text(draft.abstract),
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
    """`paper` with what `draft` adds: fields that it lacks, all identifiers, and the richer text.

    `newer` says that the draft is a new version of the only record of the paper, so its fields win.
    """
    title, from_text = paper.title, paper.title_from_text
    if draft.title and (from_text or newer or _CUT_SHORT.search(title)):
        title, from_text = draft.title, False
    abstract = paper.abstract
    if draft.abstract and (newer or is_richer(draft.abstract, abstract)):
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


def is_richer(new: str, old: str) -> bool:
    """Whether `new` is worth more than `old`: there is none, it was cut short, or it is much shorter."""
    if not old or (_CUT_SHORT.search(old) and not _CUT_SHORT.search(new)):
        return bool(new)
    return len(new) > RICHER * len(old) and not _CUT_SHORT.search(new)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
