"""Files in which every line starts with a tag: cutting them into records, whatever the tags mean.

RIS, MEDLINE, Web of Science and EndNote share this form and nothing else; each has a module of its own that says
how a tag looks and where a record begins and ends. Libraries for these formats stop at the first odd line; real
exports are full of them (values over several lines without a tag, numbers before records, stray carriage returns),
and no record may be lost to one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class TaggedRecord:
    """One record: its line, and the values of each tag in order."""

    line: int
    values: dict[str, list[str]] = field(default_factory=dict)

    def add(self, tag: str, value: str) -> None:
        self.values.setdefault(tag, []).append(value.strip())

    def extend(self, tag: str, value: str) -> None:
        """More of the last value of `tag`."""
        if value.strip() and tag in self.values:
            self.values[tag][-1] = f"{self.values[tag][-1]} {value.strip()}".strip()

    def first(self, *tags: str) -> str:
        """The first value that is not empty among the tags, in their order."""
        return next((value for tag in tags for value in self.values.get(tag, ()) if value), "")

    def all(self, *tags: str) -> list[str]:
        """The values of the first of the tags that has any."""
        return next(([v for v in self.values[tag] if v] for tag in tags if any(self.values.get(tag, ()))), [])


@dataclass(frozen=True, slots=True)
class Grammar:
    """`tag` matches a tagged line (groups `tag` and `value`); the tests say which tags open and close a record."""

    tag: re.Pattern[str]
    opens: Callable[[str, TaggedRecord | None], bool]
    closes: Callable[[str], bool]
    ignored: frozenset[str] = frozenset()


def tagged_records(lines: Iterable[str], grammar: Grammar) -> Iterator[TaggedRecord]:
    """The records of `lines`. Lines without a tag continue the value above them; those between records are skipped."""
    record: TaggedRecord | None = None
    last = ""
    for number, line in enumerate(lines, start=1):
        match = grammar.tag.match(line.strip("\r\n\ufeff"))
        if match is None:
            if record is not None and last:
                record.extend(last, line)
            continue
        tag, value = match["tag"].upper(), match["value"] or ""
        if grammar.opens(tag, record):
            if record is not None and record.values:
                yield record
            record, last = TaggedRecord(number), ""
        if record is None or tag in grammar.ignored:
            continue
        if grammar.closes(tag):
            yield record
            record, last = None, ""
            continue
        record.add(tag, value)
        last = tag
    if record is not None and record.values:
        yield record
