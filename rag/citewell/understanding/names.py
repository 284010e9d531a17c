"""The papers that a question names, and the names in it that the library does not know."""

from __future__ import annotations

from citewell.errors import NoSuchPaper
from citewell.library import Snapshot
from citewell.library.identity import folded
from citewell.paper import Paper
from citewell.query import Intent, NamedPaper, Query
from citewell.text.names import HEADLINE, OWN, looks_like_name, name_key
from citewell.text.tokens import QUESTION_WORDS, STOP_WORDS, index_tokens, informative_words, plain, raw_words
from citewell.understanding.intent import intent_of, is_request

LONGEST_NAME = 5
# Names are looked for among so many first words; what is longer is a pasted text.
LONGEST_QUESTION = 200
SHORT_ACRONYM = 4
# A name that more papers than this go by (an acronym of the field) names none of them.
# A likeness (0 to 100) from which a title is offered for a name that nobody has.
ALIKE = 80
MOST_NAMESAKES = 4
# A lower-case word is taken for a name only when it is this rare in the library.
RARE_SHARE = 0.01
# A name that is not its paper's headline is one of the field when more papers than these use it.
FIELD_TERM, FIELD_TERM_SHARE = 4, 0.003
# A statement, or a question for papers, asks for a name's paper only when the name is most of it.
MOST_OF_IT = 0.5
MUCH_OF_IT = 0.3


def named_papers(question: str, snapshot: Snapshot, *, claims: bool = False) -> tuple[NamedPaper, ...]:
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
    for match in snapshot.find_by_names([key for key in spans if key]):
        start, end = spans[match.key]
        if match.weight >= OWN and _is_own_name(words[start:end], match.name, match.weight, snapshot):
            # Of namesakes, the one that is written as in the question: QuEST is not QuEst.
            written = match.name == " ".join(words[start:end])
            owners.setdefault(match.key, {})[match.paper_id] = (match.weight, written)
    every_name = claims or _asks_about(question)
    found: list[tuple[int, NamedPaper]] = []
    used: set[int] = set()
    for key in sorted(owners, key=lambda key: -(spans[key][1] - spans[key][0])):
        start, end = spans[key]
        best = max(owners[key].values())
        ids = tuple(paper_id for paper_id, weight in owners[key].items() if weight == best)
        if used & set(range(start, end)) or len(ids) > MOST_NAMESAKES:
            continue
        if not _stands_as_name(words[start:end], snapshot):
            continue
        if not every_name and _share(words[start:end], words, snapshot) < MOST_OF_IT:
            continue
        used |= set(range(start, end))
        certain = best[0] >= HEADLINE or _share(words[start:end], words, snapshot) >= MUCH_OF_IT
        found.append((start, NamedPaper(" ".join(words[start:end]), ids, certain)))
    return tuple(named for _, named in sorted(found, key=lambda item: item[0]))


def _is_own_name(words: list[str], name: str, weight: int, snapshot: Snapshot) -> bool:
    """Whether a paper's name is its own: not a term of the field, nor a common word ("get" is not GET)."""
    if len(words) == 1 and len(name) <= SHORT_ACRONYM and name.isupper() and words[0].islower():
        return False
    limit = max(FIELD_TERM, FIELD_TERM_SHARE * len(snapshot))
    return weight >= HEADLINE or min(_frequencies(words, snapshot), default=0) <= limit


def _stands_as_name(words: list[str], snapshot: Snapshot) -> bool:
    """Whether the question uses the words as a name, not as common words that happen to be one."""
    common = [word for word in words if word.lower() in STOP_WORDS or word.lower() in QUESTION_WORDS]
    if len(common) == len(words):
        return all(word.isupper() and len(word) > 1 for word in words)
    if any(looks_like_name(word) for word in words):
        return True
    if min(_frequencies(words, snapshot), default=0) <= max(2, RARE_SHARE * len(snapshot)):
        return True
    return len(words) > 1 and all(word[0].isupper() for word in words if word not in common or word[0].isupper())


