"""Cleaning the text of records, once, as they are read: TeX, HTML, ligatures and the rubbish of PDF extraction.

Formulas stay as they are, and so do stars and underscores: method names hold them.
"""

from __future__ import annotations

import html
import re
import unicodedata

from citewell.text.formulas import split_formulas
from citewell.text.tex import decode_tex

_TAGS = re.compile(
    r"</?(?:jats:|mml:)?(?:p|br|b|i|u|em|strong|sub|sup|sc|small|big|span|div|font|tt|ul|ol|li|h[1-6]|title|sec|abstract|"
    r"italic|bold|underline|list|list-item|inline-formula|disp-formula|tex-math|math|mi|mo|mn|mrow|msub|msup|mtext|"
    r"ext-link|xref|abstracttext|blockquote|a)(?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*\s*/?>",
    re.IGNORECASE,
)
_BLOCK_TAG = re.compile(r"</?(?:jats:)?(?:p|br|div|li|sec|title|abstracttext|h[1-6]|list-item)\b", re.IGNORECASE)
_CID = re.compile(r"\(cid:\d+\)")
_LINE_HYPHEN = re.compile(r"(?<=[a-z])[-\u00ad]\s*\n\s*(?=[a-z])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u2028\u2029\ufeff\u00ad]")
_LEADING = re.compile(r"^\s*(?:abstract|summary)\s*(?:[:.—–-]\s*|\n\s*|(?=(?-i:[A-Z][a-z]*\s[a-z])))", re.IGNORECASE)
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u00a0": " ", "\u202f": " "}
)


def clean_text(text: str, *, tex: bool = False) -> str:
    """`text` for reading and searching: one line, no markup left over from its container.

    `tex` decodes TeX accents and commands outside formulas, for BibTeX and its kin; elsewhere a backslash is
    the author's own.
    """
    text = _LINE_HYPHEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = "".join(raw if formula else _clean_plain(raw, tex) for raw, formula in _spans(text))
    text = _CID.sub("", _CONTROL.sub("", text.translate(_LIGATURES)))
    return unicodedata.normalize("NFC", " ".join(text.split()))


def clean_abstract(text: str, *, tex: bool = False) -> str:
    """Like `clean_text`, without a leading "Abstract"."""
    return clean_text(_LEADING.sub("", text, count=1), tex=tex)


def _spans(text: str) -> list[tuple[str, bool]]:
    return [(text[span.start : span.end], span.is_formula) for span in split_formulas(text)]


def _clean_plain(text: str, tex: bool) -> str:
    text = _strip_tags(text)
    for _ in range(2):  # "&amp;lt;" is met in the wild
        decoded = html.unescape(text) if "&" in text else text
        if decoded == text:
            break
        text = _strip_tags(decoded)
    return decode_tex(text) if tex else text


def _strip_tags(text: str) -> str:
    return _TAGS.sub(lambda match: " " if _BLOCK_TAG.match(match.group()) else "", text) if "<" in text else text
