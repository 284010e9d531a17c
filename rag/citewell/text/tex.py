"""TeX in running text: decoded as records are read, or only made readable where a text is kept as it is written."""

from __future__ import annotations

import re
from functools import lru_cache

_ACCENT = re.compile(r"\{?\\([\"'`^~=.]|[uvHtcdbkr](?=[\s{\\]))\s*(?:\{\s*(\\?[A-Za-z]+)\s*\}|(\\[ij]|[A-Za-z]))\}?")
_SYMBOL = re.compile(
    r"\{?\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j|dh|DH|th|TH|dots|ldots|textendash|textemdash|textquoteright|textquoteleft|"
    r"textquotedblleft|textquotedblright|textregistered|texttrademark|copyright|S|P|pounds|euro|textasciitilde|"
    r"textbackslash|textbar|textless|textgreater|textdegree|textmu|LaTeX|TeX)(?![A-Za-z])\s?(?:\{\})?\}?"
)
_WRAPPED = re.compile(
    r"\\(?:textit|textbf|textsc|textsf|textsl|textrm|texttt|textup|textnormal|emph|mbox|hbox|text|underline|uline|url|"
    r"enquote|MakeUppercase|uppercase|(?:href|textcolor)\s*\{[^{}]*\})\s*\{([^{}]*)\}"
)
_SWITCH = re.compile(r"\{?\\(?:it|bf|sc|em|tt|rm|sf|sl|itshape|bfseries|scshape|small|large|noopsort\{[^{}]*\})\b\s*")
_CITE = re.compile(r"~?\\(?:cite[a-z]*|ref|label|footnote)\*?(?:\[[^\]]*\])*\{[^{}]*\}")
_ESCAPED = re.compile(r"\\([%&_#${} ])")
# What `readable` knows beyond that.
_SWITCHED = re.compile(r"\{\s*\\(?:em|it|bf|sc|sf|tt|rm|sl|itshape|bfseries|scshape|small)(?![A-Za-z])\s*([^{}]*)\}")
_LINKED = re.compile(r"\\href\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_QUOTED = re.compile(r"``((?:[^`']|'(?!'))*)''")
_BLANK = re.compile(r"\\\\|\\[ ,;]")
_SIGNS = {"times": "×", "sim": "∼", "eg": "e.g.", "ie": "i.e.", "etal": "et al.", "xspace": ""}
_SIGN = re.compile(rf"\\({'|'.join(_SIGNS)})(?![A-Za-z])(?:\{{\}})?\.?")
# Commands inside commands, the innermost first.
NESTED = 4


def decode_tex(text: str) -> str:
    """TeX accents, symbols and font commands as plain Unicode text; braces that only group are dropped."""
    if "\\" in text:
        text = _ACCENT.sub(lambda match: _unicode(match.group()), text)
        text = _SYMBOL.sub(lambda match: _unicode(match.group()), text)
        text = _CITE.sub("", text)
        for _ in range(NESTED):
            text = _WRAPPED.sub(r"\1", text)
        text = _SWITCH.sub("", text)
    text = text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”")
    text = re.sub(r"(?<!\\)~", " ", text)
    text = re.sub(r"(?<!\\)[{}]", "", text)
    return _ESCAPED.sub(r"\1", text)


def readable(text: str) -> str:
    """`text` without the TeX of running text: escapes, styles, addresses, accents, quotation marks.

    For showing, where a quote is kept as it is written. Formulas are not for this function, and commands that it does
    not know stay as they are.
    """
    if "\\" not in text and "``" not in text:
        return text
    text = _SYMBOL.sub(lambda match: _unicode(match.group()), _ACCENT.sub(_tight_accent, text))
    text = _LINKED.sub(_with_address, text)
    for _ in range(NESTED):
        text = _SWITCHED.sub(r"\1", _WRAPPED.sub(r"\1", text))
    text = _QUOTED.sub(r"“\1”", text)
    text = _SIGN.sub(lambda match: _SIGNS[match[1]], text)
    return _ESCAPED.sub(r"\1", _BLANK.sub(" ", text))


def _tight_accent(match: re.Match[str]) -> str:
    """The letter with its accent; a sign that only stands before a word is none."""
    return match.group() if re.search(r"\s[A-Za-z]", match.group()) else _unicode(match.group())


def _with_address(match: re.Match[str]) -> str:
    """The words of a link, with its address when they are not the address themselves."""
    address, words = match.groups()
    return str(words) if "://" in words else f"{words} ({address})"


@lru_cache(maxsize=4096)
def _unicode(snippet: str) -> str:
    """One TeX accent or symbol as Unicode."""
    from pylatexenc.latex2text import LatexNodes2Text

    # Both dotless letters carry their accent in Unicode with the dot.
    snippet = re.sub(r"\\([ij])(?![A-Za-z])", r"\1", snippet) if _ACCENT.fullmatch(snippet) else snippet
    return str(LatexNodes2Text().latex_to_text(snippet)).strip() or snippet
