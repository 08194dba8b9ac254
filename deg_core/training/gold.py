"""What a draw of a record trains: forks with their golds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from deg_core.contract.plan import Mode, Step
from deg_core.protocols.head import Query, Target
from deg_core.records.record import Record
from deg_core.rendering.layout import ForkLayout, TrunkLayout

MISSING: Any = object()


@dataclass(frozen=True, slots=True)
class ForkExample:
    """One query to train: its fork, its gold, and the region of the context that it is about, if not all of it."""

    query: Query
    layout: ForkLayout
    target: Target
    region: tuple[int, int] | None = None

    @property
    def absent(self) -> bool:
        """Whether this asks to extract what the text does not hold."""
        return isinstance(self.query, Mode) and self.query.extracts and not self.target.starts


@dataclass(frozen=True, slots=True)
class Example:
    """One record as it is trained in one draw. ``skipped`` arrays have items that no anchor tells apart."""

    uid: str
    source: str
    trunk: TrunkLayout
    forks: tuple[ForkExample, ...]
    skipped: int = 0

    @property
    def tokens(self) -> int:
        return len(self.trunk.ids) + sum(len(fork.layout.ids) for fork in self.forks)


@dataclass(frozen=True, slots=True)
class Draw:
    """What one draw shows of a record: the layout of its text or of a window of it (``cropped``, from code point ``at``
    on), and where in it each pointer's gold is, the first place first."""

    record: Record
    trunk: TrunkLayout
    spans: dict[str, list[tuple[int, int]]]
    cropped: bool
    at: int = 0


def resolve(value: Any, path: Sequence[Step | int]) -> Any:
    """The part of a value at a concrete path, or ``MISSING``."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return MISSING
    return value
