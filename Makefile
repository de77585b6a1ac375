# `make wall` and `make test` need Python 3.11 or newer with pip and venv, and nothing else installed.
PYTHON := $(or $(shell command -v python3.11),$(shell command -v python3))
CORES := all
BIN := .venv/bin
VECTORS := ../shared/kernels/vectors
INSTALLED := .venv/requirements.lock

.PHONY: wall test validate lint format docs conformance bench lock clean

wall: $(INSTALLED) ## figures, walls.csv and sweep.csv of config.yaml, in results/
	$(BIN)/snakemake --cores $(CORES)

test: $(INSTALLED) ## all tests
	$(BIN)/python -m pytest -n 2

validate: $(INSTALLED) ## the published figures beside simulated ones, in results/validation/
	$(BIN)/snakemake --cores $(CORES) validate

lint: $(INSTALLED) ## all linters; changes nothing
	$(BIN)/pre-commit run --all-files

format: $(INSTALLED) ## bring the sources into the house's form
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/snakefmt Snakefile rules
	$(BIN)/nbstripout --keep-id $(wildcard notebooks/*.ipynb)

docs: $(INSTALLED) ## the parts of docs/ that repeat the sources
	$(BIN)/python -m engine.docs

conformance: $(INSTALLED) ## docs/conformance.md from ../shared/kernels/vectors; a minute and a half
	@test -d $(VECTORS) || { echo '$(VECTORS): missing, it is no part of this repository; `python -m engine conformance tests/data/vectors` replays those that are' >&2; exit 2; }
	$(BIN)/python -m engine.conformance.page $(VECTORS)

bench: $(INSTALLED) ## what the engine costs, beside its targets; some minutes
	$(BIN)/python -m benchmarks.engine

lock: $(INSTALLED) ## newer versions within pyproject.toml
	$(BIN)/pip-compile --upgrade --extra dev --allow-unsafe --strip-extras --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header --no-annotate \
		--output-file requirements.lock pyproject.toml

clean: ## results and machine code; the virtual environment stays
	rm -rf results .numba_cache .snakemake

# A copy of the lock stands for the finished installation: another lock, another installation.
$(INSTALLED): requirements.lock pyproject.toml
	@echo 'installing the packages of requirements.lock into .venv, about a minute'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -qq --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install -qq --no-deps --no-build-isolation --editable .
	cp requirements.lock $@
