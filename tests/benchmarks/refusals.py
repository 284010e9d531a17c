"""How often questions are refused: off the corpus, on it, and the curve between the two as a picture."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np

from citewell.answering.answerability import paper_signals, strongest
from citewell.answering.evidence import EvidenceFinder
from citewell.assistant import Assistant
from citewell.evaluation.known_items import known_items
from citewell.evaluation.retrieval import evaluation_library, read_beir
from citewell.library import Library
from citewell.retrieval.search import HybridSearch
from citewell.settings import load_settings
from citewell.understanding import understand
from tests.conftest import SEEDS, SHARED

QUESTIONS = 250
PICTURE = Path("tests/artifacts/refusals.png")


def main() -> None:
    off = SHARED / "data/eval/off-corpus.jsonl"
    papers = SHARED / "data/icml-2025.jsonl"
    if not off.exists() or not papers.exists():
        print("left out: its data is not on this machine")
        return
    foreign = [_question(json.loads(line)) for line in off.read_text().splitlines() if line.strip()]
    library = Library(load_settings(home=Path(tempfile.gettempdir()) / "citewell-bench-icml-2025"))
    library.ingest([SEEDS, papers])
    items = known_items(library.papers(), QUESTIONS)
    sets = {
        "off the corpus": foreign,
        "by name": [item.question for item in items if item.kind == "name"],
        "by topic": [f"Which papers are about {item.question}?" for item in items if item.kind == "title"],
    }
    scores = {}
    for name, questions in sets.items():
        print(f"{name}: {refused(library, questions):.1%} of {len(questions)} refused (3,330 papers)")
        scores[name] = log_odds(library, questions)
    library.close()
    folder = SHARED / "data/eval/autoscholar-10k"
    if folder.exists():
        data = read_beir(folder)
        other = evaluation_library(data, load_settings(home=Path(tempfile.gettempdir()) / "citewell-bench-retrieval"))
        questions = list(data.queries.values())
        print(f"autoscholar-10k: {refused(other, questions):.1%} of {len(questions)} refused over its own papers")
        other.close()
    draw(scores)


def _question(row: dict) -> str:
    return row["turns"][0]["question"] if "turns" in row else row.get("question") or row["text"]


def refused(library: Library, questions: list[str]) -> float:
    """The share of questions that the assistant refuses."""
    assistant = Assistant(library)
    return float(np.mean([assistant.answer(question).refusal is not None for question in questions]))


def log_odds(library: Library, questions: list[str]) -> list[float]:
    """What the decision rests on, for each question."""
    search, finder = HybridSearch(library.snapshot()), EvidenceFinder(library)
    found = []
    for question in questions:
        query = understand(question, library.snapshot())
        hits = search.search(query, 10).hits
        score = strongest(paper_signals(query, hits, finder.find(query, hits), library)).score
        found.append(max(score, 0.01) if query.named else score)
    return found


def draw(scores: dict[str, list[float]]) -> None:
    """The share of each set that is refused, over where the line is drawn."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    cuts = np.linspace(-6, 8, 141)
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for name, values in scores.items():
        axes.plot(cuts, [100 * np.mean(np.array(values) <= cut) for cut in cuts], label=name)
    axes.axvline(0, color="grey", linestyle=":", label="where it is drawn")
    axes.set(xlabel="log-odds that the library holds an answer", ylabel="refused, %")
    axes.legend()
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, dpi=110)
    pyplot.close(figure)
    print(f"curve: {PICTURE}")


if __name__ == "__main__":
    main()
