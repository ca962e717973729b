# Two commands do it all: `make reproduce` and `make test`. Each makes what it needs first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
TESTING := $(VENV)/testing
# Nothing that is started with it outlives it, however it ends. The shell gives way to it, and so it has make's signals.
ALONE := exec $(BIN)/python -m tests.support.contained

# Without compiled modules every process compiles all that it imports, which takes longer than most tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: reproduce test daily quick costs long test-all prove lint fuzz soak mutate bench docs clean

# `make reproduce FLAT=1` runs Table 6 again on the Verilog that is shipped, and holds it against the stored table.
reproduce: $(INSTALLED)
	$(BIN)/fatcube reproduce $(if $(FLAT),--flat)

# Types are checked beside the tests, and these run in three processes on two cores, as some wait for browsers and lines.
test: $(TESTING)
	$(MAKE) --no-print-directory --jobs=2 lint daily

daily: export FATCUBE_COSTS := build/costs.json
daily: $(TESTING)
	$(ALONE) $(BIN)/python -m pytest -n 3 --dist loadgroup -m "not grid and not long and not prove"

# The processor time of each test that took more than two seconds in the last `make test`, and that of each folder.
costs: $(TESTING)
	$(ALONE) $(BIN)/python -m tests.support.costs

# While working: the tests that are near to what is changed, against HEAD or as in `make quick SINCE=main`.
quick: $(TESTING)
	$(ALONE) $(BIN)/python -m tests.support.quick $(if $(SINCE),--since $(SINCE))

# Further sizes, options and commands for tests of which `make test` has some; `make long PART=3/8` runs an eighth of them.
PART ?= 1/1
long: $(TESTING)
	$(ALONE) $(BIN)/python -m pytest -n 2 --dist loadgroup -m "long and not grid and not prove" --part $(PART)

# Style, imports, formatting, types, complexity, English.
lint: $(TESTING)
	$(ALONE) $(BIN)/ruff check
	$(ALONE) $(BIN)/ruff format --check
	$(ALONE) $(BIN)/python -m tests.support.type_check
	$(ALONE) $(BIN)/python -m tests.support.complexity
	$(ALONE) $(BIN)/python -m tests.support.english

# All that, the long ones, and the whole grid of networks, models and collectives: hours.
test-all: $(TESTING)
	$(ALONE) $(BIN)/python -m pytest -n 2 --dist loadgroup -m "not prove"

# Routers proved without bound; `make test` has what takes seconds.
prove: $(TESTING)
	$(ALONE) $(BIN)/python -m pytest -n 2 -m prove --durations=0

# Bad input of every kind, a quarter of an hour of it.
fuzz: $(TESTING)
	$(ALONE) $(BIN)/python -m tests.support.fuzzing all

# Random traffic, legal and not, through routers of every kind; nothing may be lost.
soak: $(TESTING)
	$(ALONE) $(BIN)/python -m tests.support.soak
	$(ALONE) $(BIN)/python -m tests.support.soak_networks
	$(ALONE) $(BIN)/python -m tests.support.waits

# 300 small errors in the sources of all rooms, each of which a quick test must find, but for 4 %.
mutate: $(TESTING)
	$(ALONE) $(BIN)/python -m tests.support.mutations

# The manual, in build/docs; a warning, a role or a link without a target among them, ends it.
docs: $(TESTING)
	$(ALONE) $(BIN)/python -m sphinx --quiet --nitpicky --fail-on-warning --keep-going --jobs 2 --doctree-dir build/doctrees docs build/docs

# Sizes, times and router figures; see synth_reports/benchmarks.md.
bench: $(INSTALLED)
	$(BIN)/python -m experiments benchmarks
	$(BIN)/python -m experiments flows
	$(BIN)/python -m experiments boards

$(INSTALLED): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "fatcube needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps \
		--config-settings editable_mode=compat --editable .
	touch $@

# What only the tests need, so that the main job need not wait for it.
$(TESTING): $(INSTALLED) requirements-test.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-test.lock
	touch $@

clean:
	rm -rf $(VENV) .fatcube
