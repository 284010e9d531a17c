"""The generative path: a real small model over real HTTP, and a server that fails in every way that servers fail."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from citewell.assistant import Assistant
from citewell.chat import Conversation
from citewell.evaluation.answers import verbatim
from citewell.events import Delta, Done
from citewell.sentence import Support
from citewell.understanding.names import resolve_paper
from tests.llm_server import MODEL

RULES = "about Reward-Guided Speculative Decoding"
KEY = "sk-test-0123456789abcdef"


def assistant_with(library, **options: object) -> Assistant:
    defaults = {"llm": f"openai:{MODEL}", "llm_max_tokens": 60, "max_sources": 1, "llm_timeout": 240}
    return Assistant(library, library.settings.model_copy(update=defaults | options))


@pytest.mark.llm
def test_a_real_model_writes_and_every_sentence_is_checked(library, llm_address: str) -> None:
    assistant = assistant_with(library, llm_base_url=f"{llm_address}/v1")
    events = list(assistant.ask("How many fewer FLOPs does RSD need?"))
    streamed = [event.text for event in events if isinstance(event, Delta)]
    assert isinstance(events[-1], Done)
    answer = events[-1].answer
    assert len(streamed) > 3
    assert answer.raw_text == "".join(streamed)
    assert answer.writer == f"openai:{MODEL}"
    assert not any("instead" in notice.text for notice in answer.notices)
    assert verbatim(answer)
    numbers = {source.number for source in answer.sources}
    for sentence in answer.sentences:
        assert isinstance(sentence.support, Support)
        assert {citation.number for citation in sentence.citations} <= numbers
        assert "[" not in sentence.text


@pytest.mark.llm
def test_stopping_keeps_what_was_written(library, llm_address: str) -> None:
    assistant = assistant_with(library, llm_base_url=f"{llm_address}/v1", llm_max_tokens=200)
    pieces: list[str] = []
    for event in assistant.ask("What is RSD?", stop=lambda: len(pieces) >= 5):
        if isinstance(event, Delta):
            pieces.append(event.text)
        if isinstance(event, Done):
            assert event.answer.raw_text == "".join(pieces)
            assert any("Stopped" in notice.text for notice in event.answer.notices)
    assert len(pieces) <= 6


@pytest.mark.llm
def test_a_real_model_fills_a_table_and_every_cell_is_checked(library, llm_address: str) -> None:
    assistant = assistant_with(library, llm_base_url=f"{llm_address}/v1", llm_max_tokens=160)
    papers = [resolve_paper(name, library.snapshot()) for name in ("RSD", "KABB")]
    answer = assistant.compare(papers, ["approach", "results"])
    plain = Assistant(library).compare(papers, ["approach", "results"])
    assert verbatim(answer)
    assert answer.raw_text, answer.notices
    assert answer.comparison is not None
    assert plain.comparison is not None
    for row, extractive in zip(answer.comparison.rows, plain.comparison.rows, strict=True):
        for cell, own in zip(row.cells, extractive.cells, strict=True):
            assert cell.text == cell.citations[0].quote if cell.citations else cell == own


class _Scripted(GenericFakeChatModel):
    """A model that says what the test wants and cannot do structured output."""

    def with_structured_output(self, *args: Any, **options: Any) -> Any:
        raise NotImplementedError


def scripted(*replies: str) -> _Scripted:
    return _Scripted(messages=iter([AIMessage(reply) for reply in replies]))


def test_cells_of_a_model_must_be_quotes(library) -> None:
    rsd, kabb = (resolve_paper(name, library.snapshot()) for name in ("RSD", "KABB"))
    quote = rsd.abstract[rsd.abstract.index("RSD") :][:80].rsplit(" ", 1)[0]
    good = {
        "quotes": [
            {"aspect": "approach", "quote": quote.upper()},
            {"aspect": "results", "quote": "It is 99 times faster."},
        ]
    }
    model = scripted(f"Here you are:\n```json\n{json.dumps(good)}\n```", "I cannot do that.")
    answer = Assistant(library, model=model).compare([rsd, kabb], ["approach", "results"])
    plain = Assistant(library).compare([rsd, kabb], ["approach", "results"])
    assert answer.comparison is not None
    assert plain.comparison is not None
    approach, results = answer.comparison.rows
    # The model's quote is taken as the abstract writes it; the invented one and the missing ones fall back.
    assert quote in approach.cells[0].text
    assert approach.cells[0].text != plain.comparison.rows[0].cells[0].text
    assert results.cells[0] == plain.comparison.rows[1].cells[0]
    assert approach.cells[1] == plain.comparison.rows[0].cells[1]
    assert any("1 of 2 quotes" in notice.text for notice in answer.notices)
    assert verbatim(answer)


@pytest.mark.parametrize(
    ("reply", "note"),
    [
        ("How many FLOPs does RSD save?", "“How many FLOPs does RSD save?”"),
        ("How many FLOPs does KABB save?", RULES),  # another paper
        ("What is the weather in Rome?", RULES),  # another question
        ("How many FLOPs does FooNetX's RSD save?", RULES),  # a strange name
        ("", RULES),
    ],
)
def test_a_model_rewrites_follow_ups_under_the_rules_eyes(library, reply: str, note: str) -> None:
    conversation = Conversation()
    conversation.answer("What is RSD?", Assistant(library))
    model = scripted(reply, "RSD needs up to 4.4x fewer FLOPs [1].")
    turn = conversation.answer("How many FLOPs does it save?", Assistant(library, model=model))
    assert turn.note == note
    assert [source.paper.title[:13] for source in turn.answer.sources] == ["Reward-Guided"]


def test_a_question_of_its_own_costs_no_rewriting(library) -> None:
    conversation = Conversation()
    conversation.answer("What is RSD?", Assistant(library))
    model = scripted("KABB coordinates experts [1].")
    turn = conversation.answer("What is KABB?", Assistant(library, model=model))
    assert turn.note == ""
    assert turn.answer.raw_text == "KABB coordinates experts [1]."


def test_no_evidence_no_call(library) -> None:
    assistant = assistant_with(library, llm_base_url="http://127.0.0.1:9/v1")
    answer = assistant.answer("What is the capital of France?")
    assert answer.refusal is not None
    assert answer.notices == ()


class _Handler(http.server.BaseHTTPRequestHandler):
    """Answers as `server.script` says; counts the calls."""

    def do_POST(self) -> None:
        self.server.calls += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.script(self)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def faulty() -> Iterator[http.server.ThreadingHTTPServer]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.calls = 0
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


def fails_with(status: int, message: str = "no"):
    def script(handler: _Handler) -> None:
        body = json.dumps({"error": {"message": message}}).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return script


def streams(*texts: str, break_off: bool = False):
    def script(handler: _Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        if break_off:
            handler.send_header("Content-Length", "100000")
        handler.end_headers()
        for text in texts:
            chunk = {
                "id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m",
                "choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}],
            }  # fmt: skip
            handler.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            handler.wfile.flush()
        if not break_off:
            handler.wfile.write(b"data: [DONE]\n\n")
        handler.close_connection = True

    return script


def hangs(handler: _Handler) -> None:
    time.sleep(3)
    fails_with(200)(handler)


def ask_faulty(library, server, script, **options: object):
    server.script = script
    base = f"http://127.0.0.1:{server.server_address[1]}/v1"
    return assistant_with(library, llm_base_url=base, llm_api_key=_secret(), **options).answer("What is RSD?")


def _secret():
    from pydantic import SecretStr

    return SecretStr(KEY)


@pytest.mark.parametrize(
    ("script", "words", "calls"),
    [
        (fails_with(401, f"Incorrect API key provided: {KEY}"), "key for openai", 1),
        (fails_with(404), "does not know the model", 1),
        (fails_with(429), "rate limit", 3),
        (fails_with(500), "failed with error 500", 3),
        (streams("The paper ", break_off=True), "broke off", 1),
        (streams(), "wrote nothing", 1),
    ],
)
def test_each_failure_gives_one_plain_message_and_the_quotes(library, faulty, caplog, script, words, calls) -> None:
    answer = ask_faulty(library, faulty, script)
    assert answer.writer == "extractive"
    assert answer.sources[0].paper.title.startswith("Reward-Guided")
    (notice,) = answer.notices
    assert words in notice.text
    assert faulty.calls == calls
    assert KEY not in notice.text + caplog.text


def test_a_server_that_does_not_answer_in_time(library, faulty) -> None:
    answer = ask_faulty(library, faulty, hangs, llm_timeout=0.2)
    assert answer.writer == "extractive"
    assert "did not answer within 0.2 seconds" in answer.notices[0].text


def test_a_server_that_is_not_there(library) -> None:
    answer = assistant_with(library, llm_base_url="http://127.0.0.1:9/v1").answer("What is RSD?")
    assert answer.writer == "extractive"
    assert "cannot be reached at http://127.0.0.1:9/v1" in answer.notices[0].text


def test_markers_are_resolved_against_this_turns_sources_only(library, faulty) -> None:
    text = (
        "RSD combines a lightweight draft model with a more powerful target model [1]. "
        "It uses up to 4.4X fewer FLOPs than decoding with the target model only [9]. See [this](https://evil.example) for 7.7X more [1]."
    )
    answer = ask_faulty(library, faulty, streams(*text.split(" ")[0:1], text[3:]), max_sources=2)
    first, second, third = answer.sentences
    assert first.support is Support.SUPPORTED
    assert [citation.number for citation in first.citations] == [1]
    # The marker pointed nowhere, but the sentence is backed: it gets the citation that it should have had.
    assert [citation.number for citation in second.citations] == [1]
    assert "4.4X fewer FLOPs" in second.citations[0].quote
    assert third.support is Support.UNSUPPORTED
    assert "evil" not in "".join(sentence.text for sentence in answer.sentences)
    assert any("pointed to no source" in notice.text for notice in answer.notices)
    assert verbatim(answer)


def test_a_model_that_says_it_is_not_there_is_a_refusal(library, faulty) -> None:
    from citewell.wording import NOT_IN_LIBRARY

    answer = ask_faulty(library, faulty, streams(NOT_IN_LIBRARY))
    assert answer.refusal is not None
    assert answer.refusal.nearest


def test_a_loop_is_cut_and_said(library, faulty) -> None:
    sentence = "RSD combines a lightweight draft model with a more powerful target model [1]. "
    answer = ask_faulty(library, faulty, streams(*[sentence] * 30))
    assert len(answer.sentences) == 1
    assert any("repeated" in notice.text for notice in answer.notices)
    assert answer.raw_text.count("lightweight") <= 4
