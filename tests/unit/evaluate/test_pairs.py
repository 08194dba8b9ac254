"""The fixed pairs hold what they say."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from deg_core.contract.parsers import decimal_mark, read_span
from deg_core.contract.validate import value_problems
from deg_core.evaluate.benchmarks.pairs import QUICK, Pair, digest, load_pairs
from deg_core.evaluate.predictor import Prediction
from deg_core.evaluate.scoring import score_record
from deg_core.records.check import check_record, value_leaves

PAIRS = load_pairs()
each = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)


@each
def test_a_pair_holds(pair: Pair):
    assert check_record(pair.record) == []
    assert value_problems(pair.schema, pair.record.value) == []
    outcome = score_record(pair.record, pair.plan, Prediction(copy.deepcopy(pair.record.value)))
    assert outcome.valid
    assert all(field.right for field in outcome.fields)
    assert all(array.right for array in outcome.arrays)
    # Every leaf can be scored, so that none is asked for in vain.
    assert len(outcome.fields) + sum(array.counts.gold for array in outcome.arrays) == pair.fields


@each
def test_every_extracted_value_stands_in_the_text(pair: Pair):
    """Also in items, which a record need not mark."""
    record = pair.record
    for pointer, (field, value) in value_leaves(pair.plan, record.value):
        if field.mode.extracts and value is not None:
            start, end = record.spans[pointer]
            mark = decimal_mark(record.context, (start, end))
            assert read_span(field, record.context[start:end], decimal=mark).value == value, pointer


def test_the_set_is_what_the_figures_are_about():
    assert len(PAIRS) == 20
    assert len({pair.record.domain for pair in PAIRS}) == 20
    assert sum(bool(pair.plan.arrays) for pair in PAIRS) == 4
    assert sum(isinstance(pair.context, dict) for pair in PAIRS) == 2
    assert (min(pair.fields for pair in PAIRS), max(pair.fields for pair in PAIRS)) == (3, 40)
    assert sum(pair.fields >= 20 for pair in PAIRS) == 10
    assert all(60 <= pair.words <= 900 for pair in PAIRS)
    modes = {field.mode.value for pair in PAIRS for field in pair.plan.fields}
    assert modes == {
        "decide.choice",
        "decide.noul",
        "decide.score",
        "extract.span",
        "extract.number",
        "extract.date",
    }


def test_a_constant_answer_is_not_right():
    """No option is the right one wherever it stands: neither the first, nor always true or false."""
    first, choices, true, nouls = 0, 0, 0, 0
    for pair in PAIRS:
        for _, (field, value) in value_leaves(pair.plan, pair.record.value):
            if field.mode.value == "decide.choice":
                choices += 1
                first += field.options[0] == value
            elif field.mode.value == "decide.noul":
                nouls += 1
                true += value is True
    assert 0.15 < first / choices < 0.6
    assert 0.15 < true / nouls < 0.6


def test_chosen_pairs():
    assert [pair.name for pair in load_pairs(QUICK)] == list(QUICK)
    assert any(pair.plan.arrays and pair.fields >= 20 for pair in load_pairs(QUICK))
    with pytest.raises(KeyError):
        load_pairs(("no-such-pair",))


def test_the_pairs_have_not_changed():
    """Figures that were published are about these; whoever changes a pair has to measure anew."""
    assert digest() == "f7a054568fbe4d49efd20ae2c81259a536cd5dab1f0c47440b2672b60be047bb"


def test_the_digest_covers_everything(monkeypatch: pytest.MonkeyPatch):
    from deg_core.evaluate.benchmarks import pairs

    assert digest() == digest()
    before, files = digest(), list(pairs._files())
    monkeypatch.setattr(pairs, "_files", lambda: iter(files[1:]))
    assert digest() != before


def test_what_a_tiny_model_answers(tiny_models: Any):
    """Whatever it answers, or refuses for want of a value, is scored."""
    from deg_core.evaluate.predictor import ModelPredictor
    from deg_core.evaluate.runner import run

    outcomes = run([pair.record for pair in load_pairs(QUICK)], ModelPredictor(tiny_models["int8"]))
    assert [outcome.uid for outcome in outcomes] == [f"pairs/{name}" for name in QUICK]
    assert all(outcome.valid or outcome.error == "DEG-C003" for outcome in outcomes)
    assert outcomes[1].arrays
