"""What the small language model of the tests writes to the seed questions, and which of its numbers are caught.

Prints a report; nothing in it is checked here, the tests do that.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from citewell.assistant import Assistant
from citewell.library import Library
from citewell.sentence import Support
from citewell.settings import load_settings
from citewell.text.numbers import holds_number, numbers_in
from tests.conftest import SHARED
from tests.llm_server import MODEL

KINDS = ("find", "fact", "explain")


def main() -> None:
    path = SHARED / "data/eval/seed-questions.jsonl"
    if not path.exists():
        print("left out: its data is not on this machine")
        return
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    questions = [turn["question"] for row in rows if row["kind"] in KINDS for turn in row["turns"]]
    server = subprocess.Popen([sys.executable, "-m", "tests.llm_server"], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        address = server.stdout.readline().strip()
        report(questions, address)
    finally:
        server.kill()


def report(questions: list[str], address: str) -> None:
    """Ask every question and print what became of each sentence."""
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings(
            home=Path(home), llm=f"openai:{MODEL}", llm_base_url=address, llm_api_key="none", llm_max_tokens=80,
            max_sources=3,
        )  # fmt: skip
        library = Library.open(settings)
        assistant = Assistant(library, settings)
        wrong = caught = dangling = 0
        for question in questions:
            answer = assistant.answer(question)
            numbers = {source.number for source in answer.sources}
            dangling += sum(c.number not in numbers for s in answer.sentences for c in s.citations)
            print(f"\n{question}\n  writer: {answer.writer}, supported: {answer.supported}, notices: {answer.notices}")
            texts = [f"{hit.paper.title} {hit.paper.abstract}" for hit in answer.hits]
            written = answer.draft or (answer.sentences if answer.writer != "extractive" else ())
            for sentence in written:
                print(f"  [{sentence.support}] {sentence.text} {sentence.reason and f'({sentence.reason})'}")
                made_up = [n.text for n in numbers_in(sentence.text) if not any(holds_number(n, t) for t in texts)]
                if made_up:
                    wrong += 1
                    caught += sentence.support in (Support.UNSUPPORTED, Support.UNCITED)
                    print(f"      numbers in no abstract: {', '.join(made_up)}")
        library.close()
    print(f"\nmarkers to nowhere: {dangling}; sentences with a number in no abstract: {wrong}, flagged: {caught}")


if __name__ == "__main__":
    main()
