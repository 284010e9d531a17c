"""What a question is about, without the words that only make a question of it.

"Are there any studies that apply optimal transport to domain adaptation?" is searched as "optimal transport to
domain adaptation": the embedding of the whole is drawn towards papers about studies.
"""

from __future__ import annotations

import re

_LEAD = re.compile(
    r"""^\W*(?:(?:please|hi|hello|hey)[ ,]+)?(?:
    (?:can|could|would|will)\s+you\s+(?:please\s+)?
        (?:provide|give|show|name|list|mention|suggest|recommend|find|point|tell)\s*(?:me|us)?\s*(?:to|about|of)?\s*
    |(?:do|does)\s+(?:you\s+)?(?:know|have)\s+(?:of\s+)?
    |(?:are|is)\s+there\s+
    |(?:what|which)\s+(?:are\s+|is\s+)?
    |(?:any|list|find|show|give|name|provide|suggest|recommend)\s+(?:me\s+)?)""",
    re.IGNORECASE | re.VERBOSE,
)
_SUMMARY = re.compile(
    r"""^\W*(?:please\s+|can\s+you\s+|could\s+you\s+)*(?:
    (?:summari[sz]e|sum\s+up|describe|tell\s+me|give\s+(?:me\s+)?(?:a\s+|an\s+)?(?:short\s+|brief\s+)?(?:summary|overview)
        (?:\s+of)?|(?:a\s+)?(?:summary|overview)\s+of)\s+
        (?:(?:for\s+me\s+)?(?:what\s+)?(?:all\s+)?(?:(?:the|these|those|this)\s+)?(?:[\w-]+\s+)?
        (?:papers?|works?|research|literature|library|stud(?:y|ies)|abstracts?|sources|they)\s+(?:here\s+)?
        (?:say|says|report|reports|find|state|have\s+to\s+say)?\s*(?:on|about|in|of|for|regarding)\s+|about\s+)
    |what\s+(?:do|does)\s+(?:[\w-]+\s+){1,4}?say\s+(?:about|on)\s+)""",
    re.IGNORECASE | re.VERBOSE,
)
_NOUN = re.compile(
    r"""^\W*(?:(?:the|any|some|other|all|several|a|an|recent|existing|previous|prior|of|me|specific|research|earlier|
        subsequent|information)\s+)*
    (?:(?:papers?|works?|stud(?:y|ies)|research(?:es)?|articles?|publications?|literature|references?|examples?|
        resources?|efforts?|approaches|methods?)\b\s*)+""",
    re.IGNORECASE | re.VERBOSE,
)
_VERBS = (
    r"(?:discuss|propos|introduc|present|explor|investigat|studi|study|examin|focus|address|describ|provid|conduct|"
    r"appl|us|relat|perform|consider|report|show|demonstrat|develop|look|tackl|deal|work|concern|cover|mention|involv|"
    r"attempt|tr|analy|evaluat|publish|do|did|done)"
)
_VERB = re.compile(
    rf"""^\W*(?:(?:that|which|who|have|has|had|is|are|was|were|been|being|on|about|of|for|in|the|to|there|also|
        recently|first)\s+)*
    (?:{_VERBS}(?:e|es|ed|ing|s|d|ies|ied|y|ze|zed|se|sed|k|m)?\b\s*)?
    (?:(?:on|about|to|in|with|the|of|for|at|by|into|use|using|a|an|that|which|how)\s+)*""",
    re.IGNORECASE | re.VERBOSE,
)
SHORTEST = 4


def topic(question: str) -> str:
    """The part of a question for papers, or for a summary, that says what it is about; any other question unchanged."""
    if (match := _SUMMARY.match(question)) and len(question[match.end() :].strip(" ?.!")) >= SHORTEST:
        return question[match.end() :].strip()
    asked = _LEAD.sub("", question, count=1)
    if asked == question:
        return question
    about = _NOUN.sub("", asked, count=1)
    if about == asked:
        return question
    bare = _VERB.sub("", about, count=1)
    found = next((text for text in (bare, about) if len(text.strip(" ?.!")) >= SHORTEST), "")
    return found.strip() or question
