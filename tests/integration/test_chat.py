"""Follow-ups, comparisons, conversations on disk, and the commands for them, over the seed library."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from citewell import wording
from citewell.answer import Answer
from citewell.answering.suggestions import first_questions
from citewell.assistant import Assistant
from citewell.chat import Conversation, ConversationStore
from citewell.chat.export import as_bib, as_markdown
from citewell.cli import main
from citewell.errors import CitewellError
from citewell.evaluation.answers import verbatim
from citewell.events import Done
from citewell.exports.tables import comparison_files
from citewell.library import Library
from citewell.refusal import RefusalKind
from citewell.rendering.markdown import answer_markdown
from citewell.retrieval.trace import TRACED, trace
from citewell.sentence import Support
from citewell.settings import Settings
from citewell.text.roles import Role, sentence_roles
from citewell.text.sentences import split_sentences
from citewell.understanding.comparisons import sides, wanted_aspects
from citewell.understanding.context import papers_of
from citewell.wording import DISAGREE, SETTINGS

RSD, SWARMS, RLTHF, KABB, GENZSL, APM, MOMA, DEX = (
    "Reward-Guided", "Model Swarms", "RLTHF", "KABB", "GenZSL", "An All-Atom", "MoMa", "DexScale",
)  # fmt: skip

# Dialogues: each turn is a question and how the titles of the papers that its answer must cite begin.
DIALOGUES: list[list[tuple[str, list[str]]]] = [
    [("What is RLTHF?", [RLTHF]), ("Which datasets was it evaluated on?", [RLTHF]), ("Why?", [RLTHF])],
    [("What is GenZSL?", [GENZSL]), ("How fast does it train?", [GENZSL]), ("What about MoMa?", [MOMA])],
    [("What is RSD?", [RSD]), ("What is KABB?", [KABB]), ("How does it compare with the other one?", [KABB, RSD])],
    [("Compare RSD and Model Swarms.", [RSD, SWARMS]), ("Add KABB", [RSD, SWARMS, KABB]), ("Drop the first", [SWARMS, KABB])],
    [("Compare RSD and KABB on results", [RSD, KABB]), ("Which one is cheaper?", [RSD, KABB]), ("What is the second one?", [KABB])],
    [("Which papers work on differential equations?", ["Closed-form", "Transolver++"]),
     ("Tell me more about the one that uses reinforcement learning", ["Closed-form"]),
     ("And the other one?", ["Transolver++"])],
    [("Which papers are about aligning models with human preferences?", [RLTHF]), ("Summarise [1]", []), ("Tell me more", [])],
    [("What is APM?", [APM]), ("What is DexScale?", [DEX]), ("How does DexScale compare with it?", [DEX])],
    [("What does DexScale do?", [DEX]), ("Does that paper speak of robots?", [DEX]), ("What is the capital of France?", [])],
    [("What is Model Swarms?", [SWARMS]), ("How many examples does that method need?", [SWARMS])],
    [("What is RLTHF?", [RLTHF]), ("What is MoMa?", [MOMA]), ("Compare both", [RLTHF, MOMA])],
    [("What is KABB?", [KABB]), ("How do Residual TPPs handle residual events?", ["Residual TPP"])],
    [("How many fewer FLOPs does RSD need?", [RSD]), ("compared to what?", [RSD]), ("is the code available?", [RSD])],
    [("What is RSD?", [RSD]), ("How is KABB different?", [RSD, KABB]), ("drop RSD and add Model Swarms", [KABB, SWARMS])],
    [("What is MoMa?", [MOMA]), ("What is APM?", [APM]), ("put the two next to each other", [MOMA, APM]), ("also on code", [MOMA, APM])],
    [("What is GenZSL?", [GENZSL]), ("What is KABB?", [KABB]), ("Which of them speaks of bandits?", [KABB])],
    [("What is DexScale?", [DEX]), ("please summarise", [DEX])],
]  # fmt: skip


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue[0][0])
def test_dialogues(assistant: Assistant, dialogue: list[tuple[str, list[str]]]) -> None:
    conversation = Conversation()
    for question, starts in dialogue:
        answer = conversation.answer(question, assistant).answer
        titles = [paper.title for paper in papers_of(answer)]
        assert all(any(title.startswith(start) for title in titles) for start in starts), (question, titles)
        assert verbatim(answer)
    assert len(conversation.turns) == len(dialogue)


def test_a_new_topic_is_not_dragged_to_the_old_one(assistant: Assistant) -> None:
    conversation = Conversation()
    conversation.answer("What is RLTHF?", assistant)
    turn = conversation.answer("Which paper combines Hawkes processes with neural temporal point processes?", assistant)
    assert turn.note == ""
    assert [paper.title[:12] for paper in papers_of(turn.answer)] == ["Residual TPP"]


def test_how_a_follow_up_was_understood_is_said_and_can_be_undone(assistant: Assistant) -> None:
    conversation = Conversation()
    conversation.answer("What is RLTHF?", assistant)
    assert conversation.answer("How does it use human feedback?", assistant).note == "about RLTHF"
    for _ in conversation.ask("How does it use human feedback?", assistant, follow=False):
        pass
    assert conversation.turns[-1].note == ""


def test_every_cell_is_verbatim_or_not_stated(assistant: Assistant) -> None:
    papers = list(assistant.library.papers())
    for first, second in zip(papers[::2], papers[1::2], strict=False):
        answer = assistant.compare([first, second])
        assert verbatim(answer)
        assert answer.comparison is not None
        cells = [cell for row in answer.comparison.rows for cell in row.cells]
        assert all(
            cell.text == (cell.citations[0].quote if cell.citations else wording.NOT_STATED_IN_ABSTRACT)
            for cell in cells
        )
        assert len({row.aspect for row in answer.comparison.rows}) == 7
        for sentence in answer.sentences:
            assert {citation.number for citation in sentence.citations} == {1, 2}


def test_sentences_are_given_to_the_right_aspect(assistant: Assistant) -> None:
    """Against the seeds' 195 sentences, labelled by hand: problem, approach, results, code."""
    groups = {
        Role.BACKGROUND: "p", Role.PROBLEM: "p", Role.APPROACH: "a", Role.METHOD: "a", Role.RESULT: "r", Role.RESOURCE: "c",
    }  # fmt: skip
    papers = list(assistant.library.papers())
    pairs: list[tuple[str, str]] = []
    with (Path(__file__).parents[1] / "data" / "aspects.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            paper = next(paper for paper in papers if paper.title.startswith(row["title_starts_with"]))
            texts = [paper.abstract[start:end] for start, end in split_sentences(paper.abstract)]
            pairs += zip(row["aspects"], (groups[role] for role in sentence_roles(texts)), strict=True)
    assert len(pairs) == 195
    assert sum(right == said for right, said in pairs) >= 0.85 * len(pairs)
    for aspect in "parc":
        own = [said == right for right, said in pairs if right == aspect]
        assert sum(own) >= 0.8 * len(own), aspect


def test_comparison_by_aspect_and_swapped(assistant: Assistant) -> None:
    conversation = Conversation()
    table = conversation.answer("Compare RSD and Model Swarms on results and cost", assistant).answer.comparison
    assert table is not None
    assert [row.aspect for row in table.rows] == ["results", "cost"]
    only = conversation.answer("Only the approach", assistant).answer.comparison
    assert only is not None
    assert [row.aspect for row in only.rows] == ["approach"]
    swapped = conversation.answer("Swap rows and columns", assistant).answer.comparison
    assert swapped is not None
    assert swapped.grid(["A", "B"])[0] == ["", "approach"]
    assert [row[0] for row in swapped.grid(["A", "B"])] == ["", "A", "B"]


def test_what_a_comparison_asks_for() -> None:
    assert sides("Compare diffusion samplers with graph networks.") == ["diffusion samplers", "graph networks"]
    assert wanted_aspects("Compare A and B on data and cost") == ("data and benchmarks", "cost")
    assert wanted_aspects("Compare A and B") == ()


def test_which_paper_says_this(assistant: Assistant) -> None:
    conversation = Conversation()
    said = conversation.answer(
        "Which paper says this: RLTHF reaches full-human annotation-level alignment with only 6-7% of the effort?",
        assistant,
    ).answer
    assert [source.paper.title[:5] for source in said.sources] == [RLTHF]
    assert said.sentences[0].support is Support.SUPPORTED
    assert "6-7%" in said.sentences[0].citations[0].quote
    assert verbatim(said)
    # The same with another number is said by no abstract, and so is what nobody wrote of.
    for claim in (
        "RLTHF reaches full-human annotation-level alignment with only 16% of the effort",
        "mice sleep at noon",
    ):
        nobody = conversation.answer(f"Which paper says that {claim}?", assistant).answer
        assert nobody.refusal is not None or nobody.sentences[0].support is not Support.SUPPORTED
    assert nobody.refusal is not None
    assert nobody.refusal.kind is RefusalKind.NOBODY_SAYS
    assert "(says this)" in answer_markdown(said)
    # Without a claim in it, the question is about what was just read.
    read = conversation.answer("What is KABB?", assistant).answer
    again = conversation.answer("Which paper says this?", assistant)
    assert again.note == f"“{read.sentences[0].text}”"
    assert papers_of(again.answer)[0].title.startswith(KABB)


def test_a_topic_is_summarised_in_groups(assistant: Assistant) -> None:
    answer = assistant.answer("Summarise the papers on aligning models with human preferences")
    assert answer.refusal is None
    assert verbatim(answer)
    assert len(answer.sources) >= 2
    assert all(sentence.citations for sentence in answer.sentences)
    papers = list(assistant.library.papers())[:9]
    several = assistant.summarise(papers)
    groups = list(dict.fromkeys(sentence.group for sentence in several.sentences))
    assert 2 <= len([group for group in groups if group not in (DISAGREE, SETTINGS)]) <= 6
    settings = next(sentence for sentence in several.sentences if sentence.group == SETTINGS)
    assert all(citation.quote.rstrip(".") in settings.text for citation in settings.citations)
    text = answer_markdown(several)
    assert all(text.count(f"### {group}\n") == 1 for group in groups)


def test_two_papers_that_say_the_reverse_are_named(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "two.csv"
    file.write_text(
        "title,abstract\n"
        "Alpha,We study dropout in vision transformers. Dropout increases the robustness of vision transformers.\n"
        "Beta,We study dropout in vision transformers. Dropout decreases the robustness of vision transformers.\n"
    )
    library.ingest([file])
    papers = [paper for paper in library.papers() if paper.title in ("Alpha", "Beta")]
    answer = Assistant(library).summarise(papers)
    found = [sentence for sentence in answer.sentences if sentence.group == DISAGREE]
    assert len(found) == 1
    assert {citation.number for citation in found[0].citations} == {1, 2}


def test_a_summary_has_the_approach_and_two_to_four_sentences(assistant: Assistant) -> None:
    papers = [paper for paper in assistant.library.papers() if paper.title.startswith((KABB, GENZSL))]
    answer = assistant.summarise(papers)
    assert verbatim(answer)
    for source in answer.sources:
        own = [s for s in answer.sentences if s.citations[0].number == source.number and len(s.citations) == 1]
        assert 2 <= len(own) <= 4


@pytest.mark.parametrize("count", [1, 3, 10, 29])
def test_chosen_papers_can_be_asked_about_at_once(assistant: Assistant, count: int) -> None:
    chosen = [paper.id for paper in assistant.library.papers()][:count]
    for question in first_questions(count):
        *_, done = Conversation().ask(question, assistant, focus=chosen)
        assert isinstance(done, Done)
        assert verbatim(done.answer)
        assert {source.paper.id for source in done.answer.sources} <= set(chosen)
        if done.answer.refusal is not None:
            assert done.answer.refusal.kind is RefusalKind.NOT_STATED
            assert "code" in question


def test_papers_that_a_table_has_no_room_for_are_named_in_short(assistant: Assistant) -> None:
    everything = [paper.id for paper in assistant.library.papers()]
    *_, done = Conversation().ask("Compare these papers", assistant, focus=everything)
    assert isinstance(done, Done)
    (notice,) = done.answer.notices
    assert notice.text.endswith("and 15 more.")


def test_conversations_last(assistant: Assistant, settings: Settings) -> None:
    store = ConversationStore(settings.home)
    first, second = Conversation(), Conversation(name="Mine")
    first.answer("What is RLTHF?", assistant)
    first.answer("Which datasets was it evaluated on?", assistant)
    second.answer("Compare RSD and Model Swarms.", assistant)
    for conversation in (first, second, first):
        store.save(conversation)
    assert [entry.name for entry in store.list()] == ["What is RLTHF?", "Mine"]
    assert [entry.name for entry in store.list("swarms")] == ["Mine"]
    again = store.load(first.id)
    assert again is not None
    assert [slim(turn.answer) for turn in again.turns] == [slim(turn.answer) for turn in first.turns]
    assert [turn.note for turn in again.turns] == ["", "about RLTHF"]
    assert again.turns[0].library_version == assistant.library.version
    # It goes on where it was, and a paper that is gone since is still shown as it was cited.
    cited = papers_of(first.turns[0].answer)[0]
    assistant.library.remove([cited.id])
    assert store.load(first.id).turns[0].answer.sources[0].paper == cited  # type: ignore[union-attr]
    store.rename(second.id, "Theirs")
    assert store.load("Theirs").turns[0].answer.comparison == second.turns[0].answer.comparison  # type: ignore[union-attr]
    store.delete(first.id)
    assert store.load(first.id) is None
    assert len(store.list()) == 1


def slim(answer: Answer) -> tuple[object, ...]:
    found = trace(answer.question, answer.hits[:TRACED], {source.paper.id for source in answer.sources})
    assert found
    return answer.question, answer.sentences, answer.sources, answer.refusal, dict(answer.timings), found


def test_exports(assistant: Assistant) -> None:
    conversation = Conversation()
    conversation.answer("What is RLTHF?", assistant)
    conversation.answer("What is RSD?", assistant)
    table = conversation.answer("Compare both", assistant).answer.comparison
    text = as_markdown(conversation)
    # Numbers run through the whole: the second answer's [1] is reference 2.
    assert "## What is RSD?" in text
    assert "[2]" in text.split("## What is RSD?")[1].split("##")[0]
    assert text.count("\n1. ") == text.count("\n2. ") == 1
    assert as_bib(conversation).count("@") == 2
    assert table is not None
    files = comparison_files(table)
    assert files["CSV"][1].splitlines()[0].startswith(",")
    assert "\\begin{tabular}" in files["LaTeX"][1]
    assert files["Markdown"][1].count("\n") == 2 + len(table.rows)


def test_the_commands(seeded_home: Path) -> None:
    run = CliRunner()
    done = run.invoke(main, ["compare", "RSD", "Model Swarms", "--json"])
    table = json.loads(done.stdout)["comparison"]
    assert table["rows"][0]["aspect"] == "problem"
    assert all(len(row["cells"]) == len(table["papers"]) == 2 for row in table["rows"])
    assert run.invoke(main, ["compare", "RSD"]).exit_code == 2
    unknown = run.invoke(main, ["compare", "RSD", "Nobody's Net"])
    assert unknown.exit_code == 1
    assert "Nobody's Net" in unknown.output
    summary = json.loads(run.invoke(main, ["summarize", "KABB", "--json"]).stdout)
    assert 2 <= len(summary["sentences"]) <= 4
    topic = json.loads(run.invoke(main, ["summarize", "differential equations", "--json"]).stdout)
    assert len(topic["sources"]) >= 2
    run.invoke(main, ["ask", "--conversation", "mine", "What is RLTHF?"])
    turn = json.loads(
        run.invoke(main, ["ask", "--conversation", "mine", "--json", "Which datasets was it tested on?"]).stdout
    )
    assert turn["understood"] == "about RLTHF"
    assert turn["question"] == "Which datasets was it tested on?"
    assert "## What is RLTHF?" in run.invoke(main, ["export", "mine", "--format", "md"]).stdout
    assert run.invoke(main, ["export", "mine", "--format", "bib"]).stdout.count("@") == 1
    assert run.invoke(main, ["export", "nothing", "--format", "md"]).exit_code == 1
    talk = run.invoke(main, ["chat"], input="What is RSD?\nWhat about KABB?\n\n")
    assert talk.exit_code == 0
    assert "KABB: Knowledge-Aware" in talk.output


def test_a_damaged_store_is_told(tmp_path: Path) -> None:
    (tmp_path / "conversations.sqlite").write_bytes(b"no database at all, but long enough to look at" * 40)
    with pytest.raises(CitewellError, match="cannot be used"):
        ConversationStore(tmp_path)
