"""Text of papers and answers for Streamlit's Markdown: formulas render, everything else shows as it was written.

What a person typed goes through `to_markdown`, text of papers through `paper_markdown`, which also reads the TeX of
running text and makes addresses links. Characters that mean something to Markdown become character references, which
Markdown takes for plain text; what Streamlit rewrites after parsing (links, arrows, dashes, emoji codes) is kept
apart by empty-looking tags. Pass the result to `st.markdown(..., unsafe_allow_html=True)`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from citewell.text.formulas import Span, split_formulas
from citewell.text.tex import readable

_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+!|~<>&$\"'=^]")
# Rewritten by Streamlit or its Markdown plugins in finished text, so the characters must not stand side by side.
_REWRITTEN = re.compile(
    r"(?P<url>://)|(?P<www>w(?=ww\.))|(?P<mail>(?<=\w)@(?=\w))|(?P<colon>:(?=[\w+-]))|(?P<dash>[-<>~](?=[-=>]))|(?P<arrow>(?<=-)>)"
)
# Font commands that lost the braces around their argument (`\\mathbbR`).
_GLUED = re.compile(r"\\(?:text(?:tt|bf|it|sc|sf|rm)|math(?:bb|bf|rm|cal|sf|tt|frak))(?=[A-Za-z])")
_JOINER = "\u2060"
# An address in running text, without the sign that ends its sentence.
_ADDRESS = re.compile(r"https?://[^\s<>\"'{}|\\^`]*[^\s<>\"'{}|\\^`.,;:!?)\]]")
_LINE_START = re.compile(r"^(\s*)([-+#>]|\d+[.)])", re.MULTILINE)


def to_markdown(text: str) -> str:
    """`text` as Markdown that displays it as written, with its formulas rendered; line breaks become blanks."""
    pieces: list[str] = []
    for span in split_formulas(" ".join(text.split())):
        if span.is_formula:
            pieces.append(_formula(span.body))
        else:
            pieces.append(_beside_formulas(plain(span.body)))
    return "".join(pieces)


def paper_markdown(text: str, *, linked: bool = True) -> str:
    """Like `to_markdown`, for text of papers; without `linked` for buttons, where no link can stand."""
    pieces: list[str] = []
    for span in split_formulas(" ".join(text.split())):
        if span.is_formula:
            pieces.append(_formula(span.body))
        else:
            body = readable(span.body)
            pieces.append(_beside_formulas(_with_links(body) if linked else plain(body)))
    return "".join(pieces)


def _with_links(text: str) -> str:
    """`plain(text)` with its addresses as links that open beside the page."""
    pieces: list[str] = []
    last = 0
    for match in _ADDRESS.finditer(text):
        pieces.append(plain(text[last : match.start()]))
        address = html.escape(match.group())
        pieces.append(f'<a href="{address}" target="_blank" rel="noopener noreferrer">{plain(match.group())}</a>')
        last = match.end()
    pieces.append(plain(text[last:]))
    return "".join(pieces)


def _beside_formulas(text: str) -> str:
    """A dollar beside a digit counts as money, so digits at the edges of a text are written as references."""
    text = re.sub(r"^\d", lambda match: f"&#{ord(match.group())};", text)
    return re.sub(r"\d$", lambda match: f"&#{ord(match.group())};", text)


def cell_markdown(text: str) -> str:
    """Like `paper_markdown`, for a cell of a Markdown table, where a bar inside a formula would end the cell."""
    pieces = []
    for span in split_formulas(" ".join(text.split())):
        source = text_of(span)
        pieces.append(source.replace("\\|", r"\Vert ").replace("|", r"\vert ") if span.is_formula else source)
    return paper_markdown("".join(pieces))


def text_of(span: Span) -> str:
    """A stretch of text with the delimiters of a formula put back."""
    return f"${span.body}$" if span.is_formula and "$" not in span.body else span.body


def shortened(text: str, length: int) -> str:
    """At most about `length` characters of `text`, cut between words and never inside a formula."""
    if len(text) <= length:
        return text
    end = text.rfind(" ", 0, length)
    for span in split_formulas(text):
        if span.is_formula and span.start < end < span.end:
            end = span.start
    return text[: max(end, 0)].rstrip() + " …"


def plain(text: str) -> str:
    """`text` as Markdown that displays exactly it, formulas included as source."""
    pieces: list[str] = []
    last = 0
    for match in _REWRITTEN.finditer(text):
        pieces.append(_references(text[last : match.start()]))
        pieces.append(f"<span>{_references(match.group())}</span>")
        last = match.end()
    pieces.append(_references(text[last:]))
    return _LINE_START.sub(_numbered, "".join(pieces))


def _numbered(match: re.Match[str]) -> str:
    return match.group(1) + "".join(f"&#{ord(ch)};" for ch in match.group(2))


def label(text: str) -> str:
    """Like `plain`, for boxes, captions and buttons, where tags are not allowed: a word joiner parts the characters."""
    text = _REWRITTEN.sub(lambda match: match.group()[0] + _JOINER + match.group()[1:], " ".join(text.split()))
    return _LINE_START.sub(_numbered, _references(text))


def highlighted(text: str, quotes: Sequence[tuple[int, int]]) -> str:
    """An abstract as Markdown with the stretches `quotes` (character offsets) marked."""
    pieces: list[str] = []
    last = 0
    for start, end in merged(quotes):
        pieces.append(_stretch(text[last:start]))
        pieces.append(f"<mark>{_stretch(text[start:end])}</mark>")
        last = end
    pieces.append(_stretch(text[last:]))
    return "".join(pieces)


def _stretch(text: str) -> str:
    """Like `paper_markdown`, for a stretch of a longer text: blanks at its ends are kept."""
    if not text.strip():
        return " " if text else ""
    before = " " if text[0].isspace() else ""
    after = " " if text[-1].isspace() else ""
    return before + paper_markdown(text) + after


def merged(quotes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches in order, overlapping ones joined."""
    result: list[tuple[int, int]] = []
    for start, end in sorted(quotes):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


def is_whole(body: str) -> bool:
    """Whether a formula can be rendered: no dollar in it and no brace left open; others are shown as written."""
    return "$" not in body and body.count("{") == body.count("}")


def _formula(body: str) -> str:
    # A dollar or a line break inside would end the formula early.
    if not is_whole(body):
        return plain(f"${body}$")
    # Signs of comparison could be taken for tags.
    body = _GLUED.sub(lambda match: f"{match.group()} ", body)
    body = body.replace("<", r" \lt ").replace(">", r" \gt ")
    return f"${' '.join(body.split())}$"


def _references(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"&#{ord(match.group())};", text)
