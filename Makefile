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
GENERATED ?= 5000
HELD_OUT ?= 300
FORMS := invoice receipt support job_ad
LISTS := invoice receipt order_confirmation shipping_notice statement cv meeting booking product_listing event
STEPS ?= 3000
CONVERT_ARGS ?=
TRAIN_ARGS ?= --lr-adapters 3.5e-4 --decay-frac 0.85
# Starts of spans found from their ends (docs/decisions/0003-linked-spans.md).
HEADS := --head extract.span=extract-linked --head extract.number=extract-linked --head extract.date=extract-linked
# Weights of the losses: the count's teaches the trunk little but noise (docs/decisions/0002-training-on-two-cores.md).
LOSSES := --kind-weight noul=3 --kind-weight extract=2.8 --kind-weight count=0.1 --kind-weight anchor=0.4
# Sources and their weights: what the shipped checkpoint was trained on.
MIX := authored:11 generated:7 generated_main:42 generated_invoice:22 generated_rows:14 generated_arrays:6 wikitables:1.2 \
  grobid_lists:1 ingredients_lists:1 mams_terms:0.6 taskmaster4:0.6 restaurant8k:2 hwu64:2.5 sgd:2 multidogo:1.5 \
  ae110k:1.2 usaddress:1 grobid:1.5 e2e:1.5 squad2:1 banking77:1 clinc150:1 boolq:0.8 sms_spam:0.3 emobank:0.5 \
  policyqa:0.4 probablepeople:0.6 qed_nq:0.4 strategyqa:0.4 legalbench_train:0.3 mams_absa:0.4 ingredients:0.8 \
  complex_lcp:0.3 toxic_tweets:0.3

.PHONY: help demo test lint checkpoint clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

# The stamp is newer than what decides the install; a change of either installs again.
$(STAMPS)/venv: pyproject.toml constraints.txt $(wildcard deg_core/kernels/native/src/*)
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
	$(BIN)/python -m deg_core.datagen.generate --count $(GENERATED) --seed 11 --out $(RECORDS)/generated.jsonl.gz
	$(BIN)/python -m deg_core.datagen.generate --count $(GENERATED) --seed 12 --kinds $(FORMS) \
	  --out $(RECORDS)/generated_main.jsonl.gz
	$(BIN)/python -m deg_core.datagen.generate --count $(GENERATED) --seed 14 --kinds invoice \
	  --out $(RECORDS)/generated_invoice.jsonl.gz
	$(BIN)/python -m deg_core.datagen.generate --count $(GENERATED) --seed 15 --arrays none --layout table_row \
	  --kinds invoice receipt invoice job_ad invoice support --out $(RECORDS)/generated_rows.jsonl.gz
	$(BIN)/python -m deg_core.datagen.generate --count $(GENERATED) --seed 41 --arrays only --kinds $(LISTS) \
	  --out $(RECORDS)/generated_arrays.jsonl.gz
	$(BIN)/python -m deg_core.datagen.generate --count $(HELD_OUT) --seed 8 --split test --arrays none \
	  --kinds $(FORMS) --out $(RECORDS)/heldout/layouts.jsonl.gz
	$(BIN)/python -m deg_core.datagen.generate --count $(HELD_OUT) --seed 8 --split test --arrays only \
	  --kinds $(LISTS) --out $(RECORDS)/heldout/arrays.jsonl.gz
	$(BIN)/deg train $(foreach source,$(MIX),--records $(RECORDS)/$(subst :,.jsonl.gz:,$(source))) \
	  --out $(RUN) --seed $(SEED) --steps $(STEPS) $(HEADS) $(LOSSES) $(TRAIN_ARGS)
	newest=$$(ls -d $(RUN)/step-* | sort -V | tail -n 1); \
	$(BIN)/deg calibrate --ckpt $$newest --records $(RECORDS) --out $(RUN)/calibrated; \
	$(BIN)/deg evaluate --ckpt $(RUN)/calibrated --records $(RECORDS) --limit 40 --out $(RUN)/report.json \
	  --markdown $(RUN)/report.md

clean:
	rm -rf $(VENV) $(STAMPS)