def resolve_paper(name: str, snapshot: Snapshot) -> Paper:
    """The one paper with this id, title or method name. Raises `NoSuchPaper`, with what comes nearest."""
    if (paper := snapshot.paper(name)) is not None:
        return paper
    near = _titled(name, snapshot) or _called(name, snapshot)
    if len(near) != 1:
        near = near or snapshot.matching(name, MOST_NAMESAKES + 1)
    if len(near) == 1:
        return near[0]
    is_ambiguous = bool(near)
    near = near or _alike(name, snapshot)
    raise NoSuchPaper(
        f"{'More than one paper is' if is_ambiguous else 'No paper is'} called “{name}”.",
        f"Is it one of these? {'; '.join(paper.title for paper in near)}"
        if near
        else "Find its id with: citewell papers WORDS",
    )


def _alike(name: str, snapshot: Snapshot) -> list[Paper]:
    """Papers whose title or own name is nearly this: what a person may have meant."""
    from rapidfuzz import fuzz, process, utils

    papers = snapshot.matching("")
    texts = [text for paper in papers for text in (paper.title, paper.label)]
    near = process.extract(
        name, texts, scorer=fuzz.WRatio, processor=utils.default_process, limit=4, score_cutoff=ALIKE
    )
    return list({papers[place // 2].id: papers[place // 2] for _, _, place in near}.values())


def _titled(name: str, snapshot: Snapshot) -> list[Paper]:
    """Papers with this title, up to case, accents and signs."""
    wanted = folded(name)
    ids = snapshot.find_by_keys([f"title:{wanted}"]) if wanted else []
    papers = snapshot.papers_by_id(ids).values() or snapshot.matching(name, MOST_NAMESAKES + 1)
    return [paper for paper in papers if folded(paper.title) == wanted]


def _called(name: str, snapshot: Snapshot) -> list[Paper]:
    """Papers whose method goes by this name, those that it is surest of."""
    owners = [(match.weight, match.paper_id) for match in snapshot.find_by_names([name_key(name)])]
    return list(snapshot.papers_by_id(key for weight, key in owners if weight == max(owners)[0]).values())


def _asks_about(question: str) -> bool:
    """Whether a text asks about what it names, rather than stating something or looking for papers that use it."""
    intent = intent_of(question)
    return intent is Intent.COMPARE or (is_request(question) and intent not in (Intent.FIND, Intent.SURVEY))


def _share(words: list[str], question: list[str], snapshot: Snapshot) -> float:
    """How much of what a text says some of its words are, by rarity, 0 to 1; names that nobody uses do not count."""
    known = [
        word
        for word in informative_words(" ".join(question))
        if not looks_like_name(word) or any(_frequencies([word], snapshot))
    ]
    weights = {token: snapshot.word_index.idf(token) for word in (*known, *words) for token in index_tokens(word)}
    own = {token for word in words for token in index_tokens(word)}
    return sum(weights[token] for token in own) / (sum(weights.values()) or 1.0)


def _frequencies(words: list[str], snapshot: Snapshot) -> list[int]:
    return [snapshot.word_index.document_frequency(token) for word in words for token in index_tokens(word)]


def names_in(question: str) -> list[str]:
    """Words of a question that are written as names: `FooNet`, or `Hopfield` inside a sentence."""
    words = raw_words(question)
    return [
        word
        for place, word in enumerate(words)
        if word.lower() not in STOP_WORDS
        and (looks_like_name(word) or (place > 0 and word[0].isupper() and len(word) > 2))
    ]


def unknown_names(query: Query, snapshot: Snapshot) -> list[str]:
    """Names in the question that stand nowhere in the library."""
    named = {token for name in query.named for token in index_tokens(name.name)}
    return [
        name
        for name in names_in(query.text)
        if not set(index_tokens(name)) & named
        and plain(name).casefold() not in snapshot.facets.author_names
        and all(snapshot.word_index.document_frequency(token) == 0 for token in index_tokens(name))
    ]
