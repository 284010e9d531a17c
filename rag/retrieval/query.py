"""Understanding a question: what it wants, which papers it names, which of its words carry content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from rag.library import Library
from rag.text.names import looks_like_name, name_key
from rag.text.words import QUESTION_WORDS, STOP_WORDS, index_tokens, informative_words, raw_words

LONGEST_NAME = 5
# A name that more papers than this go by (an acronym of the field) names none of them.
MOST_NAMESAKES = 4
# A lower-case word is taken for a name only when it is this rare in the library.
RARE_SHARE = 0.01


class Intent(StrEnum):
    """What kind of answer a question asks for."""

    FACT = "fact"
    EXPLAIN = "explain"
    DEFINE = "define"
    FIND = "find"
    SURVEY = "survey"
    COMPARE = "compare"
    SUMMARISE = "summarise"
    GREETING = "greeting"
    THANKS = "thanks"
    HELP = "help"

    @property
    def is_chitchat(self) -> bool:
        return self in (Intent.GREETING, Intent.THANKS, Intent.HELP)


_CLOSE = r"(?:[\s,!.?:)~]|there|all|everyone|again|citewell|so much|very much|a lot|for (?:your|the) help|you|u)*$"
_NOUNS = r"(?:papers?|works?|stud(?:y|ies)|articles?|publications?|abstracts?|methods?|approach(?:es)?|techniques?)"
_ADJECTIVES = rf"(?!(?:is|are|was|does|do|did)\b)(?:(?!{_NOUNS}\b)[\w-]+\s+){{0,3}}?"
_PATTERNS: tuple[tuple[Intent, re.Pattern[str]], ...] = tuple(
    (intent, re.compile(pattern, re.IGNORECASE))
    for intent, pattern in (
        (Intent.GREETING, rf"^(?:hi+|hello+|hey+|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|how are you){_CLOSE}"),
        (
            Intent.THANKS,
            rf"^(?:many |ok(?:ay)?,? |great,? )?(?:thanks?|thank you|thx|ty|cheers|bye|goodbye|see you|ok(?:ay)?|great|cool|nice|perfect|awesome|got it){_CLOSE}",
        ),
        (Intent.HELP, r"^(?:help|who are you|what are you|what can (?:you|i) (?:do|ask)(?: you)?(?: here)?|how do(?:es)? (?:you|this) work)[\s?!.]*$"),
        (
            Intent.COMPARE,
            r"\b(?:compare|compares|compared (?:to|with)|comparison|contrast|versus|vs\.?)\b|\bdiffer(?:s|ent from)?\b(?=.*\b(?:and|from|between)\b)|\bdifferences? between\b|\band\b.*\bdiffer\b",
        ),
        (
            Intent.SUMMARISE,
            r"^\W*(?:please |can you |could you )*(?:summari[sz]e|sum up|give (?:me )?(?:a |an )?(?:short |brief )?(?:summary|overview|gist)|tl;?dr|tell me (?:more )?about|describe|overview of)\b|\bsummary of\b",
        ),
        (Intent.FIND, rf"\b(?:which|what|is there (?:a|any)|find (?:me )?(?:a|the))\s+{_ADJECTIVES}(?:paper|work|study|article|publication|abstract)\b"),
        (
            Intent.SURVEY,
            rf"\b(?:which|what|list|show(?: me)?|find(?: me)?|any|all|are there|other|some|name|give me)\s+(?:of )?{_ADJECTIVES}(?:papers|works|studies|articles|publications|abstracts|methods|approaches|techniques)\b|^papers\b|\b(?:survey|literature) (?:of|on|about)\b|^(?:who|which authors?|which researchers?) works? (?:on|in|with)\b",
        ),
        (
            Intent.FIND,
            rf"\b(?:which|what)\s+{_ADJECTIVES}(?:method|model|algorithm|framework|approach|technique|system|dataset|benchmark)\b",
        ),
        (
            Intent.FACT,
            r"\bhow (?:many|much|few|large|big|long|fast|often|small|high|low|far|well|accurate|deep)\b|\bwhat (?:share|percentage|percent|fraction|proportion|number|rate|size|speed-?up|accuracy|bound|score|improvement|gain|ratio|amount|regret|complexity|error|cost|dataset|datasets|benchmark|benchmarks)\b|\b(?:up to|at what|by what)\b.*\b(?:how|what)\b|\bwhat [\w-]+ (?:bound|rate|score|accuracy|gain|complexity|speedup)\b|^who\b|^when\b|^where\b|\bwhat are the (?:two|three|four|five|six|main|key)\b|\bwhich (?:two|three|four|five|six)\b",
        ),
        (
            Intent.DEFINE,
            r"^\W*(?:what(?:'s| is| are)|define|who is|explain)\s+(?:an? |the )?[\"“']?[\w$*+.-]+(?:\s+[\w*+.-]+){0,3}[\"”']?\s*[?.!]*$|\bwhat does [\w*+.-]+(?: [\w*+.-]+)? (?:do|mean|stand for)\b",
        ),
    )
)


@dataclass(frozen=True, slots=True)
class NamedPaper:
    """A name in the question and the papers that go by it."""

    name: str
    paper_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A question, understood.

    `terms` are its informative words as written; `named` the papers it names; `unknown_names` the words
    written as names that the library does not hold anywhere.
    """

    text: str
    intent: Intent
    terms: tuple[str, ...] = ()
    named: tuple[NamedPaper, ...] = ()
    unknown_names: tuple[str, ...] = ()

    @property
    def named_ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(paper_id for named in self.named for paper_id in named.paper_ids))

    @property
    def tokens(self) -> list[str]:
        """Tokens for the word index."""
        return index_tokens(self.text)

    @property
    def wants_several(self) -> bool:
        return self.intent is Intent.SURVEY or (self.intent is Intent.COMPARE and len(self.named) != 1)


