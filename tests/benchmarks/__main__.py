"""Runs every benchmark and prints its figures."""

from __future__ import annotations

from tests.benchmarks import dialogues, model_report, refusals, retrieval, speed

if __name__ == "__main__":
    speed.main()
    retrieval.main()
    refusals.main()
    dialogues.main()
    model_report.main()
