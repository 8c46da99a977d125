# Python to make the environments with; another one with `make test PYTHON=python3.12`.
PYTHON ?= python3
VENV := .venv
DEMO := .venv-demo
BIN := $(VENV)/bin

.PHONY: setup test lint types demo bench clean

setup: $(VENV)/installed

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[test]'
	touch $@

test: setup
	$(BIN)/pytest -n auto

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: setup
	$(BIN)/mypy

# A patch to print is exit code 1, as with diff.
demo:
	$(PYTHON) -m venv $(DEMO)
	$(DEMO)/bin/pip install --quiet .
	$(DEMO)/bin/paged-attention-migrate rewrite --diff examples/serving-backend || test $$? -eq 1

bench: setup
	for script in benchmarks/*.py; do $(BIN)/python $$script || exit 1; done

clean:
	rm -rf $(VENV) $(DEMO) dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
