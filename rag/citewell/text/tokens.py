"""Words for the BM25 index and for weighing a question: tokens, stems, stop words.

The same function cuts abstracts and questions. Method names keep an exact form beside their plain one
(`Transolver++` gives `transolver++` and `transolv`); a hyphened word gives its parts and the parts joined, as it is
often written (`pre-training`, `pretraining`); a plural acronym gives its singular (`GNNs`), which a stemmer misses.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import Stemmer

_TOKEN = re.compile(r"[^\W_](?:[\w]|[-'’./](?=[\w])|,(?=\d{3}\b))*(?:\+\+|[*+#](?![\w*]))?", re.UNICODE)
_LATEX_COMMAND = re.compile(r"\\(?:texttt|textbf|textit|textsc|emph|mathrm|mathcal|mathbf|text|url|href|cite)\b")
_POSSESSIVE = re.compile(r"['’]s?$", re.IGNORECASE)
# Marks that stand over or under letters once these are taken apart.
_COMBINING = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_PARTS = re.compile(r"[-'’./]")
_HYPHENED = re.compile(r"[^\W\d]+(?:-[^\W\d]+)+")
_PLURAL_ACRONYM = re.compile(r"[A-Z](?:[A-Za-z0-9-]*[A-Z0-9])s|[A-Z]{2,}s")

STOP_WORDS = frozenset(
    """a an and any are as at be because been being but by can could did do does doing done for from had has have
    having he her here hers him his how i if in into is it its itself just let may me might more most much my no nor
    not of off on once only or other our ours out over own please same she should so some such than that the their
    them then there these they this those through to too under until up very was we were what when where which while
    who whom whose why will with would you your about above after again against all also am before below between both
    during each few further s t don now am shall us via per among within without whether""".split()
)
# Words that a question about papers is made of, and that say nothing about their content.
QUESTION_WORDS = frozenset(
    """paper papers study studies work works article articles author authors abstract abstracts research researcher
    researchers propose proposes proposed present presents presented introduce introduces introduced discuss discusses
    discussed describe describes described show shows shown find found tell explain summarise summarize summary
    overview list give name named mention mentions mentioned know known say says said talk talks investigate
    investigates explore explores explored examine examines examined address addresses addressed report reports
    reported publish published literature exist existing recent question answer answers using use used uses based
    one ones two three four five several many kind type types sort way ways thing things library corpus
    collection conduct conducted provide provides provided focus focuses focused consider considers considered
    compare compared differ differs related concerning regarding got""".split()
)
# Abstracts state these without naming them ("… reaches it with only 6-7% of the effort").
UNSTATED_WORDS = frozenset(
    """share percentage percent fraction proportion part number amount size cost costs speed speedup rate ratio factor
    improvement improvements gain gains result results performance problem problems task tasks approach approaches
    method methods technique techniques idea ideas goal goals purpose aim advantage advantages benefit benefits
    contribution contributions limitation limitations difference differences strategy strategies dataset datasets data
    benchmark benchmarks domain domains setting settings assumption assumptions evidence conclusion finding findings
    field topic area baseline baselines component components step steps feature features novelty innovation innovations
    model models algorithm algorithms framework property properties fewer less more faster better larger smaller time
    measure measures measured test tests tested testing evaluate evaluates evaluated evaluation train trains trained
    training solve solves help helps beat beats happen happens attack attacks
    reach reaches save saves need needs
    go goes cut cuts get gets run runs make makes take takes come comes high low
    drawback drawbacks weakness weaknesses shortcoming shortcomings flaw flaws fix fixes solve solves earlier strength
    strengths pros cons upside downside trick insight motivation limit limits architecture architectures mechanism
    mechanisms design pipeline procedure
    times it they this that role effect way ways year authors author title venue paper code""".split()
)


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The Snowball stem of a lower-case word; words with digits or signs stay as they are."""
    return str(_stemmer().stemWord(word)) if word.isalpha() else word


def plain(text: str) -> str:
    """`text` in compatibility form, without accents or TeX commands, for matching only (lengths change)."""
    if "\\" in text:
        text = _LATEX_COMMAND.sub(" ", text).replace("\\%", "%")
    return text if text.isascii() else _COMBINING.sub("", unicodedata.normalize("NFKD", text))


def raw_words(text: str) -> list[str]:
    """The words of `text` as written, `++`, `*` and `#` kept on the names that end in them."""
    return [_POSSESSIVE.sub("", word) for word in _TOKEN.findall(plain(text))]


def index_tokens(text: str) -> list[str]:
    """Stems of the words of `text` for the word index, stop words left out."""
    tokens: list[str] = []
    for word in raw_words(text):
        if _PLURAL_ACRONYM.fullmatch(word):
            word = word[:-1]
        lower = word.lower()
        if lower in STOP_WORDS:
            continue
        bare = lower.rstrip("+*#")
        if bare != lower:
            tokens.append(lower)
        parts = [part for part in _PARTS.split(bare) if part]
        if len(parts) > 1:
            tokens.append(stem(bare.replace("-", "")) if _HYPHENED.fullmatch(bare) else bare.replace("’", "'"))
            tokens.extend(stem(part) for part in parts if part not in STOP_WORDS and (len(part) > 1 or part.isdigit()))
        else:
            tokens.append(stem(bare.replace(",", "")))
    return tokens


@lru_cache(maxsize=1)
def question_tokens() -> frozenset[str]:
    """The index tokens of the words that a question is made of."""
    return frozenset(token for word in QUESTION_WORDS for token in index_tokens(word))


def informative_words(question: str) -> list[str]:
    """The words of a question that carry its content, as written, each once, in order."""
    seen: dict[str, str] = {}
    for word in raw_words(question):
        lower = word.lower()
        if lower in STOP_WORDS or lower in QUESTION_WORDS or (len(lower) == 1 and not lower.isdigit()):
            continue
        seen.setdefault(lower, word)
    return list(seen.values())
