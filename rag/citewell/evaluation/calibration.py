"""`python -m citewell.evaluation.calibration SCIFACT PAPERS…`: fits the support check, writes its weights.

Fitted on SciFact's training claims (a claim with its evidence is supported; contradicted ones, and ones whose cited
abstract says nothing of it, are not) and on sentences of PAPERS, as they are and corrupted. Reported on SciFact's
held-back claims and on other sentences. Everything random comes from one seed.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from citewell.checking.support import FEATURES, Reading, SupportCheck, verdict_of
from citewell.evaluation.retrieval import evaluation_library, read_beir
from citewell.library import Library
from citewell.models import registry
from citewell.paper import Paper
from citewell.sentence import Support
from citewell.settings import Settings, load_settings, quiet_environment
from citewell.text.names import headline_names
from citewell.text.sentences import split_sentences

SEED = 7
WEIGHTS = Path(registry.__file__).parent / registry.SUPPORT.file
SENTENCES = 600
# Verbatim sentences may be flagged this often at most, and a claim below "partly" must be this unlikely.
VERBATIM_FLAGGED = 0.01
PARTLY = 0.25


@dataclass(frozen=True, slots=True)
class Case:
    """A claim, the abstract it is held against, and whether the abstract says it."""

    claim: str
    paper: Paper
    kind: str
    supported: bool


def scifact_cases(folder: Path, library: Library, split: str) -> list[Case]:
    """Claims of one split with their cited abstracts."""
    papers = {paper.id: paper for paper in library.papers()}
    cited: dict[str, list[str]] = {}
    for line in (folder / "qrels" / f"{split}.tsv").read_text().splitlines()[1:]:
        query, document, *_ = line.split("\t")
        cited.setdefault(query, []).append(document)
    cases = []
    for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        labels = {str(item["doc_id"]): item["label"] for item in row["metadata"]["evidence"]}
        for document in cited.get(str(row["_id"]), []):
            if document in papers:
                label = labels.get(document, "NONE")
                cases.append(Case(row["text"], papers[document], label.lower(), label == "SUPPORT"))
    return cases


def corrupted_cases(papers: Sequence[Paper], size: int, rng: random.Random) -> list[Case]:
    """Sentences of abstracts as they are, and with a number, a name, the sense or the paper changed."""
    makers: dict[str, Callable[[str, Paper, random.Random, Sequence[Paper]], str]] = {
        "number": change_number, "name": swap_name, "negation": negate, "other paper": other_sentence,
    }  # fmt: skip
    cases: list[Case] = []
    made = dict.fromkeys(["verbatim", *makers], 0)
    for paper in rng.sample(list(papers), len(papers)):
        for start, end in split_sentences(paper.abstract):
            sentence = paper.abstract[start:end]
            if len(sentence.split()) < 8:
                continue
            if made["verbatim"] < size and rng.random() < 0.3:
                made["verbatim"] += 1
                cases.append(Case(sentence, paper, "verbatim", True))
            for kind, make in makers.items():
                if made[kind] < size and (kind in ("number", "name") or rng.random() < 0.2):
                    changed = make(sentence, paper, rng, papers)
                    if changed and changed != sentence:
                        made[kind] += 1
                        cases.append(Case(changed, paper, kind, False))
        if min(made.values()) >= size:
            break
    return cases


def change_number(sentence: str, paper: Paper, rng: random.Random, papers: Sequence[Paper]) -> str:
    """One number replaced by another; empty when the sentence has none."""
    places = [
        m for m in re.finditer(r"(?<![\w.\\{^_-])\d+(?:\.\d+)?(?![\w-])", sentence) if m.group() not in ("0", "1")
    ]
    if not places:
        return ""
    match = rng.choice(places)
    value = float(match.group())
    other = value * rng.choice([0.3, 0.5, 2, 3, 7]) + rng.choice([0, 1, 3])
    text = f"{other:.1f}" if "." in match.group() else str(max(2, round(other)))
    return "" if text == match.group() else sentence[: match.start()] + text + sentence[match.end() :]


def swap_name(sentence: str, paper: Paper, rng: random.Random, papers: Sequence[Paper]) -> str:
    """The paper's own name replaced by the name of another; empty when the sentence does not hold it."""
    own = next((name for name in headline_names(paper.title) if name in sentence), "")
    if not own:
        return ""
    while True:
        other = rng.choice(papers)
        names = headline_names(other.title)
        if names and names[0] not in paper.abstract and other.id != paper.id:
            return sentence.replace(own, names[0])


def negate(sentence: str, paper: Paper, rng: random.Random, papers: Sequence[Paper]) -> str:
    """A negation put behind the first auxiliary verb; empty when there is none."""
    match = re.search(r"\b(?:is|are|was|were|can|could|does|do|has|have|will)\b(?! not)", sentence)
    return sentence[: match.end()] + " not" + sentence[match.end() :] if match else ""


def other_sentence(sentence: str, paper: Paper, rng: random.Random, papers: Sequence[Paper]) -> str:
    """A sentence of another paper."""
    other = rng.choice([p for p in rng.sample(list(papers), 5) if p.id != paper.id])
    bounds = [b for b in split_sentences(other.abstract) if len(other.abstract[b[0] : b[1]].split()) >= 8]
    if not bounds:
        return ""
    start, end = rng.choice(bounds)
    text = other.abstract[start:end]
    return "" if text in paper.abstract else text


