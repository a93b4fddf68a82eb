# mailgym: everything a user or a developer does, from a fresh clone with Python >= 3.11 and pip alone.
#
#   make demo    set up, fetch the embedded model, train and compare: the main job, end to end
#   make test    the tests that need pip alone, with coverage      make check   format, lint, types, layers, docs

SHELL := /bin/bash
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# OpenEnv and the serve extra want different versions of the package mcp, so its tests have an environment of their own.
OPENENV_VENV ?= .venv-openenv
OPENENV_INSTALLED := $(OPENENV_VENV)/.installed
WORKERS ?= 2
# PIP_ARGS goes to the installation alone: another index for torch, a mirror, a proxy.
PIP_ARGS ?=

# Threads that spin while they wait cost most on shared cores; libgomp reads this when torch is loaded.
export OMP_WAIT_POLICY ?= PASSIVE
export GOMP_SPINCOUNT ?= 0

.DEFAULT_GOAL := help
.PHONY: help setup demo model test test-unit test-system test-openenv check-real soak check format docs bench bench-mail lock clean

help: ## Say what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

# $(call install,ENVIRONMENT,LOCK): make a virtual environment with what a lock pins, and mailgym itself.
define install
@if $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
  test -x $(1)/bin/pip || $(PYTHON) -m venv $(1); \
elif $(PYTHON) -m pip --version >/dev/null 2>&1; then \
  $(PYTHON) -m venv --without-pip $(1) && $(PYTHON) -m pip --python $(1)/bin/python install -q pip; \
else \
  echo "Python has neither ensurepip nor pip: apt-get install python3-venv python3-pip"; exit 1; \
fi
$(1)/bin/python -m pip install --disable-pip-version-check -q $(PIP_ARGS) -r $(2)
$(1)/bin/python -m pip install --disable-pip-version-check -q --no-deps --no-build-isolation -e .
endef

setup: $(INSTALLED) ## Make .venv with the locked dependencies and mailgym itself

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "mailgym needs Python 3.11 or later: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(call install,$(VENV),requirements.lock)
	@touch $@

model: setup ## Fetch the embedded model (about a minute, once)
	$(BIN)/mailgym model fetch

demo: model ## The main job: train a model to find mail, and show what it gained
	$(BIN)/mailgym demo $(ARGS)

test: model ## All tests that need pip alone, with coverage (fails under 90 %)
	$(BIN)/python -m pytest -n $(WORKERS) --cov --cov-report=term $(ARGS)

test-unit: setup ## The same tests without coverage: make test-unit ARGS=tests/mail
	$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

test-system: setup ## Tests that need Debian packages: chromium, dovecot-imapd
	@command -v chromium >/dev/null || { echo "make test-system needs chromium: apt-get install chromium"; exit 1; }
	@PATH="$$PATH:/usr/sbin" command -v dovecot >/dev/null || \
	  { echo "make test-system needs dovecot: apt-get install dovecot-imapd"; exit 1; }
	$(BIN)/python -m pytest -m system $(ARGS)

test-openenv: $(OPENENV_INSTALLED) ## Tests with OpenEnv's own clients and validator, in an environment of their own
	$(OPENENV_VENV)/bin/python -m pytest -m openenv -o filterwarnings=default tests/openenv $(ARGS)

$(OPENENV_INSTALLED): requirements-openenv.lock pyproject.toml
	$(call install,$(OPENENV_VENV),requirements-openenv.lock)
	@touch $@

check-real: setup ## Parse the real and hard mail in MAILGYM_REAL_DATA (else ../shared/data), and compare with what others read
	$(BIN)/python scripts/check_real.py "$(or $(MAILGYM_REAL_DATA),../shared/data)" $(ARGS)

soak: model ## Tests that take longer than CI can wait
	$(BIN)/python -m pytest -m soak $(ARGS) || { code=$$?; test $$code = 5 && echo "no test is that long yet"; }

check: setup ## Format, lint, types, layers, docs in step with the code
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/check_docs.py

format: setup ## Mend what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: setup ## Write docs/cli.md from the command line itself
	$(BIN)/python scripts/check_docs.py --write

bench: model ## Measure an update beside TRL's
	$(BIN)/python benchmarks/update.py $(ARGS)

bench-mail: setup ## Measure import, memory and search: make bench-mail MBOXES=FOLDER WORK=FOLDER (of .mbox or .mbox.xz files)
	@test -n "$(MBOXES)" -a -n "$(WORK)" || { echo "make bench-mail needs MBOXES=FOLDER and WORK=FOLDER (2 GB)"; exit 1; }
	$(BIN)/python benchmarks/ingest.py --mboxes $(MBOXES) --scratch $(WORK) $(ARGS)
	$(BIN)/python benchmarks/import_memory.py --mboxes $(MBOXES) --scratch $(WORK) $(ARGS)
	$(BIN)/python benchmarks/search.py --mboxes $(MBOXES) --work $(WORK)/search $(ARGS)

lock: ## Resolve the newest versions in a clean environment and write requirements.lock
	PYTHON=$(PYTHON) scripts/write_lock.sh

clean: ## Remove what was built; runs, stores and the cache stay
	rm -rf $(VENV) $(OPENENV_VENV) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -type d -not -path './.git/*' -exec rm -rf {} +
