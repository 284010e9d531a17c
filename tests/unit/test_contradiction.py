"""What cannot be squared with the words cited: numbers, names, negation, comparisons."""

from __future__ import annotations

import pytest

from citewell.checking.contradiction import replaced_numbers, strange_names, turned_round, wrong_numbers
from citewell.text.numbers import count_number, numbers_in
from citewell.understanding.decomposition import question_parts
from citewell.understanding.names import names_in


@pytest.mark.parametrize(
    ("claim", "backing", "wrong"),
    [
        ("It trains 2.5 times faster.", r"more than $60\times$ faster training speed", ["2.5 times"]),
        ("It needs 6–7 % of the effort.", "with only 6-7% of the human annotation effort", []),
        ("It has 128 billion parameters.", "up to 128B memory parameters", []),
        ("It uses 1,000 examples.", "as few as 1000 examples", []),
        ("It needs 4.4X more FLOPs.", "(up to 4.4X fewer FLOPs)", ["4.4X"]),
        ("It needs 4.4 times fewer FLOPs.", "(up to 4.4X fewer FLOPs)", []),
        ("Accuracy rises by 3.5%.", "average gain of 3.5%", []),
        ("Accuracy drops by 3.5%.", "Accuracy increases by 3.5%", ["3.5%"]),
        ("We use 12 tasks and 12 models.", "We use 12 tasks and 8 models.", ["12"]),
        ("One of the methods wins.", "A method wins.", []),
        ("It handles a million points.", "a million-scale mesh", []),
    ],
)
def test_numbers(claim: str, backing: str, wrong: list[str]) -> None:
    assert wrong_numbers(claim, [backing]) == wrong


def test_a_number_changed_inside_the_same_wording() -> None:
    said = "Experiments on 12 datasets with 7 settings confirm it, and 12 models agree."
    assert replaced_numbers(said, said.replace("7 settings", "12 settings")) == ["7"]
    assert replaced_numbers(said, said) == []
    assert replaced_numbers("Of 12 models most agree, on 7 settings.", said) == []


def test_counting_numbers() -> None:
    number = numbers_in("60 times")[0]
    assert count_number(number, r"$60\times$ here, 60x there, 60% elsewhere") == 2


@pytest.mark.parametrize(
    ("claim", "text", "strange"),
    [
        ("KABB moves experts in weight space.", "Model Swarms moves experts in weight space.", ["KABB"]),
        ("ART helps HIV-positive people.", "ART helps people with HIV.", []),
        ("GNNs pass messages.", "A GNN passes messages.", []),
        ("The GNN passes messages.", "Graph neural networks pass messages.", []),
        ("It beats GPT-7.", "It is on par with GPT-4.", ["GPT-7"]),
        ("It was tested on Parti prompts.", "on the Parti prompts benchmark", []),
        ("It is due to Hopfield networks.", "It is due to energy models.", ["Hopfield"]),
    ],
)
def test_names(claim: str, text: str, strange: list[str]) -> None:
    assert strange_names(claim, text) == strange


@pytest.mark.parametrize(
    ("claim", "sentence", "turned"),
    [
        ("RSD outperforms parallel decoding.", "Parallel decoding outperforms RSD.", True),
        ("Parallel decoding is outperformed by RSD.", "RSD outperforms parallel decoding.", False),
        ("The small model is faster than the large one.", "The large model is faster than the small one.", True),
        ("The drug increases blood pressure.", "The drug decreases blood pressure.", True),
        ("The drug increases blood pressure.", "The drug raises blood pressure.", False),
        ("The bound is not tight.", "The bound is tight.", True),
        ("The bound is tight.", "The bound is tight, with and without noise.", False),
        ("It works for longer chains.", "It works for longer chains, even when not explicitly trained.", False),
        ("It reduces redundancy across views.", "It reduces redundancy to enhance correlations.", False),
    ],
)
def test_turned_round(claim: str, sentence: str, turned: bool) -> None:
    assert bool(turned_round(claim, sentence)) is turned


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What is RSD and what is the capital of France?", ["What is RSD?", "what is the capital of France?"]),
        ("What is RSD? How does KABB choose experts?", ["What is RSD?", "How does KABB choose experts?"]),
        ("What is RSD and how does it work?", ["What is RSD and how does it work?"]),
        ("How do draft and target models interact?", ["How do draft and target models interact?"]),
    ],
)
def test_questions_that_are_two(question: str, parts: list[str]) -> None:
    assert question_parts(question) == parts


def test_names_in_a_question() -> None:
    assert names_in("What is FooNet?") == ["FooNet"]
    assert names_in("How do Hopfield networks store patterns?") == ["Hopfield"]
    assert names_in("What is attention?") == []
