# `make demo` and `make test` need Python 3.11 or newer and a C++ compiler; everything else is installed here.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(wildcard cpp/*) CMakeLists.txt pyproject.toml

.PHONY: demo test lint bench clean

demo: $(VENV)/installed
	mkdir -p build
	$(BIN)/entropick demo --report build/demo.html

test: lint
	$(BIN)/python -m pytest -n 2 $(PYTEST)

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The paper's tables are looked for in ENTROPICK_DATA; the other packages have a place of their own.
bench: $(VENV)-bench/installed
	$(VENV)-bench/bin/python benchmarks/speed.py

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "entropick needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

# Editable: changes of Python files need no new install, changes of C++ files do.
$(VENV)/installed: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/installed

$(VENV)-bench/installed: $(SOURCES) $(shell find src -name '*.py')
	$(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install --quiet '.[bench]'
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-bench build dist
