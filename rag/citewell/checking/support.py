"""Does the cited abstract say what the sentence says? The words that back it, a verdict, and why.

Meaning and shared words are weighed by a logistic regression; what cannot be squared (a number, a name, a negation)
overrules them. Weights and thresholds stand in `models/support`; `citewell.evaluation.calibration` makes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from citewell.checking.contradiction import replaced_numbers, strange_names, turned_round, wrong_numbers
from citewell.checking.entailment import Entailment
from citewell.library import Snapshot
from citewell.models.registry import SUPPORT, fitted
from citewell.paper import Paper
from citewell.sentence import Doubt, DoubtKind, Support
from citewell.settings import Settings
from citewell.text.names import name_key
from citewell.text.numbers import holds_number, numbers_in
from citewell.text.tokens import index_tokens, question_tokens
from citewell.understanding.names import named_papers

# A sentence that states every number of the claim is the one that is meant.
NUMBER_BONUS = 0.15
FEATURES = ("cosine", "words", "names", "numbers", "turned")
# A claim is "turned round" only against a sentence that speaks of the same thing.
SAME_THING = 0.5
# With so many of the sentence's words a claim is compared with it word by word.
NEARLY_VERBATIM = 0.75
# A short claim made of one sentence's words is far from it in meaning's space only because it is short.
TAKEN_OVER = 0.9


@dataclass(frozen=True, slots=True)
class Backing:
    """The words of an abstract that best back a claim, and how well: `quote == abstract[start:end]`.

    `score` is the log-odds of support before any contradiction counts; `more` is a second stretch that adds to the
    first; `doubt` says why the verdict is not "supported".
    """

    paper: Paper
    start: int
    end: int
    score: float
    support: Support
    doubt: Doubt | None = None
    more: tuple[int, int] | None = None

    @property
    def quote(self) -> str:
        return self.paper.abstract[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was seen when a claim was held against one abstract.

    `features` are those of `FEATURES`: the best cosine, the share of the claim's words (by rarity) in the best two
    sentences, and whether names, numbers or the sense are at fault; `overlap` is that share in the best one alone.
    """

    best: int
    second: int | None
    features: tuple[float, ...]
    overlap: float
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    turned: str

    @property
    def log_odds(self) -> float:
        model = fitted(SUPPORT)
        return float(np.dot(self.features, model["weights"]) + model["bias"])


def entailment_of(settings: Settings) -> Entailment | None:
    """The configured inference model that joins the check; None when there is none."""
    return Entailment(settings.nli_model, settings) if settings.nli_model else None


