"""Deciding that the library does not hold the answer, and saying so usefully."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from citewell.answering.aspects import states_code
from citewell.answering.evidence import Evidence, tokens_of
from citewell.answering.false_premise import false_premise
from citewell.hit import Hit
from citewell.library import Snapshot
from citewell.models.registry import ANSWERABILITY, fitted
from citewell.paper import Paper
from citewell.query import Intent, Query
from citewell.refusal import Refusal, RefusalKind
from citewell.text.tokens import UNSTATED_WORDS, index_tokens, informative_words, raw_words
from citewell.understanding.names import unknown_names

NEAREST = 3


# Of many papers that answer, those are shown whose evidence is at least this share of the best one's.
SURVEY_CUT = 0.8
# A part of a question must answer more surely than a whole one: out of its context it fits more papers.
PART_BAR = 2.0

# Log-odds that each strictness adds to what must be reached.
STRICTNESS = {"lenient": -1.5, "normal": 0.0, "strict": 1.5}

# What a question asks for: "what learning rate …", "how many GPUs …", "which university …".
_FOCUS = re.compile(
    r"^\W*(?:and |so |in |on |at |with |by |for |from |to )?(?:what|which|how (?:many|much))\s+"
    r"(?P<focus>(?:[\w+-]+\s+){0,3}?[\w+-]+)\s+"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|used|of|for|in)\b",
    re.IGNORECASE,
)
# "What is NAME's learning rate?"
_OWN_FOCUS = re.compile(
    r"^\W*(?:and |so )?(?:what|which)\s+(?:is|are|was|were)\s+.{1,80}?(?:['’]s|s['’])\s+"
    r"(?P<focus>(?:[\w+-]+\s+){0,3}[\w+-]+)\W*$",
    re.IGNORECASE,
)
_ASKS_CODE = re.compile(
    r"^\W*(?:and |but |so )?(?:is|are|do|does|did|where|any|has|have|can)\b.{0,40}"
    r"\b(?:code|implementation|repository)\b"
    r"(?![\s-]+(?:generat|complet|model|review|synth|llm|edit|repair|reason|benchmark|task)\w*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Signals:
    """What the decision rests on.

    `passage` is the best cosine of a passage and `sentence` that of a sentence; `coverage` is the share (0 to
    1, by rarity) of the question's informative words in the one paper that holds most of them.
    """

    passage: float
    sentence: float
    coverage: float

    @property
    def score(self) -> float:
        """Evidence that the library holds the answer, in log-odds; above 0 it is answered."""
        model = fitted(ANSWERABILITY)
        features = (getattr(self, name) for name in model["features"])
        evidence = sum(weight * value for weight, value in zip(model["weights"], features, strict=True))
        return float(model["bias"] + evidence)


def strongest(each: Sequence[Signals]) -> Signals:
    """The signals of a finished search, the best of each over all its papers."""
    return Signals(
        passage=max((own.passage for own in each), default=0.0),
        sentence=max((own.sentence for own in each), default=0.0),
        coverage=max((own.coverage for own in each), default=0.0),
    )


def paper_signals(
    query: Query, hits: Sequence[Hit], evidence: Sequence[Sequence[Evidence]], snapshot: Snapshot
) -> list[Signals]:
    """The signals of each paper found."""
    weights = {token: snapshot.word_index.idf(token) for term in query.terms for token in index_tokens(term)}
    total = sum(weights.values()) or 1.0
    found = []
    for hit, sentences in zip(hits, evidence, strict=True):
        held = tokens_of(hit.paper.title).union(*(tokens_of(item.text) for item in sentences))
        found.append(
            Signals(
                passage=hit.dense,
                sentence=max((item.cosine for item in sentences), default=0.0),
                coverage=sum(weight for token, weight in weights.items() if token in held) / total,
            )
        )
    return found


def fitting(query: Query, evidence: Sequence[Sequence[Evidence]], each: Sequence[Signals]) -> list[Sequence[Evidence]]:
    """The evidence of every paper that by itself would be an answer and comes near enough to the best one.

    `each` are the papers' signals.
    """
    if query.lists_papers:
        return list(evidence)
    scores = [own.score for own in each]
    best = max(scores, default=0.0)
    # The question is answered by all papers together; where none would do alone, the best ones are shown.
    none = float(fitted(ANSWERABILITY)["bias"])
    bar = SURVEY_CUT * (best - none) + none
    bar = bar if best <= 0 else max(0.0, bar)
    return [sentences for sentences, score in zip(evidence, scores, strict=True) if score >= bar]


def decide(
    query: Query, hits: Sequence[Hit], each: Sequence[Signals], snapshot: Snapshot, bar: float = 0.0
) -> Refusal | None:
    """A refusal when the library does not hold the answer, else None.

    `each` are the signals of the hits, `bar` the log-odds that must be reached.
    """
    nearest = tuple(hit.paper for hit in hits[:NEAREST])
    if len(snapshot) == 0:
        return Refusal(RefusalKind.EMPTY_LIBRARY)
    if not hits and query.filters:
        return Refusal(RefusalKind.NOTHING_PASSES, missing=", ".join(query.filters.labels()))
    if query.lists_papers:
        return None
    if not hits:
        return Refusal(RefusalKind.NOTHING_MATCHES)
    if (refusal := about_unknown(query, snapshot)) is not None:
        return replace(refusal, nearest=nearest)
    found = strongest(each)
    # A paper that is asked about by name is there; whether it says what is asked is decided below.
    if found.score <= bar and not query.asks_by_name:
        return Refusal(RefusalKind.NOT_IN_LIBRARY if found.coverage > 0 else RefusalKind.NOTHING_MATCHES, nearest)
    return without_abstract(query, hits) or not_stated(query, hits) or on_false_premise(query, snapshot)


def without_abstract(query: Query, hits: Sequence[Hit]) -> Refusal | None:
    """A refusal when the paper that is asked about is known by its title alone, else None."""
    if query.wants_several and not query.named:
        return None
    wanted = [hit.paper for hit in hits if hit.paper.id in query.named_ids] or [hits[0].paper]
    if any(paper.abstract for paper in wanted):
        return None
    return Refusal(RefusalKind.NO_ABSTRACT, tuple(wanted[:NEAREST]), wanted[0].title)


def not_stated(query: Query, hits: Sequence[Hit]) -> Refusal | None:
    """A refusal when one named paper is asked for something that its abstract never speaks of, else None."""
    if len(query.named) != 1 or not query.named_ids:
        return None
    papers = [hit.paper for hit in hits if hit.paper.id in query.named_ids]
    if papers and _ASKS_CODE.search(query.text) and not any(states_code(paper) for paper in papers):
        return Refusal(RefusalKind.NOT_STATED, tuple(papers[:NEAREST]), papers[0].title, "code")
    focus = focus_words(query)
    if not papers or not focus or any(_speaks_of(paper, focus) for paper in papers):
        return None
    return Refusal(RefusalKind.NOT_STATED, tuple(papers[:NEAREST]), papers[0].title, " ".join(focus))


def on_false_premise(query: Query, snapshot: Snapshot) -> Refusal | None:
    """A refusal when the question takes for granted what the paper it names never says, else None."""
    found = false_premise(query, snapshot, UNSTATED_WORDS)
    if found is None:
        return None
    return Refusal(RefusalKind.NOT_STATED, (found.paper,), found.paper.title, found.words)


def about_unknown(query: Query, snapshot: Snapshot) -> Refusal | None:
    """A refusal when all that the question asks about is a name that the library does not know, else None."""
    unknown = unknown_names(query, snapshot)
    if not unknown or query.named:
        return None
    rest = [term for term in query.terms if term not in unknown and term.lower() not in UNSTATED_WORDS]
    if rest:
        return None
    return Refusal(RefusalKind.UNKNOWN_NAME, missing=", ".join(unknown))


def focus_words(query: Query) -> list[str]:
    """The words for what is asked for; none when it is something that abstracts state without naming it."""
    match = _OWN_FOCUS.search(query.text) or _FOCUS.search(query.text)
    if not match or query.intent in (Intent.SURVEY, Intent.FIND, Intent.COMPARE, Intent.SUMMARISE):
        return []
    named = {word.lower() for name in query.named for word in raw_words(name.name)}
    words = [word for word in informative_words(match["focus"]) if word.lower() not in named]
    return [] if any(word.lower() in UNSTATED_WORDS for word in words[-1:]) and len(words) == 1 else words


def _speaks_of(paper: Paper, words: Sequence[str]) -> bool:
    held = set(index_tokens(f"{paper.title} {paper.abstract}"))
    return any(token in held for word in words for token in index_tokens(word)) or any(
        word.lower() in UNSTATED_WORDS for word in words
    )
