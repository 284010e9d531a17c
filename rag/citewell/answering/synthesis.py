"""What several papers say together: grouped, each claim cited, disagreements and differing settings named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from citewell import wording
from citewell.answering.aspects import AspectFinder
from citewell.answering.builder import quoted
from citewell.answering.evidence import Evidence
from citewell.checking.contradiction import turned_round
from citewell.citation import Citation, Source
from citewell.library import Snapshot
from citewell.paper import Paper
from citewell.sentence import Sentence, Support
from citewell.text.topics import group_names

# From so many papers on they are put in groups, of about this many.
GROUPED_FROM, GROUP_SIZE, MOST_GROUPS = 4, 3, 6
# Two sentences this near speak of the same thing, so that a reversal between them is a disagreement.
SAME_THING = 0.6
SETTINGS_SHOWN = 4


def synthesise(snapshot: Snapshot, chosen: Sequence[Evidence]) -> tuple[tuple[Sentence, ...], tuple[Source, ...]]:
    """The chosen sentences of several papers, grouped, then where these disagree or test differently; with sources."""
    papers = list({item.paper.id: item.paper for item in chosen}.values())
    groups = group_papers(snapshot, papers)
    names = group_names(groups)
    order = {paper.id: (place, row) for place, group in enumerate(groups) for row, paper in enumerate(group)}
    sentences, sources = quoted(sorted(chosen, key=lambda item: order[item.paper.id]))
    numbers = {source.paper.id: source.number for source in sources}
    if len(groups) > 1:
        headings = [name[:1].upper() + name[1:] for name in names]
        sentences = tuple(
            replace(sentence, group=headings[order[sentence.citations[0].paper_id][0]]) for sentence in sentences
        )
    closing = [*_disagreements(snapshot, chosen, numbers), *_settings(snapshot, papers, numbers)]
    return (*sentences, *closing), sources


def group_papers(snapshot: Snapshot, papers: Sequence[Paper]) -> list[list[Paper]]:
    """Papers that are near to each other by meaning together (average linkage), the largest group first."""
    if len(papers) < GROUPED_FROM:
        return [list(papers)]
    vectors = snapshot.passage_vectors(papers)
    known = [paper for paper in papers if paper.id in vectors and len(vectors[paper.id])]
    if len(known) < GROUPED_FROM:
        return [list(papers)]
    from sklearn.cluster import AgglomerativeClustering

    centres = np.stack([vectors[paper.id].mean(axis=0) for paper in known])
    count = min(MOST_GROUPS, max(2, round(len(known) / GROUP_SIZE)))
    labels = AgglomerativeClustering(n_clusters=count, metric="cosine", linkage="average").fit_predict(centres)
    groups: dict[int, list[Paper]] = {}
    for paper, label in zip(known, labels, strict=True):
        groups.setdefault(int(label), []).append(paper)
    # A paper alone is no group: such papers are put together at the end.
    alone = [own[0] for own in groups.values() if len(own) == 1]
    alone += [paper for paper in papers if paper not in known]
    together = sorted((own for own in groups.values() if len(own) > 1), key=lambda own: -len(own))
    return [*together, alone] if alone else together


def _disagreements(snapshot: Snapshot, chosen: Sequence[Evidence], numbers: dict[str, int]) -> list[Sentence]:
    """Pairs of sentences of different papers that speak of the same thing and say the reverse."""
    encoded = snapshot.encoded_sentences({item.paper.id: item.paper for item in chosen}.values())
    vectors = [encoded[item.paper.id][1][item.index] for item in chosen]
    found = []
    for one, other in combinations(range(len(chosen)), 2):
        first, second = chosen[one], chosen[other]
        if first.paper.id == second.paper.id or float(vectors[one] @ vectors[other]) < SAME_THING:
            continue
        if words := turned_round(first.text, second.text):
            text = wording.MAY_DISAGREE.format(
                one=first.paper.label, other=second.paper.label, how=words, first=first.text, second=second.text
            )
            cited = tuple(
                Citation.of(numbers[item.paper.id], item.paper, item.start, item.end) for item in (first, second)
            )
            found.append(Sentence(text, cited, Support.SUPPORTED, group=wording.DISAGREE))
    return found[:2]


def _settings(snapshot: Snapshot, papers: Sequence[Paper], numbers: dict[str, int]) -> list[Sentence]:
    """What each paper was tested on, where at least two say so and differ."""
    finder = AspectFinder(snapshot)
    stated = [(paper, place) for paper in papers if (place := finder.find(paper, "data and benchmarks"))]
    texts = {paper.abstract[place.start : place.end] for paper, place in stated}
    if len(texts) < 2:
        return []
    parts, cited = [], []
    for paper, place in stated[:SETTINGS_SHOWN]:
        parts.append(f"{paper.label}: “{paper.abstract[place.start : place.end].rstrip('.')}”")
        cited.append(Citation.of(numbers[paper.id], paper, place.start, place.end))
    text = wording.TESTED_DIFFERENTLY.format(what="; ".join(parts))
    return [Sentence(text, tuple(cited), Support.SUPPORTED, group=wording.SETTINGS)]
