# `make demo` and `make test` need Python 3.11 or newer and a C++ compiler; everything else is installed here.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(wildcard cpp/*) CMakeLists.txt pyproject.toml

.PHONY: demo test test-oldest test-bare coverage lint bench clean

demo: $(VENV)/installed
	mkdir -p build
	$(BIN)/entropick demo --report build/demo.html

test: lint
	$(BIN)/python -m pytest -n 2 $(PYTEST)

# With the lowest versions of everything that pyproject.toml allows.
test-oldest: $(VENV)-oldest/installed
	$(VENV)-oldest/bin/python -m pytest -n 2 $(PYTEST)

# Without anything that is not needed: no pandas, no pyarrow, no browser.
test-bare: $(VENV)-bare/installed
	$(VENV)-bare/bin/python -m pytest -n 2 $(PYTEST)

# Which lines of src no test runs.
coverage: $(VENV)/installed-dev
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term $(PYTEST)

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

$(VENV)-oldest/installed: $(SOURCES) requirements/oldest.txt
	$(PYTHON) -m venv $(VENV)-oldest
	$(VENV)-oldest/bin/python -m pip install --quiet --only-binary :all: --requirement requirements/oldest.txt
	$(VENV)-oldest/bin/python -m pip install --quiet --constraint requirements/oldest.txt --editable .
	touch $@

$(VENV)-bare/installed: $(SOURCES)
	$(PYTHON) -m venv $(VENV)-bare
	$(VENV)-bare/bin/python -m pip install --quiet --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-bench $(VENV)-oldest $(VENV)-bare build dist
