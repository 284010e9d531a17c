"""Runs every benchmark and prints its figures."""

from __future__ import annotations

from tests.benchmarks import speed

if __name__ == "__main__":
    speed.main()
