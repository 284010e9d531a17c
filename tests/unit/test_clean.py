from __future__ import annotations

import pytest

from citewell.readers.fields import person, split_authors
from citewell.text.clean import clean_abstract, clean_text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (r"Erd{\H o}s, Sch{\"o}nlieb, Jos\'{e} {\v S}koda, {\'e}, \o re, Stra{\ss}e", "Erdős, Schönlieb, José Škoda, é, øre, Straße"),
        (r"24.7\% of R\&D at 5\$ in A\_B", "24.7% of R&D at 5$ in A_B"),
        (r"{\bf bold} and \emph{it \textbf{x}} {GPU}s", "bold and it x GPUs"),
        (r"a $\alpha_{1} \le \frac{1}{2}$ bound -- and ``more''", r"a $\alpha_{1} \le \frac{1}{2}$ bound – and “more”"),
        (r"\texttt{RCDB} by Smith~et~al. \cite{x}", "RCDB by Smith et al."),
        (r"na\"{\i}ve", "naïve"),
    ],
)  # fmt: skip
def test_tex(text: str, clean: str) -> None:
    assert clean_text(text, tex=True) == clean


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (
            "<jats:p>We <jats:italic>study</jats:italic> x &amp;lt; y</jats:p><jats:p>Two.</jats:p>",
            "We study x < y Two.",
        ),
        ("if a<b and c>d then", "if a<b and c>d then"),
        ("an eﬃcient (cid:12)ﬁx", "an efficient fix"),
        ("super-\nvised learning with state-of-the-\nart", "supervised learning with state-of-theart"),
        ("Abstract: We do.", "We do."),
        ("ABSTRACT\nWe do.", "We do."),
        ("Abstract We do it", "We do it"),
        ("Abstract reasoning is hard.", "Abstract reasoning is hard."),
        ("DI* and snake_case and **SSDE** and 24.7\\%", "DI* and snake_case and **SSDE** and 24.7\\%"),
        ("a\x00b\u200bc\u00a0d", "abc d"),
        ("line one\r\nline two", "line one line two"),
    ],
)
def test_everything_else(text: str, clean: str) -> None:
    assert clean_abstract(text) == clean


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Ann Lee; Bo Chen", ["Ann Lee", "Bo Chen"]),
        ("Lee, Ann; Chen, Bo", ["Lee, Ann", "Chen, Bo"]),
        ("Lee A., Chen B.C.", ["Lee A.", "Chen B.C."]),
        ("Ann Lee and Bo Chen", ["Ann Lee", "Bo Chen"]),
        ("Lee, Ann and Chen, Bo", ["Lee, Ann", "Chen, Bo"]),
        ("Ann Lee, Bo Chen, Cy Dunn", ["Ann Lee", "Bo Chen", "Cy Dunn"]),
        ("Ann Lee, Bo Chen and Cy Dunn", ["Ann Lee", "Bo Chen", "Cy Dunn"]),
        ("Ann Lee|Bo Chen", ["Ann Lee", "Bo Chen"]),
        ("", []),
    ],
)
def test_people_in_one_field(text: str, people: list[str]) -> None:
    assert split_authors(text) == people


def test_names_stand_in_reading_order() -> None:
    assert person("Guo, Wenbo") == "Wenbo Guo"
    assert person("King, Martin, Jr.") == "Martin King Jr." or person("King, Jr., Martin") == "Martin King Jr."
    assert person("Wenbo Guo") == "Wenbo Guo"


@pytest.mark.parametrize("name", ["Wenbo Guo", "Guo, Wenbo", "Guo W.", "Guo WB", "Wenbo Guo Jr."])
def test_family_names_in_references(name: str) -> None:
    from citewell.paper import Paper

    assert Paper("p", "T", "", (name,), 2020).short_reference() == "Guo, 2020"
