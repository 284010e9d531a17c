"""Understanding a question: what it wants, which papers it names, which of its words carry content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rag.errors import NoSuchPaper
from rag.library import Library
from rag.records import Filters, Paper
from rag.retrieval.filters import FilterReader
from rag.retrieval.intent import Intent, intent_of, is_request
from rag.retrieval.phrasing import topic
from rag.text.names import HEADLINE, looks_like_name, name_key
from rag.text.words import QUESTION_WORDS, STOP_WORDS, index_tokens, informative_words, question_tokens, raw_words

LONGEST_NAME = 5
# Names are looked for among so many first words; what is longer is a pasted text.
LONGEST_QUESTION = 200
SHORT_ACRONYM = 4
# A name that more papers than this go by (an acronym of the field) names none of them.
MOST_NAMESAKES = 4
# A lower-case word is taken for a name only when it is this rare in the library.
RARE_SHARE = 0.01
# A name that is not its paper's headline is one of the field when more papers than these use it.
FIELD_TERM, FIELD_TERM_SHARE = 4, 0.003
# A statement, or a question for papers, asks for a name's paper only when the name is most of it.
MOST_OF_IT = 0.5
MUCH_OF_IT = 0.3


@dataclass(frozen=True, slots=True)
class NamedPaper:
    """A name in the question and the papers that go by it.

    `is_certain` when it can only be meant as theirs: the headline of a title, or much of the question.
    """

    name: str
    paper_ids: tuple[str, ...]
    is_certain: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A question, understood.

    `topic` is what is searched for: the question without filters and without the words that only make a question
    of it. `terms` are its informative words as written; `named` the papers it names; `filters` what papers must be,
    and `read_filters` the part of them that was read out of the question.
    """

    text: str
    intent: Intent
    topic: str = ""
    terms: tuple[str, ...] = ()
    named: tuple[NamedPaper, ...] = ()
    filters: Filters = field(default_factory=Filters)
    read_filters: Filters = field(default_factory=Filters)

    @property
    def named_ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(paper_id for named in self.named for paper_id in named.paper_ids))

    @property
    def asks_by_name(self) -> bool:
        """Whether a paper is asked about by a name that can only be its own."""
        return any(named.is_certain for named in self.named)

    @property
    def tokens(self) -> list[str]:
        """Tokens for the word index; words that only make a question count when there are no others."""
        tokens = index_tokens(self.topic)
        return [token for token in tokens if token not in question_tokens()] or tokens

    @property
    def lists_papers(self) -> bool:
        """Whether filters alone say which papers are wanted."""
        return bool(self.filters) and not self.terms

    @property
    def wants_several(self) -> bool:
        return self.is_survey or (self.intent is Intent.COMPARE and len(self.named) != 1)

    @property
    def is_survey(self) -> bool:
        """Whether every paper that fits is wanted, however many."""
        return self.intent in (Intent.SURVEY, Intent.SUMMARISE) and not self.named

    @property
    def is_synthesis(self) -> bool:
        """Whether a summary of several papers, or of a topic, is wanted."""
        return self.intent is Intent.SUMMARISE and len(self.named_ids) != 1


def understand(
    question: str,
    library: Library,
    filters: Filters | None = None,
    *,
    read_filters: bool = True,
    about: Sequence[str] = (),
) -> Query:
    """What `question` asks of `library`.

    `filters` hold whatever the question says; with `read_filters` those that the question itself names join them.
    `about` are ids of papers that it is about though it does not name them ("it", after a question on RSD).
    """
    text = " ".join(question.split())
    intent = intent_of(text)
    if intent.is_chitchat:
        return Query(text, intent, text)
    given = filters or Filters()
    read, rest = FilterReader(library.facets).read(text) if read_filters else (Filters(), text)
    subject = topic(rest)
    terms = tuple(informative_words(subject))
    if read and not terms and intent is not Intent.COMPARE:
        intent = Intent.SURVEY
    named = named_papers(rest, library)
    meant = tuple(NamedPaper("", (paper_id,), True) for paper_id in about)
    return Query(text, intent, subject, terms, (*meant, *named), given.joined(read), read)


