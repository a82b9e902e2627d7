# `make demo` and `make test` each take a fresh clone to a finished result: they need only
# Python 3.11-3.13, make and a package registry.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# Wheels only: nothing is compiled on the user's machine, and the pins cover the build tools too.
PIP    := PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python -m pip install --quiet \
          --disable-pip-version-check --only-binary :all:

# Without bytecode every command that a test starts compiles touchline anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint lint-js check-js bench bench-seasons fuzz mutants docs model results wheel-check release-check lock sbom system clean

demo: $(VENV)/demo.stamp
	$(BIN)/touchline demo

test: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n 3 --dist worksteal

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --config pyproject.toml

# The JavaScript of the report and the server's pages, which are one folder in the browser: lint, and
# types by its JSDoc and the Python records. It needs Node.js, which nothing else does.
lint-js:
	@if command -v npx >/dev/null 2>&1; then $(MAKE) --no-print-directory check-js; \
	else echo 'lint-js: skipped, npx (Node.js) is not installed'; fi

check-js:
	npx --yes @biomejs/biome@2.6.6 lint --error-on-warnings
	rm -rf build/js && mkdir -p build/js/report
	cp src/touchline/web/page/*.js build/js
	cp src/touchline/report/assets/*.js build/js/report
	npx --yes --package typescript@5.9.3 tsc --project js

bench: $(VENV)/bench.stamp
	$(BIN)/python -m benchmarks
	$(BIN)/python docs/results.py

# What takes long: seasons, archives in object storage, clusters. Half an hour of two cores.
bench-seasons: $(VENV)/bench.stamp
	$(BIN)/python -m benchmarks --seasons
	$(BIN)/python docs/results.py

# What takes longer than the tests should: those marked so, more kills, every page in every form.
system: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n 2 --dist worksteal -m system
	TOUCHLINE_KILLS=50 $(BIN)/python -m pytest tests/web/test_killed.py
	TOUCHLINE_KILLS=10 $(BIN)/python -m pytest tests/pipeline/runs
	TOUCHLINE_FORMS=all $(BIN)/python -m pytest tests/web/page/test_states.py tests/report/test_findings.py

# The wheel and the sdist as a user installs them, from the package registry, each in an environment
# of its own. The sdist is built into a wheel, which needs hatchling.
wheel-check: $(VENV)/dev.stamp
	rm -rf build/wheel && mkdir -p build/wheel/sdist
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheel .
	$(BIN)/python -m hatchling build --target sdist --directory $(CURDIR)/build/wheel/sdist
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheel/sdist build/wheel/sdist/*.tar.gz
	for made in wheel wheel/sdist; do \
	  $(PYTHON) -m venv build/$$made/venv && \
	  build/$$made/venv/bin/pip install --quiet --only-binary :all: --constraint constraints.txt build/$$made/*.whl && \
	  (cd build/$$made && venv/bin/touchline demo) || exit 1; \
	done

# What must be true of a commit that is released; one line for each item. Needs TOUCHLINE_DATA.
release-check: $(VENV)/dev.stamp
	$(BIN)/python -m docs.release_check

# Tools of the supply chain, in an environment of their own.
build/tools/bin/uv:
	$(PYTHON) -m venv build/tools
	build/tools/bin/pip install --quiet uv cyclonedx-bom

# Run-time dependencies with hashes, for `pip install --require-hashes -r requirements.lock`.
lock: build/tools/bin/uv
	build/tools/bin/python docs/lock.py build/tools/bin/uv

# What touchline runs with, as CycloneDX JSON: `pip-audit -r requirements.lock` reads the same pins.
sbom: build/tools/bin/uv
	build/tools/bin/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml \
	  --output-format JSON --output-file build/sbom.json
	@echo 'build/sbom.json'

# Damaged files for every reader; real ones too where TOUCHLINE_DATA points to them.
fuzz: $(VENV)/dev.stamp
	$(BIN)/python -m fuzzing --inputs 100000

# Mistakes that tests must notice, each put into a copy of the package: a quarter of an hour of a core.
mutants: $(VENV)/dev.stamp
	$(BIN)/python -m mutants

docs: $(VENV)/dev.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo 'open site/index.html'

# The models that `align` uses when it is given none: one for each kind of text. That of live text
# has a layer learned from labels, which `chains:unlabelled` leaves out; nothing else depends on it.
model: $(VENV)/dev.stamp
	$(BIN)/touchline fit $(TOUCHLINE_DATA)/epl-2015 -o src/touchline/methods/chains/bundled/live-text.npz --set min_matches=2 --labels
	$(BIN)/touchline fit $(TOUCHLINE_DATA)/epl-2015 -o src/touchline/methods/chains/bundled/templated.npz --set min_matches=2 --track bbc
	$(BIN)/python -m touchline.pipeline.fit_speech \
	  $(TOUCHLINE_DATA)/radio-2018=src/touchline/methods/chains/bundled/speech-radio.npz \
	  $(TOUCHLINE_DATA)/tv-2015=src/touchline/methods/chains/bundled/speech-tv.npz
	$(BIN)/python -m touchline.pipeline.fit_phases $(TOUCHLINE_DATA)/tv-2015 $(TOUCHLINE_DATA)/radio-2018 src/touchline/methods/chains/bundled/phases.json
	$(BIN)/python -m touchline.generation.selection.fit $(TOUCHLINE_DATA)/epl-2015 $(TOUCHLINE_DATA)/robocup \
	  src/touchline/generation/selection/bundled

# The paper's tables, and those of the docs' pages that have one: needs TOUCHLINE_DATA. Goes on where it stopped; only what a change of code or
# data touches is run again.
results: $(VENV)/dev.stamp
	$(BIN)/touchline reproduce robocup --readings --json docs/results/robocup.json
	$(BIN)/touchline reproduce pro --json docs/results/pro.json
	$(BIN)/python -m benchmarks.measured --jobs 2
	$(BIN)/python docs/results.py

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; ok = (3, 11) <= sys.version_info[:2] <= (3, 13); sys.exit(0 if ok else "touchline needs Python 3.11-3.13, this is " + sys.version.split()[0] + "; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	@touch $@

$(VENV)/bench.stamp: $(VENV)/dev.stamp
	$(PIP) --editable '.[dev,bench]'
	@touch $@

clean:
	rm -rf $(VENV) build dist site touchline-demo touchline-reproduce
