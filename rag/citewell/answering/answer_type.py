"""Whether a sentence has the form that a question asks for: a number, a definition, a list, a cause.

All scores are in units of one bonus, so that the weight of form against meaning is one number elsewhere.
"""

from __future__ import annotations

import re

from citewell.paper import Paper
from citewell.query import Intent, Query
from citewell.text.formulas import split_formulas
from citewell.text.names import strip_markup
from citewell.text.roles import Role

# How welcome each role is, by what the question asks for.
_WHY = {Role.BACKGROUND: 0.3, Role.PROBLEM: 0.6, Role.APPROACH: 0.4, Role.RESULT: -0.5, Role.RESOURCE: -1.0}
_HOW = {Role.BACKGROUND: -2.5, Role.PROBLEM: -2.0, Role.APPROACH: 0.5, Role.METHOD: 0.5, Role.RESOURCE: -2.0}
_WHAT = {
    Role.BACKGROUND: -1.2,
    Role.PROBLEM: -0.8,
    Role.APPROACH: 0.3,
    Role.METHOD: 0.2,
    Role.RESULT: 0.1,
    Role.RESOURCE: -1.0,
}
_ABOUT = {Role.BACKGROUND: -2.0, Role.PROBLEM: -1.5, Role.APPROACH: 1.0, Role.METHOD: 0.2, Role.RESOURCE: -2.0}
_NUMBERS = {Role.BACKGROUND: -0.6, Role.PROBLEM: -0.4, Role.RESULT: 0.3, Role.RESOURCE: -0.6}

_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|half|double|triple|dozen|hundred|thousand|"
    r"million|billion|trillion|tenfold|orders? of magnitude)\b",
    re.IGNORECASE,
)
_ASKS_LIST = re.compile(r"\b(?:two|three|four|five|six|main|key|several|different)\b", re.IGNORECASE)
_ENUMERATES = re.compile(
    r"\b(two|three|four|five|six)\b.*(?::|\band\b)|\((?:1|i|a)\).*\((?:2|ii|b)\)|\b1[).].*\b2[).]",
    re.IGNORECASE | re.DOTALL,
)
ORDINAL = re.compile(
    r"^(?:(?:\(?[1-9ivx]{1,3}[).])|first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|finally|last(?:ly)?)\b[\s,:]?",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because|since|due to|owing to|caused by|arises?|stems?|leads? to|results? (?:from|in)|raising|thereby|"
    r"as a result)\b",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"\b(?:by|using|via|through|employs?|utili[sz]es?|leverag\w+|based on|combin\w+|integrat\w+|introduc\w+|"
    r"incorporat\w+)\b",
    re.IGNORECASE,
)
_PROPOSES = re.compile(
    r"\b(?:propos|introduc|present|develop|dubbed|called|termed|named|defin|argue)\w*\b", re.IGNORECASE
)
_ASKS_PROBLEM = re.compile(r"^why\b|\b(?:problem|challenge|motivat\w+|limitation|drawback)s?\b", re.IGNORECASE)
# What is asked about, and the words with which abstracts speak of it.
_ASPECTS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(said, re.IGNORECASE))
    for asked, said in (
        (
            r"\b(?:data(?: ?sets?)?|benchmarks?|evaluated?|test(?:ed)?|experiments?|tasks)\b",
            r"\b(?:data ?sets?|benchmarks?|evaluat\w+|experiment\w*|on [A-Z][\w;.-]*[A-Z0-9])",
        ),
        (
            r"\b(?:which|what) (?:[\w-]+ )?(?:models?|llms?|architectures?|backbones?)\b",
            r"\b(?:GPT|BERT|Llama|Qwen|Claude|Gemini|Gemma|Mistral|OPT|ChatGPT|ResNet|ViT|CLIP)\b|\b[A-Z][\w.]*-?\d",
        ),
        (
            r"\b(?:results?|perform\w*|achieve\w*|gains?|improve\w*|outperform\w*|beats?|better|effective)\b",
            r"\b(?:achiev\w+|outperform\w*|improv\w+|state-of-the-art|surpass\w*|results?|gains?|reduc\w+|beat\w*|"
            r"superior\w*)\b",
        ),
        (
            r"\b(?:problem|challenge|motivation|limitation|issue|gap|why)s?\b",
            r"\b(?:however|challeng\w+|problem|limit\w+|suffer\w*|struggl\w+|lack\w*|difficult\w*|yet|but)\b",
        ),
        (
            r"\b(?:code|implementation|repository|github|open[- ]source|available)\b",
            r"\b(?:code|github|available|open-source\w*|implementation|release\w*)\b|https?://",
        ),
        (
            r"\b(?:theor\w*|guarantee\w*|prove\w*|bound|complexity)\b",
            r"\b(?:theor\w+|guarantee\w*|prov(?:e|ed|ably|ing)|bound\w*|converge\w*|regret|complexit\w+)\b",
        ),
    )
)


def role_fit(query: Query, role: Role) -> float:
    """How welcome a sentence of this role is as an answer, about -2.5 to 1."""
    if _ASKS_PROBLEM.search(query.text):
        return _WHY.get(role, 0.0)
    if query.intent in (Intent.SURVEY, Intent.FIND, Intent.COMPARE, Intent.SUMMARISE, Intent.DEFINE):
        return _ABOUT.get(role, 0.0)
    if query.intent is Intent.FACT:
        return _NUMBERS.get(role, 0.0)
    return (_HOW if query.text.lower().startswith("how") else _WHAT).get(role, 0.0)


def form_fit(query: Query, paper: Paper, text: str) -> float:
    """How far a sentence of `paper` has the form that the question asks for, about -1.5 to 4."""
    # A question is no answer.
    fit = -1.5 if text.endswith("?") else 0.0
    question = query.text.lower()
    if query.intent is Intent.FACT and (_NUMBER.search(text) or any(s.is_formula for s in split_formulas(text))):
        fit += 1.5
    if _ASKS_LIST.search(question) and (_ENUMERATES.search(text) or ORDINAL.search(text)):
        fit += 1.0
    if query.intent in (Intent.DEFINE, Intent.SUMMARISE):
        fit += definition_fit(query, paper, text)
    if question.startswith("why") and _CAUSE.search(text):
        fit += 0.8
    if question.startswith("how") and query.intent is not Intent.FACT and _MEANS.search(text):
        fit += 0.4
    return fit + sum(0.8 for asked, said in _ASPECTS if asked.search(question) and said.search(text))


def definition_fit(query: Query, paper: Paper, text: str) -> float:
    """How far a sentence says what the thing asked about is: "we propose X, a …", "X, which …", "dubbed X"."""
    names = [named.name for named in query.named if paper.id in named.paper_ids] or [" ".join(query.terms)]
    plain = strip_markup(text)
    fit = 0.0
    for name in names:
        pattern = r"[\s–-]+".join(re.escape(part) for part in re.split(r"[\s–-]+", name) if part)
        if not pattern or not (match := re.search(rf"(?<!\w){pattern}(?!\w)", plain, re.IGNORECASE)):
            continue
        fit = max(fit, 0.5)
        before, after = plain[: match.start()], plain[match.end() :]
        appositive = re.match(
            r"[\"”’'*]*\s*(?:\([^)]*\))?\s*(?:,|:|–|—|-{1,3})?\s*(?:an? |the |which |is an? |is the |refers to)", after
        )
        if _PROPOSES.search(before[-160:]):
            fit = max(fit, 2.5 if appositive else 1.8)
        elif appositive:
            fit = max(fit, 1.5)
    return fit
