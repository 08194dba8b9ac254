"""Temperature and null bias of heads that score whole spans (``SpanScores``), fitted together by likelihood.

A row is what such a head gave for one field: scores of the spans that its search came to, then that of null. The bias
is added to null's score, the temperature divides all (Guo et al. 2017, arXiv:1706.04599, with a bias for one outcome).
Where the search did not come to the right span, all that is known is that the likeliest outcome is wrong; such a row
counts with the probability that the model gave to that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deg_core.evaluate.metrics import calibration_error

LOWEST, HIGHEST = 0.05, 20.0
BIAS: Final = 12.0  # nats to either side that are searched
_TEMPERATURES, _BIASES = 25, 49
_ROUNDS: Final = 4  # of a grid that shrinks around the best point
_LEAST: Final = 1e-6  # a probability that nothing falls under


class SpanRows:
    """Rows of one head kind, padded to one length in float64."""

    def __init__(self) -> None:
        self._scores: list[NDArray[np.float64]] = []
        self._right: list[frozenset[int]] = []

    def __len__(self) -> int:
        return len(self._scores)

    def add(self, scores: Sequence[float], right: Collection[int]) -> None:
        """One row: scores with null last, and the indices of the outcomes that are right; none if the search missed
        them."""
        self._scores.append(np.asarray(scores, dtype=np.float64))
        self._right.append(frozenset(right))

    def packed(self) -> _Packed:
        """All rows, null first, minus infinity behind the spans of the shorter ones."""
        width = max(map(len, self._scores))
        scores = np.full((len(self), width), -np.inf)
        right = np.zeros((len(self), width), dtype=np.bool_)
        for row, (values, marked) in enumerate(zip(self._scores, self._right, strict=True)):
            scores[row, : len(values)] = np.roll(values, 1)
            right[row, [(index + 1) % len(values) for index in marked]] = True
        return _Packed(scores, right)


@dataclass(frozen=True, slots=True)
class _Packed:
    scores: NDArray[np.float64]
    right: NDArray[np.bool_]

    def probabilities(self, temperature: float, bias: float) -> NDArray[np.float64]:
        scaled = self.scores / temperature
        scaled[:, 0] += bias / temperature
        weights = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def nll(self, temperature: float, bias: float) -> float:
        """Mean negative log-likelihood (nats)."""
        p = self.probabilities(temperature, bias)
        known = np.where(self.right.any(axis=1), (p * self.right).sum(axis=1), 1 - p.max(axis=1))
        return float(-np.log(np.maximum(known, _LEAST)).mean())

    def error(self, temperature: float, bias: float) -> float:
        """Expected calibration error of the likeliest outcome."""
        p = self.probabilities(temperature, bias)
        top = p.argmax(axis=1)
        rows = np.arange(len(p))
        return calibration_error(p[rows, top], self.right[rows, top].astype(np.float64))


@dataclass(frozen=True, slots=True)
class SpanFit:
    """``bias`` is to be added to the head's own. ``before`` and ``after`` are (mean NLL, calibration error);
    ``missed`` are the rows without a right outcome."""

    temperature: float
    bias: float
    before: tuple[float, float]
    after: tuple[float, float]
    missed: int
    at_bound: bool


def fit_spans(rows: SpanRows, *, old: float = 1.0) -> SpanFit:
    """The temperature and bias of the least NLL, on a grid that is narrowed around its best point."""
    packed = rows.packed()
    temperatures = np.linspace(math.log(LOWEST), math.log(HIGHEST), _TEMPERATURES)
    biases = np.linspace(-BIAS, BIAS, _BIASES)
    at_bound = False
    for attempt in range(_ROUNDS):
        t, b = _least(lambda log_t, bias: packed.nll(math.exp(log_t), bias), temperatures, biases)
        if attempt == 0:
            at_bound = t in (0, _TEMPERATURES - 1) or b in (0, _BIASES - 1)
        centre, middle = float(temperatures[t]), float(biases[b])
        step, stride = float(temperatures[1] - temperatures[0]), float(biases[1] - biases[0])
        temperatures = np.linspace(centre - step, centre + step, 9)
        biases = np.linspace(middle - stride, middle + stride, 9)
    temperature = min(max(math.exp(centre), LOWEST), HIGHEST)
    return SpanFit(
        temperature,
        middle,
        (packed.nll(old, 0.0), packed.error(old, 0.0)),
        (packed.nll(temperature, middle), packed.error(temperature, middle)),
        int((~packed.right.any(axis=1)).sum()),
        at_bound,
    )


def _least(
    value: Callable[[float, float], float], first: NDArray[np.float64], second: NDArray[np.float64]
) -> tuple[int, int]:
    """Indices of the least value on a grid; of equals the first."""
    values = np.array([[value(float(a), float(b)) for b in second] for a in first])
    place = int(values.argmin())
    return place // len(second), place % len(second)
