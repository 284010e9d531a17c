from __future__ import annotations

import json
from pathlib import Path

import pytest

from citewell.assistant import Assistant
from citewell.evaluation.answers import fault, read_dialogues, score_answers, verbatim
from citewell.events import Delta, Done, Found, Searching
from citewell.refusal import RefusalKind
from citewell.sentence import Support
from tests.data_questions import ANSWERED, REFUSED


@pytest.mark.parametrize(("question", "title", "groups"), ANSWERED)
def test_answered_from_the_right_paper(assistant: Assistant, question: str, title: str, groups: list) -> None:
    answer = assistant.answer(question)
    assert fault({"papers": [title], "min_papers": 1, "contains": groups}, answer) == ""
    assert title in [source.paper.title for source in answer.sources[:2]]
    assert verbatim(answer)


@pytest.mark.parametrize("question", REFUSED)
def test_refused_with_the_nearest_papers_and_no_citations(assistant: Assistant, question: str) -> None:
    answer = assistant.answer(question)
    assert answer.refusal is not None
    # An abstract that does not say it shows what it does state; any other refusal cites nothing.
    stated = [sentence.citations[0].paper_id for sentence in answer.sentences]
    assert stated in ([], [answer.refusal.nearest[0].id])
    assert not stated or answer.refusal.kind is RefusalKind.NOT_STATED
    assert [source.paper.id for source in answer.sources] == stated
    assert 1 <= len(answer.refusal.nearest) <= 3


@pytest.mark.parametrize("text", ["hello", "Thanks!", "what can you do?"])
def test_small_talk_gets_a_short_reply_without_citations(assistant: Assistant, text: str) -> None:
    answer = assistant.answer(text)
    assert answer.refusal is None
    assert len(answer.sentences) == 1
    assert answer.sources == ()


def test_every_sentence_is_a_quote_with_its_citation(assistant: Assistant) -> None:
    for question, _, _ in ANSWERED:
        answer = assistant.answer(question)
        assert 1 <= len(answer.sentences) <= 5
        for sentence in answer.sentences:
            (citation,) = sentence.citations
            assert sentence.text == citation.quote
            assert sentence.support is Support.SUPPORTED
        numbers = [citation.number for sentence in answer.sentences for citation in sentence.citations]
        assert list(dict.fromkeys(numbers)) == list(range(1, len(answer.sources) + 1))


def test_events_come_in_order_and_the_deltas_are_the_answer(assistant: Assistant) -> None:
    from citewell.rendering.markdown import answer_markdown

    events = list(assistant.ask("Which papers work on speculative decoding?"))
    assert isinstance(events[0], Searching)
    assert isinstance(events[1], Found)
    assert isinstance(events[-1], Done)
    assert "".join(event.text for event in events if isinstance(event, Delta)) == answer_markdown(events[-1].answer)
    assert list(events[-1].answer.timings) == [
        "understand", "encode", "dense", "words", "fuse", "evidence", "write", "total",
    ]  # fmt: skip


def test_a_paper_asked_for_by_its_name_is_looked_up_not_searched_for(assistant: Assistant) -> None:
    answer = assistant.answer("What is DexScale?")
    assert list(answer.timings) == ["understand", "names", "evidence", "write", "total"]
    assert [hit.paper.title.partition(":")[0] for hit in answer.hits] == ["DexScale"]


def test_an_empty_library_says_so(settings, embeddings) -> None:
    from citewell.library import Library

    library = Library.open(settings.model_copy(update={"seed": False}), embeddings)
    answer = Assistant(library).answer("What is GenZSL?")
    assert answer.refusal is not None
    assert "empty" in answer.refusal.reason


def test_a_list_that_the_abstract_spreads_over_sentences_is_given_whole(assistant: Assistant) -> None:
    answer = assistant.answer("Which three interventions are called for to advance the safety of GPAI systems?")
    openings = [sentence.text.split(",")[0] for sentence in answer.sentences]
    assert {"First", "Second", "Third"} <= set(openings)


