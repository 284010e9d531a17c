"""XML: arXiv's Atom feeds, PubMed's MEDLINE XML, EndNote XML. Entities and external references are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from citewell.readers.base import Draft, Failure
from citewell.readers.fields import make_draft

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_RECORDS = {"entry", "PubmedArticle", "PubmedBookArticle", "record"}


def looks_like_xml_records(head: str) -> bool:
    start = head.lstrip("\ufeff \r\n\t")
    return start.startswith("<") and any(
        sign in head for sign in ("<feed", "<PubmedArticle", "<PubmedBookArticle", "<records>", "<record>")
    )


def read_xml(stream: BinaryIO) -> Iterator[Draft | Failure]:
    """One draft a record; damage is reported where it begins, with what stands before it kept."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    record = 0
    try:
        for _, element in iterparse(stream, events=("end",)):
            if _name(element) not in _RECORDS:
                continue
            record += 1
            yield _draft(element, record)
            element.clear()
    except DefusedXmlException:
        yield Failure(record + 1, 1, "the XML declares entities or external references, which are not read")
    except ParseError as error:
        yield Failure(record + 1, error.position[0], f"damaged XML from here on: {error}")


def _draft(element: Element, record: int) -> Draft | Failure:
    kind = _name(element)
    if kind == "entry":
        return _atom(element, record)
    return _endnote(element, record) if kind == "record" else _pubmed(element, record)


def _atom(entry: Element, record: int) -> Draft | Failure:
    links = [_inner(entry, "id"), *(link.get("href", "") for link in _all(entry, "link"))]
    return make_draft(
        record,
        1,
        title=_inner(entry, "title"),
        abstract=_inner(entry, "summary") or _inner(entry, "content"),
        authors=[_inner(author, "name") for author in _all(entry, "author")],
        year=_inner(entry, "published") or _inner(entry, "updated"),
        venue=_inner(entry, "journal_ref") or ("arXiv" if "arxiv.org" in links[0] else ""),
        doi=_inner(entry, "doi"),
        links=links,
    )


def _pubmed(article: Element, record: int) -> Draft | Failure:
    parts = []
    for part in _all(article, "AbstractText"):
        label = part.get("Label", "")
        parts.append(f"{label.capitalize()}: {_flat(part)}" if label else _flat(part))
    people = [
        f"{_inner(author, 'ForeName') or _inner(author, 'Initials')} {_inner(author, 'LastName')}".strip()
        or _inner(author, "CollectiveName")
        for author in _all(article, "Author")
    ]
    ids = {item.get("IdType", ""): _flat(item) for item in _all(article, "ArticleId")}
    ids |= {
        item.get("EIdType", ""): _flat(item) for item in _all(article, "ELocationID") if item.get("EIdType") == "doi"
    }
    pmid = _inner(article, "PMID")
    dates = [date for date in _all(article, "PubDate")]
    return make_draft(
        record,
        1,
        title=_inner(article, "ArticleTitle") or _inner(article, "BookTitle"),
        abstract=" ".join(parts),
        authors=people,
        year=_flat(dates[0]) if dates else "",
        venue=_inner(article, "Title") or _inner(article, "ISOAbbreviation"),
        doi=ids.get("doi", ""),
        links=[f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid else ""],
    )


def _endnote(item: Element, record: int) -> Draft | Failure:
    urls = [_flat(url) for url in _all(item, "url")]
    return make_draft(
        record,
        1,
        title=_inner(item, "title"),
        abstract=_inner(item, "abstract"),
        authors=[_flat(author) for author in _all(item, "author")],
        year=_inner(item, "year"),
        venue=_inner(item, "secondary-title") or _inner(item, "full-title"),
        doi=_inner(item, "electronic-resource-num"),
        links=urls,
    )


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _all(element: Element, name: str) -> list[Element]:
    return [child for child in element.iter() if _name(child) == name]


def _inner(element: Element, name: str) -> str:
    """The text of the first descendant of that name."""
    return next((text for child in _all(element, name) if (text := _flat(child))), "")


def _flat(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
