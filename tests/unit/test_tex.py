from __future__ import annotations

import pytest

from citewell.text.tex import readable


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"24.7\% performance \& more, \#1, a\_b, \$5", "24.7% performance & more, #1, a_b, $5"),
        (r"Codes are at \url{https://github.com/a-b/c\_d}.", "Codes are at https://github.com/a-b/c_d."),
        (r"see \href{https://a.b/c}{this page}", "see this page (https://a.b/c)"),
        (r"\href{https://a.b}{https://a.b}", "https://a.b"),
        (r"\textbf{(II)} and \emph{shadow \textbf{models}} by {\em hand}", "(II) and shadow models by hand"),
        (r"\textit{\textcolor{blue}{https://a.b}}", "https://a.b"),
        (r"{\bf any} reference, {\sc Turbo}, \textsf{\small RepNoise}", r"any reference, Turbo, \small RepNoise"),
        (r"R\'enyi, R\'{e}nyi, D{\"u}tting, Polyak-{\L}ojasiewicz, Erd\H{o}s", "Rényi, Rényi, Dütting, Polyak-Łojasiewicz, Erdős"),
        (r"``quoted'' and ``it's''", "“quoted” and “it's”"),
        (r"maps\textemdash such as", "maps—such as"),
        (r"(\eg, data) and (\ie trees)", "(e.g., data) and (i.e. trees)"),
        (r"Entezari et al.\ [2022], Layers:\\ Exact", "Entezari et al. [2022], Layers:  Exact"),
        (r"cited \citep{smith2020} and \method{} stay", r"cited \citep{smith2020} and \method{} stay"),
        (r"an open \textbf{brace", r"an open \textbf{brace"),
        ("nothing to do, 5 < 6", "nothing to do, 5 < 6"),
        (r"C:\temp\new", r"C:\temp\new"),
    ],
)  # fmt: skip
def test_tex_of_running_text_is_read(tex: str, shown: str) -> None:
    assert readable(tex) == shown