def readings(cases: Sequence[Case], library: Library) -> Iterator[Reading]:
    """What the support check sees in each case."""
    snapshot = library.snapshot()
    check = SupportCheck(snapshot)
    vectors = library.embeddings.encode([case.claim for case in cases])
    for case, vector in zip(cases, vectors, strict=True):
        bounds, matrix = snapshot.sentence_vectors([case.paper])[case.paper.id]
        yield check.read(case.claim, case.paper, bounds, matrix @ vector)


def fit(read: Sequence[Reading], cases: Sequence[Case]) -> dict[str, Any]:
    """Weights by a logistic regression balanced between the classes; thresholds by what they may flag."""
    from sklearn.linear_model import LogisticRegression

    claims = [row for row, case in enumerate(cases) if case.kind in ("support", "contradict", "none")]
    rows = claims + [row for row, case in enumerate(cases) if case.kind == "other paper"]
    features = np.array([read[row].features for row in rows])
    labels = np.array([cases[row].supported for row in rows])
    model = LogisticRegression(class_weight="balanced", C=1.0).fit(features, labels)
    weights, bias = model.coef_[0], float(model.intercept_[0])
    log_odds = np.array([np.dot(one.features, weights) + bias for one in read])
    free = [row for row in claims if not (read[row].numbers or read[row].names or read[row].turned)]
    supported = best_threshold(log_odds[free], np.array([cases[row].supported for row in free]))
    verbatim = np.sort(log_odds[[row for row, case in enumerate(cases) if case.kind == "verbatim"]])
    supported = min(supported, float(verbatim[int(VERBATIM_FLAGGED * len(verbatim))]))
    return {
        "seed": SEED,
        "features": list(FEATURES),
        "weights": [round(float(weight), 4) for weight in weights],
        "bias": round(bias, 4),
        "supported": round(supported, 4),
        "partly": round(min(supported - 0.5, float(np.log(PARTLY / (1 - PARTLY)))), 4),
    }


def best_threshold(scores: np.ndarray, labels: np.ndarray) -> float:
    """The cut with the best balanced accuracy."""
    cuts = np.quantile(scores, np.linspace(0.02, 0.98, 193))
    return float(max(cuts, key=lambda cut: balanced_accuracy(scores >= cut, labels)))


def balanced_accuracy(said: np.ndarray, labels: np.ndarray) -> float:
    """The mean of the shares of supported and of unsupported claims that are told right."""
    return float((said[labels].mean() + (~said[~labels]).mean()) / 2)


def flagged(read: Sequence[Reading], cases: Sequence[Case]) -> dict[str, float]:
    """Of each kind of case, the share whose verdict is not "supported"."""
    kinds: dict[str, list[bool]] = {}
    for one, case in zip(read, cases, strict=True):
        kinds.setdefault(case.kind, []).append(verdict_of(one)[0] is not Support.SUPPORTED)
    return {kind: round(float(np.mean(values)), 4) for kind, values in kinds.items()}


def held_back(
    read: Sequence[Reading], cases: Sequence[Case], train: Sequence[Reading], known: Sequence[Case]
) -> dict[str, float]:
    """Balanced accuracy on held-back claims beside two baselines whose cuts were chosen on the training claims."""
    labels = np.array([case.supported for case in cases])
    known_labels = np.array([case.supported for case in known])
    said = np.array([verdict_of(one)[0] is Support.SUPPORTED for one in read])
    result = {"claims": len(cases), "this check": round(balanced_accuracy(said, labels), 4)}
    baselines: dict[str, Callable[[Reading], float]] = {
        "cosine": lambda one: one.features[0], "word overlap": lambda one: one.overlap,
    }  # fmt: skip
    for name, score in baselines.items():
        cut = best_threshold(np.array([score(one) for one in train]), known_labels)
        values = np.array([score(one) for one in read])
        result[f"{name} alone"] = round(balanced_accuracy(values >= cut, labels), 4)
    return result


def calibrate(folder: Path, papers: Sequence[Path], settings: Settings) -> dict[str, Any]:
    """The whole calibration; returns what it writes."""
    science = evaluation_library(read_beir(folder), settings)
    train, test = scifact_cases(folder, science, "train"), scifact_cases(folder, science, "test")
    train_read, test_read = list(readings(train, science)), list(readings(test, science))
    library = Library(settings.model_copy(update={"home": settings.home / "evaluation" / "calibration", "seed": False}))
    library.ingest(list(papers))
    every = list(library.papers())
    rng = random.Random(SEED)
    rng.shuffle(every)
    half = len(every) // 2
    mine, others = (corrupted_cases(part, SENTENCES, rng) for part in (every[:half], every[half:]))
    mine_read, others_read = list(readings(mine, library)), list(readings(others, library))
    fitted = fit(train_read + mine_read, train + mine)
    WEIGHTS.write_text(json.dumps(fitted, indent=2) + "\n")
    registry.fitted.cache_clear()
    fitted["flagged"] = flagged(others_read, others)
    fitted["scifact_held_back"] = held_back(test_read, test, train_read, train)
    return fitted


def main() -> None:
    quiet_environment()
    fitted = calibrate(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]], load_settings())
    WEIGHTS.write_text(json.dumps(fitted, indent=2) + "\n")
    sys.stdout.write(json.dumps(fitted, indent=2) + "\n")


if __name__ == "__main__":
    main()
