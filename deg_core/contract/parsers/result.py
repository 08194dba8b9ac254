"""What a parser answers: a value, or a reason why there is none (SPEC 3, 4; decisions 4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""``[start, end)`` in code points."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A successful reading.

    ``value`` is an int or a float for numbers (an int when integral and written so), a string for dates and formats.
    ``assumed_offset`` is true when a date-time's offset is the caller's default. ``ambiguous`` is true when another
    common convention reads the same text differently; ``rule`` then names the rule that decided. ``rule`` is also set
    where the value is not the plain numeral (``multiplier``, ``fraction``, ``words``, ``parentheses``).
    """

    value: object
    assumed_offset: bool = False
    ambiguous: bool = False
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Unparsed:
    """No reading. ``ambiguous`` is true when two readings are valid and nothing decides between them."""

    reason: str = "unparsable"
    ambiguous: bool = False
