# `make help` lists what there is.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
SHARED := ../shared

.DEFAULT_GOAL := help
.PHONY: help setup check lint test goldens docs bench score

help:  ## Show this list
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

setup: .venv/.installed  ## Make the virtual environment and install all that the project and its tests need

.venv/.installed: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@$(BIN)/python -m compileall -q autoparser_cli  # an installed package is compiled too, a linked one is not
	@touch $@

check: setup lint test  ## Lint, types, floors of imports, tests

lint: setup  ## Lint, types and floors of imports only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: setup  ## Tests only; k=NAME runs those whose name matches
	$(BIN)/pytest -n auto $(if $(k),-k '$(k)')

goldens: setup  ## Write what the fixtures' analyses are now; read the diff before you commit it
	$(BIN)/python -m tests.goldens
	AUTOPARSER_UPDATE_GOLDENS=1 $(BIN)/pytest tests/test_reports_differences.py

docs: setup  ## Write the README's examples and the page of lint rules anew
	$(BIN)/python -m tests.readme_examples
	$(BIN)/autoparser rule --markdown > docs/rules.md

bench: setup  ## Measure parsing, streaming, building and start-up beside what they are compared with
	$(BIN)/python -m benchmarks

score: setup  ## Run all recorded outputs and check all expected analyses: the score
	-$(BIN)/autoparser test $(SHARED)/conformance --format score --known tests/known_disagreements.jsonl
	-$(BIN)/python -m benchmarks.check_expected $(SHARED)/expected/analysis.jsonl --quiet
