"""What kind of answer a question asks for, by its form."""

from __future__ import annotations

import re

from citewell.query import Intent

# What may follow a greeting or thanks without making a question of it.
_CLOSE = (
    r"(?:[\s,!.?:)~]|there|all|everyone|again|citewell|so much|very much|a lot|"
    r"for (?:your|the) (?:help|answer)|that helped|you|u)*$"
)
_SINGULAR = r"(?:paper|work|study|article|publication|abstract)"
_PLURAL = r"(?:papers|works|studies|articles|publications|abstracts)"
_MEANS = r"(?:method|model|algorithm|framework|approach|technique|system|dataset|benchmark)"
_MANY_MEANS = r"(?:methods|models|algorithms|frameworks|approaches|techniques|systems|datasets|benchmarks)"
# Up to three words between "which" and its noun, none of them a verb or itself such a noun.
_ADJECTIVES = (
    r"(?!(?:is|are|was|were|does|do|did)\b)"
    rf"(?:(?!(?:{_SINGULAR}|{_PLURAL}|{_MEANS}|{_MANY_MEANS})\b)[\w-]+\s+){{0,3}}?"
)
_ASKING = r"(?:which|what|list|show(?: me)?|find(?: me)?|any|all|are there|other|some|name|give me)"
_PLEASE = r"^\W*(?:please |can you |could you |would you )*"
_MEASURES = (
    r"(?:share|percentage|percent|fraction|proportion|number|rate|size|speed-?up|accuracy|bound|score|improvement|"
    r"gain|ratio|amount|regret|complexity|error|cost|datasets?|benchmarks?)"
)
_COUNTS = r"(?:two|three|four|five|six|main|key)"

_PATTERNS: tuple[tuple[Intent, re.Pattern[str]], ...] = tuple(
    (intent, re.compile(pattern, re.IGNORECASE))
    for intent, pattern in (
        (
            Intent.GREETING,
            r"^(?:hi+|hello+|hey+|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|how are you)" + _CLOSE,
        ),
        (
            Intent.THANKS,
            r"^(?:many |ok(?:ay)?,? |great,? )?(?:thanks?|thank you|thx|ty|cheers|bye|goodbye|see you|ok(?:ay)?|great|"
            r"cool|nice|perfect|awesome|got it)" + _CLOSE,
        ),
        (
            Intent.HELP,
            r"^(?:help|who are you|what are you|what can (?:you|i) (?:do|ask)(?: you)?(?: here)?|"
            r"how do(?:es)? (?:you|this) work)[\s?!.]*$",
        ),
        (
            Intent.COMPARE,
            r"\b(?:compare|compares|compared (?:to|with)|comparison|contrast|versus|vs\.?)\b"
            r"|\b(?:next to each other|side by side|in common)\b|\bhow (?:is|are) .+ different\b"
            r"|\bdiffer(?:s|ent from)?\b(?=.*\b(?:and|from|between)\b)|\bdifferences? between\b|\band\b.*\bdiffer\b",
        ),
        (
            Intent.SUMMARISE,
            _PLEASE + r"(?:summari[sz]e|sum up|give (?:me )?(?:a |an )?(?:short |brief )?(?:summary|overview|gist)|"
            r"tl;?dr|tell me (?:more )?about|describe|overview of)\b|\bsummary of\b"
            r"|^\W*(?:and )?what (?:do|does) (?:these|those|the|they|all|both)(?: \w+){0,3}? say (?:about|on)\b",
        ),
        (Intent.FIND, rf"\b(?:which|what|is there (?:a|any)|find (?:me )?(?:a|the))\s+{_ADJECTIVES}{_SINGULAR}\b"),
        (
            Intent.SURVEY,
            rf"\b{_ASKING}\s+(?:of )?{_ADJECTIVES}(?:{_PLURAL}|{_MANY_MEANS})\b|^papers\b"
            r"|\b(?:survey|literature) (?:of|on|about)\b"
            r"|^(?:who|which authors?|which researchers?) works? (?:on|in|with)\b",
        ),
        (Intent.FIND, rf"\b(?:which|what)\s+{_ADJECTIVES}{_MEANS}\b"),
        (
            Intent.FACT,
            r"\bhow (?:many|much|few|large|big|long|fast|often|small|high|low|far|well|accurate|deep)\b"
            rf"|\bwhat (?:[\w-]+ )?{_MEASURES}\b|\b(?:up to|at what|by what)\b.*\b(?:how|what)\b"
            rf"|^who\b|^when\b|\bwhat are the {_COUNTS}\b|\bwhich {_COUNTS}\b",
        ),
        (
            Intent.DEFINE,
            r"^\W*(?:what(?:'s| is| are)|define|who is|explain)\s+(?:an? |the )?[\"“']?[\w$*+.-]+(?:\s+[\w*+.-]+){0,3}"
            r"[\"”']?\s*[?.!]*$|\bwhat does [\w*+.-]+(?: [\w*+.-]+)? (?:do|mean|stand for)\b",
        ),
    )
)


_REQUEST = re.compile(
    r"\?[\"”’')\s]*$|^\W*(?:and |but |so |please |can |could |would |what|which|who|whom|whose|why|how|when|where|is |"
    r"are |was |were |do |does |did |has |have |list|show|find|give|name|tell|explain|describe|define|"
    r"summari[sz]e|compare|contrast|discuss|add|any )",
    re.IGNORECASE,
)


def is_request(text: str) -> bool:
    """Whether a text asks or orders something, rather than stating it."""
    return _REQUEST.search(text) is not None


def intent_of(question: str) -> Intent:
    """The kind of answer asked for."""
    text = question.strip()
    return next((intent for intent, pattern in _PATTERNS if pattern.search(text)), Intent.EXPLAIN)
