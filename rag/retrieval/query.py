"""Understanding a question: what it wants, which papers it names, which of its words carry content."""

from __future__ import annotations

from dataclasses import dataclass

from rag.library import Library
from rag.retrieval.intent import Intent, intent_of
from rag.text.names import looks_like_name, name_key
from rag.text.words import QUESTION_WORDS, STOP_WORDS, index_tokens, informative_words, raw_words

LONGEST_NAME = 5
SHORT_ACRONYM = 4
# A name that more papers than this go by (an acronym of the field) names none of them.
MOST_NAMESAKES = 4
# A lower-case word is taken for a name only when it is this rare in the library.
RARE_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class NamedPaper:
    """A name in the question and the papers that go by it."""

    name: str
    paper_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A question, understood.

    `terms` are its informative words as written; `named` the papers it names.
    """

    text: str
    intent: Intent
    terms: tuple[str, ...] = ()
    named: tuple[NamedPaper, ...] = ()

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
    return Query(text, intent, tuple(informative_words(text)), named)


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
    for key, name, paper_id, weight in library.papers_named([key for key in spans if key]):
        start, end = spans[key]
        if weight >= 2 and not _is_a_word_by_chance(name, words[start:end]):
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


def _is_a_word_by_chance(name: str, words: list[str]) -> bool:
    """Whether the words are no more than a short acronym in lower case: "get" is not GET."""
    return len(words) == 1 and len(name) <= SHORT_ACRONYM and name.isupper() and words[0].islower()


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