class SupportCheck:
    """Checks sentences against the abstracts of one library."""

    def __init__(self, snapshot: Snapshot, entailment: Entailment | None = None) -> None:
        self._snapshot = snapshot
        self._entailment = entailment

    def judge(self, claim: str, papers: Sequence[Paper]) -> list[Backing]:
        """For each paper, in order, what backs `claim` in its abstract; papers without an abstract are left out."""
        papers = [paper for paper in papers if paper.abstract.strip()]
        if not papers:
            return []
        vector = self._snapshot.query_vector(claim)
        encoded = self._snapshot.encoded_sentences(papers)
        found = []
        for paper in papers:
            bounds, matrix = encoded[paper.id]
            found.append(self._backing(claim, paper, bounds, self.read(claim, paper, bounds, matrix @ vector)))
        return found

    def read(self, claim: str, paper: Paper, bounds: Sequence[tuple[int, int]], cosines: np.ndarray) -> Reading:
        """Hold a claim against the sentences of one abstract; `cosines` has one value a sentence."""
        texts = [paper.abstract[start:end] for start, end in bounds]
        tokens = set(index_tokens(claim)) - question_tokens()
        weights = {token: self._snapshot.word_index.idf(token) for token in tokens}
        total = sum(weights.values()) or 1.0
        held = [tokens & set(index_tokens(text)) for text in texts]
        wanted = numbers_in(claim)
        exact = [bool(wanted) and all(holds_number(number, text) for number in wanted) for text in texts]
        overlap = [sum(weights[token] for token in own) / total for own in held]
        scores = [
            0.5 * max(0.0, float(c)) + 0.5 * o + NUMBER_BONUS * e
            for c, o, e in zip(cosines, overlap, exact, strict=True)
        ]
        best = int(np.argmax(scores))
        gains = [sum(weights[token] for token in own - held[best]) / total for own in held]
        second = int(np.argmax(gains)) if max(gains) > 0 else None
        joint = overlap[best] + (gains[second] if second is not None else 0.0)
        backing = [texts[best], *([texts[second]] if second is not None else []), *_about(claim, texts)]
        same = max(overlap[best], float(cosines[best])) >= SAME_THING
        turned = turned_round(claim, texts[best]) if same else ""
        numbers = wrong_numbers(claim, backing)
        nearly = overlap[best] >= NEARLY_VERBATIM
        if nearly:
            numbers += [number for number in replaced_numbers(claim, texts[best]) if number not in " ".join(numbers)]
        names = strange_names(claim, f"{paper.title} . {paper.abstract}")
        return Reading(
            best=best,
            second=second if second is not None and gains[second] >= 0.1 else None,
            features=(float(np.max(cosines)), joint, *(float(bool(fault)) for fault in (names, numbers, turned))),
            overlap=overlap[best],
            numbers=tuple(numbers),
            names=tuple(dict.fromkeys([*self._names_of_others(claim, paper), *(names if nearly else ())])),
            turned=turned,
        )

    def share(self, claim: str, paper: Paper) -> float:
        """How many of a claim's words, by rarity, an abstract holds, 0 to 1."""
        tokens = set(index_tokens(claim)) - question_tokens()
        return self._snapshot.word_index.share(tokens, index_tokens(f"{paper.title} {paper.abstract}"))

    def _names_of_others(self, claim: str, paper: Paper) -> list[str]:
        """Names in the claim by which other papers of the library go, and of which this one does not speak."""
        text = name_key(f"{paper.title} . {paper.abstract}")
        return [
            named.name
            for named in named_papers(claim, self._snapshot, claims=True)
            if paper.id not in named.paper_ids and name_key(named.name) not in text
        ]

    def _backing(self, claim: str, paper: Paper, bounds: Sequence[tuple[int, int]], reading: Reading) -> Backing:
        start, end = bounds[reading.best]
        verdict, doubt = verdict_of(reading)
        if self._entailment is not None:
            verdict, doubt = self._entailment.joined(claim, paper.abstract[start:end], verdict, doubt)
        more = bounds[reading.second] if reading.second is not None else None
        return Backing(paper, start, end, reading.log_odds, verdict, doubt, more)


def verdict_of(reading: Reading) -> tuple[Support, Doubt | None]:
    """The verdict and, unless it is "supported", why."""
    model = fitted(SUPPORT)
    if reading.numbers:
        return Support.UNSUPPORTED, Doubt(DoubtKind.NUMBERS, reading.numbers)
    taken_over = reading.overlap >= TAKEN_OVER
    if reading.log_odds < model["partly"] and not taken_over:
        return Support.UNSUPPORTED, Doubt(DoubtKind.NOT_SAID)
    if reading.names:
        return Support.PARTLY, Doubt(DoubtKind.NAMES, reading.names)
    if reading.turned:
        return Support.PARTLY, Doubt(DoubtKind.REVERSED, (reading.turned,))
    if reading.log_odds < model["supported"] and not taken_over:
        return Support.PARTLY, Doubt(DoubtKind.SOMETHING_NEAR)
    return Support.SUPPORTED, None


def _about(claim: str, texts: Sequence[str]) -> list[str]:
    """Further sentences that may state a number of the claim: those that share the words around it."""
    around = set()
    words = claim.split()
    for place, word in enumerate(words):
        if any(sign.isdigit() for sign in word):
            around |= set(index_tokens(" ".join(words[max(0, place - 3) : place + 4])))
    around = {token for token in around if token.isalpha()} - question_tokens()
    return [text for text in texts if len(around & set(index_tokens(text))) >= 2]
