"""Cells as clauses, claims in questions, repairable quotes, names of groups."""

from __future__ import annotations

import pytest

from citewell.answering.attribution import Claim, claim_in
from citewell.answering.clauses import clause_of
from citewell.answering.model_cells import locate
from citewell.paper import Paper
from citewell.text.topics import group_names


@pytest.mark.parametrize(
    ("sentence", "aspect", "clause"),
    [
        ("To address this gap, we propose Foo, a sampler for graphs.", "approach", "we propose Foo, a sampler for graphs."),
        ("We propose Foo, a fast sampler for graphs, achieving new records on six tasks.", "approach",
         "We propose Foo, a fast sampler for graphs"),
        ("Experiments on six public benchmarks demonstrate that Foo is 3% better than Bar.", "results", "Foo is 3% better than Bar."),
        ("Experiments on six public benchmarks demonstrate that Foo is 3% better than Bar.", "data and benchmarks",
         "Experiments on six public benchmarks"),
        ("Foo beats Bar by far, as shown by extensive experiments on ImageNet and CIFAR.", "data and benchmarks",
         "extensive experiments on ImageNet and CIFAR."),
        ("Foo is 3% better than all baselines, and our code is at https://x.org/foo.", "code", "our code is at https://x.org/foo."),
        ("However, samplers remain slow on large graphs.", "problem", "samplers remain slow on large graphs."),
        # No cut through a formula or a bracket, and nothing too short to be understood.
        ("We show that $x; y$ holds.", "results", "We show that $x; y$ holds."),
        ("We test it (on ImageNet, showing that it works) twice.", "results", "We test it (on ImageNet, showing that it works) twice."),
        ("Foo works.", "approach", "Foo works."),
    ],
)  # fmt: skip
def test_the_clause_of_an_aspect(sentence: str, aspect: str, clause: str) -> None:
    start, end = clause_of(sentence, aspect)
    assert sentence[start:end] == clause


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Which paper says this: graphs need edge embeddings?", Claim("graphs need edge embeddings", True)),
        ("Graphs need edge embeddings. Which paper says this?", Claim("Graphs need edge embeddings.", True)),
        ("Who claims that graphs need edge embeddings?", Claim("graphs need edge embeddings", True)),
        ("Find the source for the claim “graphs need edge embeddings”", Claim("graphs need edge embeddings", True)),
        ("which paper says this?", Claim("", True)),
        ("Edge embeddings help graph neural networks most in sparse heterophilic graphs.",
         Claim("Edge embeddings help graph neural networks most in sparse heterophilic graphs.", False)),
        ("What do the authors say about graphs?", None),
        ("Which papers work on graphs?", None),
        ("I like graphs.", None),
    ],
)  # fmt: skip
def test_a_claim_whose_source_is_asked_for(text: str, claim: Claim | None) -> None:
    assert claim_in(text) == claim


def test_a_repairable_quote_is_found_and_another_is_not() -> None:
    abstract = "We use “soft” labels—twice—and gain $4.5\\%$ on CIFAR-10, with fewer FLOPs."
    start, end = locate('We use "soft" labels - twice - and gain 4.5', abstract) or (0, 0)
    assert abstract[start:end] == "We use “soft” labels—twice—and gain $4.5\\%$"
    assert locate("gain 4.6 on CIFAR-10, with fewer FLOPs", abstract) is None
    assert locate("soft", abstract) is None


def test_groups_are_named_by_what_sets_them_apart() -> None:
    graphs = papers(
        "Graph neural networks pass messages", "A graph neural network for molecules", "Slow graph networks"
    )
    rewards = papers("Reward models are hacked", "A reward model for dialogue", "Reward hacking in language models")
    one, two = group_names([graphs, rewards])
    assert "graph" in one
    assert "reward" in two
    assert not set(one.split(", ")) & set(two.split(", "))
    assert group_names([papers("the and of"), papers("")]) == ["", ""]


def test_groups_that_share_their_words_have_names_of_their_own() -> None:
    groups = [
        papers("Graph networks for molecules", "Graph networks of molecules", "Graph molecules"),
        papers("Graph networks for traffic", "Graph networks in traffic", "Graph traffic"),
        papers("Sorting of numbers", "Fast sorting", "Sorting numbers"),
    ]
    names = group_names(groups, 1)
    assert len(set(names)) == 3
    assert names[2] in ("sorting", "sorting numbers")


def papers(*titles: str) -> list[Paper]:
    return [Paper(title, title, f"We rely on {title}") for title in titles]
