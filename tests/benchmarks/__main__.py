"""Runs every benchmark and prints its figures."""

from __future__ import annotations

from tests.benchmarks import dialogues, model_report, refusals, retrieval, screens, speed

if __name__ == "__main__":
    speed.main()
    screens.main()
    retrieval.main()
    refusals.main()
    dialogues.main()
    model_report.main()
