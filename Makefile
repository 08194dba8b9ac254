# make demo        install into .venv, fetch the weights, fill an invoice
# make test        the tests
# make lint        ruff, mypy, import-linter
# make checkpoint  rebuild the embedded checkpoint from the data in DATA
# make clean       remove .venv and what the targets left behind

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := .make
PYTEST_ARGS ?= -n 2

# make checkpoint
DATA ?= data
RUN ?= runs/embedded
SEED ?= 17
RECORDS := $(RUN)/records
GENERATED ?= 40000
CONVERT_ARGS ?=
TRAIN_ARGS ?=

.PHONY: help demo test lint checkpoint clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

# The stamp is newer than what decides the install; a change of either installs again.
$(STAMPS)/venv: pyproject.toml constraints.txt
	@mkdir -p $(STAMPS)
	@$(PYTHON) -c 'import sys; sys.exit("deg needs Python 3.11 or newer, found " + sys.version.split()[0] + "; set PYTHON=" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev,serve]'
	@touch $@

$(STAMPS)/weights: $(STAMPS)/venv deg_backbones/smollm2/fetch.py
	$(BIN)/deg models pull embedded
	@touch $@

demo: $(STAMPS)/weights
	$(BIN)/deg fill examples/invoice.txt --schema examples/invoice.schema.json --format table

# pull is asked each time: the stamp cannot know that a cache was emptied, and a full cache answers at once.
test: $(STAMPS)/venv
	$(BIN)/deg models pull embedded
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(STAMPS)/venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

checkpoint: $(STAMPS)/weights
	$(BIN)/python -m deg_core.datagen.convert --data $(DATA) --out $(RECORDS) $(CONVERT_ARGS)
	$(BIN)/python -m deg_core.datagen.generate --count $(GENERATED) --seed $(SEED) --out $(RECORDS)/generated.jsonl.gz
	$(BIN)/deg train $$(printf -- '--records %s ' $(RECORDS)/*.jsonl.gz) --out $(RUN) --seed $(SEED) $(TRAIN_ARGS)
	newest=$$(ls -d $(RUN)/step-* | sort -V | tail -n 1); \
	$(BIN)/deg calibrate --ckpt $$newest $$(printf -- '--records %s ' $(RECORDS)/*.jsonl.gz); \
	$(BIN)/deg evaluate --ckpt $$newest $$(printf -- '--records %s ' $(RECORDS)/*.jsonl.gz) --out $(RUN)/report.json

clean:
	rm -rf $(VENV) $(STAMPS)
