"""Bootstrap intervals of ratios, resampling records within their source (Efron 1979; percentile intervals)."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its 95 % interval, and over how many items it was counted."""

    value: float
    low: float
    high: float
    n: float

    def as_dict(self) -> dict[str, float | int]:
        n = int(self.n) if float(self.n).is_integer() else self.n
        return {"value": self.value, "low": self.low, "high": self.high, "n": n}


class Resampler:
    """Sums over resampled records. A source's resamples depend on ``seed``, its name and its number of records, so
    the intervals of one source do not move when another is added, and two results on the same records are paired."""

    def __init__(self, *, resamples: int = RESAMPLES, seed: int = 0) -> None:
        self.resamples = resamples
        self.seed = seed

    def sums(self, source: str, columns_RK: Floats) -> Floats:
        """Column sums [1 + resamples, K]: row 0 of the records as they are, the others of resampled records."""
        records = len(columns_RK)
        generator = np.random.default_rng([self.seed, zlib.crc32(source.encode("utf-8", "surrogatepass"))])
        times = generator.multinomial(records, np.full(records, 1 / records), size=self.resamples)
        return np.vstack([columns_RK.sum(axis=0), times.astype(np.float64) @ columns_RK])


def interval(over: Floats, under: Floats, *, minus: Floats | None = None) -> Interval | None:
    """The ratio ``over / under`` of sums [1 + resamples]; with ``minus`` that of ``(over - minus) / under``.

    None when nothing was counted. Resamples in which nothing was counted are left out.
    """
    if under[0] == 0:
        return None
    top = over if minus is None else over - minus
    return spread(np.divide(top, under, out=np.full_like(top, np.nan), where=under > 0), float(under[0]))


def spread(values: Floats, n: float) -> Interval:
    """Value and percentile interval of a statistic: row 0 the value, the others its resamples."""
    known = values[1:][~np.isnan(values[1:])]
    low, high = np.percentile(known, [2.5, 97.5]) if len(known) else (np.nan, np.nan)
    return Interval(float(values[0]), float(low), float(high), n)


def macro_mean(ratios: Sequence[tuple[Floats, Floats]]) -> Interval | None:
    """The mean of several sources' ratios, those left out where nothing was counted; None when that is all."""
    there = [(over, under) for over, under in ratios if under[0] > 0]
    if not there:
        return None
    values = np.stack([np.divide(o, u, out=np.full_like(o, np.nan), where=u > 0) for o, u in there])
    known = ~np.isnan(values)
    counted = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    return spread(np.divide(total, counted, out=np.full_like(total, np.nan), where=counted > 0), len(there))
