"""PMLR's Markdown posts: one paper a file, its fields in the YAML front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from citewell.readers.base import Draft, Failure
from citewell.readers.fields import make_draft
from citewell.readers.json_records import people

_FRONT = re.compile(r"^---\s*\n.*?^(?:title|abstract)\s*:", re.DOTALL | re.MULTILINE)


def looks_like_post(text: str) -> bool:
    return bool(_FRONT.match(text.lstrip("\ufeff\r\n ")))


def read_post(text: str) -> Iterator[Draft | Failure]:
    """The one draft of a post."""
    import frontmatter
    import yaml

    try:
        fields: dict[str, Any] = frontmatter.loads(text.lstrip("\ufeff\r\n ")).metadata
    except yaml.YAMLError as error:
        yield Failure(1, 1, f"the front matter is not valid YAML: {str(error).splitlines()[0]}")
        return

    def field(*names: str) -> str:
        return next((str(fields[name]).strip() for name in names if fields.get(name)), "")

    yield make_draft(
        1,
        1,
        title=field("title"),
        abstract=field("abstract"),
        authors=people(fields.get("author") or fields.get("authors") or []),
        year=field("year", "issued", "date", "published"),
        venue=field("container-title", "booktitle", "venue"),
        doi=field("doi"),
        links=[field("url", "link"), field("openreview"), field("pdf"), _own_page(field("volume"), field("id"))],
        tex=True,
    )


def _own_page(volume: str, key: str) -> str:
    return f"https://proceedings.mlr.press/v{volume}/{key}.html" if volume.isdigit() and key else ""
