"""Temperature and null bias of whole-span scores: known ones are found again."""

from __future__ import annotations

import numpy as np
import pytest

from deg_core.evaluate.calibration import FEWEST, Gathered, calibrate
from deg_core.evaluate.span_fit import SpanRows, fit_spans


def drawn(temperature: float, bias: float, *, rows: int = 800, missed: float = 0.0, seed: int = 0) -> SpanRows:
    """Rows whose right outcome is drawn from softmax((scores + null's bias) / temperature), and sometimes hidden."""
    generator = np.random.default_rng(seed)
    made = SpanRows()
    for _ in range(rows):
        scores = generator.normal(0, 3, generator.integers(2, 9))
        raised = scores / temperature
        raised[-1] += bias / temperature
        weights = np.exp(raised - raised.max())
        right = int(generator.choice(len(scores), p=weights / weights.sum()))
        made.add(scores.tolist(), [] if generator.random() < missed else [right])
    return made


@pytest.mark.parametrize(("temperature", "bias"), [(1.0, 0.0), (0.5, 3.0), (2.0, -4.0)])
def test_known_ones_are_found(temperature: float, bias: float):
    found = fit_spans(drawn(temperature, bias))
    assert found.temperature == pytest.approx(temperature, rel=0.2)
    assert found.bias == pytest.approx(bias, abs=0.8)
    assert found.after[0] <= found.before[0]
    assert found.after[1] < 0.08
    assert (found.missed, found.at_bound) == (0, False)


def test_the_minimum_is_one():
    rows = drawn(1.4, 1.0, rows=300)
    found, packed = fit_spans(rows), rows.packed()
    for t, b in ((1.02, 0.0), (0.98, 0.0), (1.0, 0.05), (1.0, -0.05)):
        assert found.after[0] <= packed.nll(found.temperature * t, found.bias + b) + 1e-6


def test_likelihoods_by_hand():
    rows = SpanRows()
    rows.add([0.0, 0.0, 0.0], [0, 1])
    rows.add([0.0], [0])  # nothing but null
    rows.add([1.0, 0.0], [])  # the search missed it
    p = 1 / (1 + np.exp(-1))
    assert rows.packed().nll(1.0, 0.0) == pytest.approx(-(np.log(2 / 3) + np.log(1 - p)) / 3)
    assert rows.packed().error(1.0, 0.0) == pytest.approx(
        abs(np.mean([1 / 3, 1.0, p]) - 2 / 3), abs=0.5
    )  # bins, but bounded
    raised = rows.packed().probabilities(2.0, 4.0)
    assert raised[0] == pytest.approx(np.array([np.e**2, 1, 1]) / (np.e**2 + 2))


def test_rows_that_were_missed_keep_the_model_from_being_sure():
    sure, unsure = fit_spans(drawn(1.0, 0.0, missed=0.0)), fit_spans(drawn(1.0, 0.0, missed=0.5))
    assert unsure.temperature > sure.temperature
    assert 300 < unsure.missed < 500


def test_few_rows_are_not_fitted():
    few, many = drawn(1.0, 0.0, rows=FEWEST - 1), drawn(0.5, 2.0, rows=FEWEST)
    fits = calibrate(Gathered(spans={"few": few, "many": many}), {"many": 3.0})
    assert set(fits) == {"many"}
    assert fits["many"].old == 3.0
    assert fits["many"].as_dict()["null_bias"] == fits["many"].null_bias
