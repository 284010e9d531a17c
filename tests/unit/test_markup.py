from __future__ import annotations

import html
import re

import pytest

from citewell_ui.markup import cell_markdown, highlighted, label, merged, paper_markdown, plain, to_markdown


def shown(markdown: str) -> str:
    """What plain Markdown shows: tags dropped, references resolved."""
    return html.unescape(re.sub(r"</?(?:span|mark)>", "", markdown))


@pytest.mark.parametrize(
    "text",
    [
        "DI* and **SSDE** and *emphasis* and _under_ and ~~gone~~",
        "a | b | c, 1 < 2 > 0 & more",
        "<script>alert(1)</script> <b>bold</b>",
        "[1] and [text](https://evil.example) ![image](http://evil.example/x.png)",
        "# not a heading",
        "1. not a list",
        "- not a list",
        "> not a quote",
        "`code` and ```fences```",
        ":red[text] :material/home: :smile:",
        "costs $5 to $10",
        r"24.7\% and \url{https://a.b/c}",
        "a -> b, a --- b, <- c",
        "www.example.com and me@example.com",
    ],
)
def test_text_is_shown_as_written_and_means_nothing_to_markdown(text: str) -> None:
    result = to_markdown(text)
    assert shown(result) == text
    bare = re.sub(r"&#\d+;|</?span>", "", result)
    assert not re.search(r"[*_`\[\]<>|~$\\#]", bare)
    assert "://" not in re.sub(r"<span>.*?</span>", "", result)
    assert not re.match(r"\s*(?:[-+>#]|\d+[.)])", bare)


@pytest.mark.parametrize(
    "text", ["see http://127.0.0.1:9/v1 or www.x.org", "openai:gpt :smile: a -> b", "<b>[1](x)</b> *a*", "# x", "1. y"]
)
def test_labels_hold_no_tags_and_show_the_text(text: str) -> None:
    result = label(text)
    assert html.unescape(result).replace("\u2060", "") == text
    assert "<" not in result
    assert "://" not in result
    assert not re.search(r"[*_`\[\]|~$\\]", re.sub(r"&#\d+;", "", result))


def test_the_tex_of_papers_is_read_and_their_addresses_are_links() -> None:
    result = paper_markdown(r"\textbf{Gains} of 24.7\% with $x\%$, see \url{https://a.b/c_d?e=1&f=2}.")
    assert shown(re.sub(r"</?a\b[^>]*>", "", result)) == r"Gains of 24.7% with $x\%$, see https://a.b/c_d?e=1&f=2."
    assert re.findall(r'href="([^"]*)"', result) == ["https://a.b/c_d?e=1&amp;f=2"]
    assert "<a" not in paper_markdown("at https://a.b", linked=False)
    assert "<a" in cell_markdown("at https://a.b")


@pytest.mark.parametrize(
    "text", ['https://a.b/"onmouseover="x', "https://a.b/<script>", "javascript:alert(1)", "http://"]
)
def test_no_address_breaks_out_of_its_link(text: str) -> None:
    result = paper_markdown(text)
    assert shown(re.sub(r'<a href="[^"<>]*" target="_blank" rel="noopener noreferrer">|</a>', "", result)) == text


def test_formulas_stay_formulas() -> None:
    assert to_markdown(r"the $\tilde O(d\sqrt{T})$ bound, $ 0 \le C$ too") == (
        r"the $\tilde O(d\sqrt{T})$ bound, $0 \le C$ too"
    )
    assert to_markdown(r"\(x_1\) and $$y$$") == "$x_1$ and $y$"


def test_quotes_are_marked_where_they_stand() -> None:
    text = "One *a*. Two $x_1$ b. Three."
    result = highlighted(text, [(9, 21)])
    assert result == f"{to_markdown('One *a*.')} <mark>Two $x_1$ b.</mark> Three."
    assert highlighted(text, []) == to_markdown(text)


def test_overlapping_quotes_are_one_mark() -> None:
    assert merged([(5, 9), (0, 6), (12, 14)]) == [(0, 9), (12, 14)]


def test_plain_shows_formulas_as_source() -> None:
    assert shown(plain("$x_1$")) == "$x_1$"
    assert "$" not in plain("$x_1$")