def understand(question: str, library: Library) -> Query:
    """What `question` asks of `library`."""
    text = " ".join(question.split())
    intent = intent_of(text)
    if intent.is_chitchat:
        return Query(text, intent)
    named = named_papers(text, library)
    return Query(text, intent, tuple(informative_words(text)), named, unknown_names(text, library))


def intent_of(question: str) -> Intent:
    """The kind of answer asked for, by the form of the question."""
    text = question.strip()
    return next((intent for intent, pattern in _PATTERNS if pattern.search(text)), Intent.EXPLAIN)


def named_papers(question: str, library: Library) -> tuple[NamedPaper, ...]:
    """Papers that the question names, longest names first found, each stretch of words used once."""
    words = raw_words(question)
    spans = {
        name_key(" ".join(words[start:end])): (start, end)
        for length in range(1, LONGEST_NAME + 1)
        for start in range(len(words) - length + 1)
        for end in (start + length,)
    }
    # Hyphens fold to blanks in a key, so a hyphenated name is found as one word and as several.
    owners: dict[str, dict[str, int]] = {}
    for key, paper_id, weight in library.papers_named([key for key in spans if key]):
        if weight >= 2:
            owners.setdefault(key, {})[paper_id] = weight
    found: list[tuple[int, NamedPaper]] = []
    used: set[int] = set()
    for key in sorted(owners, key=lambda key: -(spans[key][1] - spans[key][0])):
        start, end = spans[key]
        best = max(owners[key].values())
        ids = tuple(paper_id for paper_id, weight in owners[key].items() if weight == best)
        if used & set(range(start, end)) or len(ids) > MOST_NAMESAKES:
            continue
        if not _stands_as_name(words[start:end], library):
            continue
        used |= set(range(start, end))
        found.append((start, NamedPaper(" ".join(words[start:end]), ids)))
    return tuple(named for _, named in sorted(found, key=lambda item: item[0]))


def _stands_as_name(words: list[str], library: Library) -> bool:
    """Whether the question uses the words as a name, not as common words that happen to be one."""
    if all(word.lower() in STOP_WORDS or word.lower() in QUESTION_WORDS for word in words):
        return False
    if any(looks_like_name(word) for word in words):
        return True
    limit = max(2, RARE_SHARE * len(library))
    if any(library.words.document_frequency(token) <= limit for word in words for token in index_tokens(word)):
        return True
    return len(words) > 1 and all(word[0].isupper() for word in words)


def unknown_names(question: str, library: Library) -> tuple[str, ...]:
    """Words written as names (inner capitals, digits, or a capital inside the sentence) that no paper holds."""
    found = []
    for position, word in enumerate(raw_words(question)):
        if word.lower() in STOP_WORDS or word.isdigit():
            continue
        named = looks_like_name(word) or (position > 0 and word[0].isupper())
        if named and not library.words.knows(word):
            found.append(word)
    return tuple(dict.fromkeys(found))