@pytest.mark.shared
def test_the_bar_on_the_seed_questions(assistant: Assistant, shared) -> None:
    dialogues = read_dialogues(shared("data/eval/seed-questions.jsonl"))
    scores = score_answers(assistant, dialogues)
    assert scores.quotes_verbatim
    for kind in ("find", "fact", "explain", "survey", "off-corpus", "not-stated", "chitchat"):
        counts = scores.kinds[kind]
        assert counts["passed"] == counts["turns"], [f for f in scores.failures if f["id"].startswith(kind)]
    for dialogue in dialogues:
        if dialogue["kind"] in ("find", "fact", "explain"):
            (turn,) = dialogue["turns"]
            cited = [source.paper.title for source in assistant.answer(turn["question"]).sources[:2]]
            assert set(turn["papers"]) & set(cited)


@pytest.mark.shared
def test_questions_of_other_fields_are_refused(assistant: Assistant, shared) -> None:
    questions = [json.loads(line)["question"] for line in shared("data/eval/off-corpus.jsonl").read_text().splitlines()]
    answered = [question for question in questions if assistant.answer(question).refusal is None]
    assert len(answered) <= 0.05 * len(questions), answered


def test_a_question_file_with_a_bad_line_names_it(tmp_path: Path) -> None:
    from citewell.errors import CitewellError

    path = tmp_path / "questions.jsonl"
    path.write_text('{"id": "a", "turns": [{"question": "x"}]}\n{"id": "b", "turns": [{}]}\n')
    with pytest.raises(CitewellError, match="Line 2"):
        read_dialogues(path)


def test_a_paper_without_abstract_is_not_answered_from_others(assistant: Assistant, tmp_path: Path) -> None:
    path = tmp_path / "bare.json"
    path.write_text(json.dumps([{"title": "PenguSort: Sorting Penguins by Height on Floating Ice", "year": 2024}]))
    assistant.library.ingest([path])
    for question in ("How does PenguSort work?", "How can penguins be sorted by height on floating ice?"):
        answer = assistant.answer(question)
        assert answer.refusal is not None
        assert "without its abstract" in answer.refusal.reason
        assert answer.refusal.nearest[0].title.startswith("PenguSort")


def test_what_a_thing_is_begins_with_what_it_is(assistant: Assistant, tmp_path: Path) -> None:
    paper = {
        "title": "GLIDE: Training without States",
        "abstract": "Adam needs a lot of memory. We study how gradients are processed before a step. This results in "
        "GLIDE (Gradient Lifting), a stochastic optimizer that keeps no states. Empirically, GLIDE saves half of the "
        "memory of GLIDE's rivals. Furthermore, GLIDE trains twice as fast as Adam.",
    }
    (tmp_path / "glide.json").write_text(json.dumps([paper]))
    assistant.library.ingest([tmp_path / "glide.json"])
    answer = assistant.answer("What is GLIDE?")
    assert answer.sentences[0].text.startswith("This results in GLIDE (Gradient Lifting), a stochastic optimizer")
    assert verbatim(answer)
    for name, verb in (("RLTHF", "we propose RLTHF"), ("Model Swarms", "We propose Model Swarms")):
        assert verb in assistant.answer(f"What is {name}?").sentences[0].text


def test_an_explanation_does_not_begin_with_furthermore(assistant: Assistant, tmp_path: Path) -> None:
    paper = {
        "title": "PLUMB: Sorting Pipes",
        "abstract": "Pipes clog. PLUMB sorts pipes by their width before it cleans them. Furthermore, PLUMB works by "
        "sorting the pipes and PLUMB works by cleaning pipes.",
    }
    (tmp_path / "plumb.json").write_text(json.dumps([paper]))
    assistant.library.ingest([tmp_path / "plumb.json"])
    texts = [sentence.text for sentence in assistant.answer("How does PLUMB work?").sentences]
    assert len(texts) == 2
    assert texts[1].startswith("Furthermore")


def test_a_common_word_is_not_taken_for_an_acronym(assistant: Assistant, tmp_path: Path) -> None:
    from citewell.understanding import understand

    path = tmp_path / "get.json"
    abstract = "We propose Graph Eulerian Transformers (GET), a model that reads graphs as paths. " * 3
    path.write_text(json.dumps([{"title": "Reading Graphs as Paths", "abstract": abstract}]))
    assistant.library.ingest([path])
    assert understand("How does GET read graphs?", assistant.library.snapshot()).named
    assert not understand("How does one get geodesics?", assistant.library.snapshot()).named
