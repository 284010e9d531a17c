from __future__ import annotations

import pytest

from citewell.text.formulas import split_formulas
from citewell.text.names import label_from_text, looks_like_name, name_key, paper_names, title_names
from citewell.text.numbers import holds_number, numbers_in
from citewell.text.roles import Role, sentence_roles
from citewell.text.sentences import split_sentences
from citewell.text.tokens import index_tokens, informative_words


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        (r"a $\tilde O(d\sqrt{T}/\kappa+dC/\kappa)$ bound", [r"\tilde O(d\sqrt{T}/\kappa+dC/\kappa)"]),
        (r"and $ 0 \le C \le T$ is", [r"0 \le C \le T"]),
        ("where $T$ is the number of rounds, $d$ is", ["T", "d"]),
        (r"algorithm ($\texttt{RCDB}$)", [r"\texttt{RCDB}"]),
        ("costs $5 to $10 a day", []),
        ("only $0.88 per million tokens, not $2.54 per project", []),
        ("set $HOME and $PATH first", []),
        ("a price of 5$ and nothing else", []),
        (r"\$5 and \$6", []),
        ("valued at $1 million in total", []),
        (r"first \(x^2\) then \[y_1\]", ["x^2", "y_1"]),
        ("$$E = mc^2$$", ["E = mc^2"]),
        ("$512, 1024$ units", ["512, 1024"]),
        ("for $ s $, any", ["s"]),
    ],
)
def test_formulas_are_told_from_dollars(text: str, formulas: list[str]) -> None:
    spans = split_formulas(text)
    assert [span.body for span in spans if span.is_formula] == formulas
    assert "".join(text[span.start : span.end] for span in spans) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use e.g. this. Then that.", ["We use e.g. this.", "Then that."]),
        ("As in Smith et al. (2020) we see it. Next one.", ["As in Smith et al. (2020) we see it.", "Next one."]),
        ("We prove $f(x). g(y)$ here. Done well.", ["We prove $f(x). g(y)$ here.", "Done well."]),
        (
            r"Code is at \url{https://a.b/c.d}. It works well.",
            [r"Code is at \url{https://a.b/c.d}.", "It works well."],
        ),
        ("It has two parts: 1) one part. 2) the other part.", None),
        ("Gains of 24.7\\% and 3.5 points. End of it.", ["Gains of 24.7\\% and 3.5 points.", "End of it."]),
        ("Using the Absolut! framework we win. So there.", ["Using the Absolut! framework we win.", "So there."]),
        ("One only", ["One only"]),
        ("", []),
        ("   ", []),
    ],
)
def test_sentences(text: str, expected: list[str] | None) -> None:
    if expected is not None:
        assert sentences(text) == expected
    covered = {place for start, end in split_sentences(text) for place in range(start, end)}
    assert all(place in covered or ch.isspace() for place, ch in enumerate(text))


def test_a_list_after_a_colon_stays_in_its_sentence() -> None:
    assert len(sentences("We make two steps: 1) fast ones, and 2) slow ones. Then we stop.")) == 2


def test_index_tokens_keep_exact_names_beside_plain_ones() -> None:
    tokens = index_tokens(
        "Transolver++ and DI* beat 3D-LMVIC with 1,000 large-scale points, **SSDE**, $\\texttt{RCDB}$"
    )
    for token in ("transolver++", "di*", "3d-lmvic", "lmvic", "1000", "largescal", "scale", "ssde", "rcdb"):
        assert token in tokens
    assert "and" not in tokens
    assert index_tokens("networks") == index_tokens("network")
    assert index_tokens("RSD's model") == index_tokens("RSD model")


def test_informative_words_leave_out_what_questions_are_made_of() -> None:
    assert informative_words("Which papers are about aligning models with human preferences?") == [
        "aligning",
        "models",
        "human",
        "preferences",
    ]


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("GenZSL: Generative Zero-Shot Learning", ["GenZSL"]),
        ("Model Swarms: Collaborative Search", ["Model Swarms"]),
        ("Transolver++: An Accurate Neural Solver", ["Transolver++"]),
        ("Position: Explainable AI Cannot Advance", []),
        ("Memory Layers at Scale", []),
    ],
)
def test_title_names(title: str, names: list[str]) -> None:
    assert [name.text for name in title_names(title)][: len(names) or None] == names


@pytest.mark.parametrize(
    ("abstract", "label"),
    [
        ("Old ways fail. We propose a variational autoencoder, dubbed GenZSL. It is good at it.", "GenZSL"),
        ("We introduce Reward-Guided Decoding (RGD), a framework. It is fast.", "Reward-Guided Decoding"),
        (
            "We study how things go when nothing has a name of its own at all.",
            "We study how things go when nothing has a…",
        ),
    ],
)
def test_label_is_made_of_the_text(abstract: str, label: str) -> None:
    assert label_from_text(abstract) == label
    assert label.rstrip("…") in abstract


def test_names_defined_in_passing_do_not_own_the_paper() -> None:
    names = {
        name.text: name.weight
        for name in paper_names("", "Large language models (LLMs) are big. We present ABCnet, a model.")
    }
    assert names.get("ABCnet") == 2
    assert "LLMs" not in names


def test_name_key_folds_case_blanks_and_hyphens_only() -> None:
    assert name_key("Reward-Guided  Decoding") == name_key("reward guided decoding")
    assert name_key("Transolver++") != name_key("Transolver")
    assert name_key("**SSDE**") == name_key("SSDE") == name_key("$\\texttt{SSDE}$")


def test_looks_like_name() -> None:
    assert all(
        looks_like_name(word) for word in ("GenZSL", "RSD", "DI*", "Transolver++", "AWA2", "f-VAEGAN", "3D-LMVIC")
    )
    assert not any(looks_like_name(word) for word in ("Which", "papers", "Reward-Guided", "well-known"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("up to 4.4X fewer FLOPs", [(4.4, "x")]),
        (r"more than $60\times$ faster, 24.7\% gains", [(60.0, "x"), (24.7, "%")]),
        ("128B parameters", [(128e9, "")]),
        ("128 billion parameters", [(128e9, "")]),
        ("6–7 % of it", [(6.0, ""), (7.0, "%")]),
        ("1,000 rows and 12 columns", [(1000.0, ""), (12.0, "")]),
        ("AWA2, GPT-4 and 3D", []),
        ("twice the budget", [(2.0, "")]),
    ],
)
def test_numbers(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(number.value, number.unit) for number in numbers_in(text)] == expected


def test_a_number_is_held_in_any_notation_but_not_with_another_unit() -> None:
    assert holds_number(numbers_in("128 billion")[0], "up to 128B memory parameters")
    assert holds_number(numbers_in("60 times")[0], r"more than $60\times$ faster")
    assert not holds_number(numbers_in("2.5 times")[0], r"more than $60\times$ faster")
    assert not holds_number(numbers_in("60%")[0], r"more than $60\times$ faster")


def test_roles_of_an_abstract() -> None:
    roles = sentence_roles(
        [
            "Sorting is everywhere.",
            "However, existing methods suffer from slow speed.",
            "We propose FastSort, a new algorithm.",
            "It splits the list in halves.",
            "Experiments show that it outperforms quicksort by 20%.",
            "Code is available at https://github.com/x/y.",
        ]
    )
    assert roles == [Role.BACKGROUND, Role.PROBLEM, Role.APPROACH, Role.METHOD, Role.RESULT, Role.RESOURCE]
