"""Exact arithmetic over the numbers of a schema: bounds, steps, how many values they admit (SPEC 3).

A JSON number means its decimal text: 0.1 is one tenth here, not the nearest double. So a double goes through its
shortest decimal form, and every comparison is between fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final

_EXACT_INTEGER: Final = 2**53


def is_number(value: object) -> bool:
    """A JSON number: an int or a float, not a boolean."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def plain(value: int | float) -> int | float:
    """The number in one spelling: 1.0 and 1 are the same JSON number and become 1; -0.0 becomes 0."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_INTEGER:
        return int(value)
    return value


def exact(value: int | float) -> Fraction:
    """The number that the decimal text stands for."""
    number = plain(value)
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


def is_multiple(value: int | float, step: int | float) -> bool:
    """Whether ``value`` is a whole number of ``step``, in decimals: 19.99 is a multiple of 0.01."""
    return (exact(value) / exact(step)).denominator == 1


@dataclass(frozen=True, slots=True)
class Bounds:
    """What minimum, maximum, their exclusive forms and multipleOf leave.

    ``lower`` and ``upper`` are the tighter of the inclusive and the exclusive bound; None is unbounded. ``open_*``
    says that the bound itself is out. ``step`` is multipleOf.
    """

    lower: Fraction | None = None
    open_lower: bool = False
    upper: Fraction | None = None
    open_upper: bool = False
    step: Fraction | None = None

    @staticmethod
    def of(constraints: dict[str, int | float]) -> Bounds:
        """Bounds from numeric keywords (the exclusive ones as numbers, as from draft-06 on)."""
        lower, open_lower = _tighter(constraints, "minimum", "exclusiveMinimum", 1)
        upper, open_upper = _tighter(constraints, "maximum", "exclusiveMaximum", -1)
        step = exact(constraints["multipleOf"]) if "multipleOf" in constraints else None
        return Bounds(lower, open_lower, upper, open_upper, step)

    def integers(self) -> range | None:
        """The admitted integers in ascending order; None when a bound is missing."""
        if self.lower is None or self.upper is None:
            return None
        # An integer is a multiple of p/q (in lowest terms) exactly when it is a multiple of p.
        step = 1 if self.step is None else self.step.numerator
        first, last = self._multiples(Fraction(step))
        return range(first * step, last * step + 1, step)

    def empty(self) -> bool:
        """Whether no number at all is admitted."""
        if self.lower is None or self.upper is None:
            return False
        if self.lower > self.upper:
            return True
        if self.lower == self.upper and (self.open_lower or self.open_upper):
            return True
        if self.step is None:
            return False
        first, last = self._multiples(self.step)
        return first > last

    def _multiples(self, step: Fraction) -> tuple[int, int]:
        assert self.lower is not None
        assert self.upper is not None
        low, high = self.lower / step, self.upper / step
        first = floor(low) + 1 if self.open_lower else ceil(low)
        last = ceil(high) - 1 if self.open_upper else floor(high)
        return first, last


def _tighter(constraints: dict[str, int | float], closed: str, opened: str, sign: int) -> tuple[Fraction | None, bool]:
    inclusive = exact(constraints[closed]) if closed in constraints else None
    exclusive = exact(constraints[opened]) if opened in constraints else None
    if exclusive is None:
        return inclusive, False
    if inclusive is None or exclusive * sign >= inclusive * sign:
        return exclusive, True
    return inclusive, False