def named_papers(question: str, library: Library, *, claims: bool = False) -> tuple[NamedPaper, ...]:
    """Papers that the question names, longest names first found, each stretch of words used once.

    With `claims` the text is a statement to be checked, and every name in it counts, however small a part of it.
    """
    words = raw_words(question)[:LONGEST_QUESTION]
    spans = {
        name_key(" ".join(words[start:end])): (start, end)
        for length in range(1, LONGEST_NAME + 1)
        for start in range(len(words) - length + 1)
        for end in (start + length,)
    }
    # Hyphens fold to blanks in a key, so a hyphenated name is found as one word and as several.
    owners: dict[str, dict[str, tuple[int, bool]]] = {}
    for key, name, paper_id, weight in library.papers_named([key for key in spans if key]):
        start, end = spans[key]
        if weight >= 2 and _is_own_name(words[start:end], name, weight, library):
            # Of namesakes, the one that is written as in the question: QuEST is not QuEst.
            owners.setdefault(key, {})[paper_id] = (weight, name == " ".join(words[start:end]))
    every_name = claims or _asks_about(question)
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
        if not every_name and _share(words[start:end], words, library) < MOST_OF_IT:
            continue
        used |= set(range(start, end))
        certain = best[0] >= HEADLINE or _share(words[start:end], words, library) >= MUCH_OF_IT
        found.append((start, NamedPaper(" ".join(words[start:end]), ids, certain)))
    return tuple(named for _, named in sorted(found, key=lambda item: item[0]))


def _is_own_name(words: list[str], name: str, weight: int, library: Library) -> bool:
    """Whether a paper's name is its own: not a term of the field, nor a common word ("get" is not GET)."""
    if len(words) == 1 and len(name) <= SHORT_ACRONYM and name.isupper() and words[0].islower():
        return False
    limit = max(FIELD_TERM, FIELD_TERM_SHARE * len(library))
    return weight >= HEADLINE or min(_frequencies(words, library), default=0) <= limit


def _stands_as_name(words: list[str], library: Library) -> bool:
    """Whether the question uses the words as a name, not as common words that happen to be one."""
    common = [word for word in words if word.lower() in STOP_WORDS or word.lower() in QUESTION_WORDS]
    if len(common) == len(words):
        return all(word.isupper() and len(word) > 1 for word in words)
    if any(looks_like_name(word) for word in words):
        return True
    if min(_frequencies(words, library), default=0) <= max(2, RARE_SHARE * len(library)):
        return True
    return len(words) > 1 and all(word[0].isupper() for word in words if word not in common or word[0].isupper())


def paper_called(name: str, library: Library) -> Paper:
    """The paper with this id, title or method name. Raises `NoSuchPaper`, with what comes nearest."""
    try:
        return library.paper_called(name)
    except NoSuchPaper:
        owners = [(weight, paper_id) for _, _, paper_id, weight in library.papers_named([name_key(name)])]
        best = [paper_id for weight, paper_id in owners if weight == max(owners)[0]]
        if len(best) == 1 and (paper := library.paper(best[0])) is not None:
            return paper
        near = list(library.papers_by_id(best).values()) or library.papers_matching(name, 3)
        if len(near) == 1:
            return near[0]
        raise NoSuchPaper(
            f"{'No paper is' if not near else 'More than one paper is'} called “{name}”.",
            f"Is it one of these? {'; '.join(paper.title for paper in near[:5])}"
            if near
            else "Find its id with: citewell papers WORDS",
        ) from None


def _asks_about(question: str) -> bool:
    """Whether a text asks about what it names, rather than stating something or looking for papers that use it."""
    intent = intent_of(question)
    return intent is Intent.COMPARE or (is_request(question) and intent not in (Intent.FIND, Intent.SURVEY))


def _share(words: list[str], question: list[str], library: Library) -> float:
    """How much of what a text says some of its words are, by rarity, 0 to 1; names that nobody uses do not count."""
    known = [
        word
        for word in informative_words(" ".join(question))
        if not looks_like_name(word) or any(_frequencies([word], library))
    ]
    weights = {token: library.words.idf(token) for word in (*known, *words) for token in index_tokens(word)}
    own = {token for word in words for token in index_tokens(word)}
    return sum(weights[token] for token in own) / (sum(weights.values()) or 1.0)


def _frequencies(words: list[str], library: Library) -> list[int]:
    return [library.words.document_frequency(token) for word in words for token in index_tokens(word)]
