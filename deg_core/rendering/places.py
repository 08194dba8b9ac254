"""Where a fork stands: the array items around it, each found by an anchor in the text or by its index (SPEC 12.6)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from deg_core.contract.plan import ITEM, Path, Step, pointer

LOCATOR_TOKENS: Final = 24


def one_line(text: str) -> str:
    """The text in a single line of a fork: runs of white space become one space."""
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Place:
    """One enclosing item of the array whose rendered pointer is ``array``: ``at`` is the text from its anchor on, or
    None for an item that is addressed by ``index``. Anchored items have no ordinal anywhere in their forks."""

    array: str
    at: str | None = None
    index: int | None = None


def placed(path: Path, places: Sequence[Place]) -> str:
    """The pointer of ``path`` as its forks show it: indices where items are addressed so, ``*`` at anchored ones."""
    remaining = iter(places)
    steps: list[Step | int] = []
    for step in path:
        place = next(remaining, None) if step is ITEM else None
        steps.append(step if place is None or place.index is None else place.index)
    return pointer(tuple(steps))


def locator_lines(places: Sequence[Place]) -> list[str]:
    """One line per enclosing item, outermost first."""
    return [
        f"ITEM {one_line(place.array)} AT: {json.dumps(place.at, ensure_ascii=False)}"
        if place.at is not None
        else f"ITEM {place.index} of {one_line(place.array)}"
        for place in places
    ]


def locator_text(text: str, offsets: Sequence[tuple[int, int]], region: tuple[int, int]) -> str:
    """The text of an item's first tokens, ``region`` [anchor, end) in context tokens; white space as single spaces."""
    start, stop = region
    last = min(start + LOCATOR_TOKENS, stop) - 1
    return one_line(text[offsets[start][0] : offsets[last][1]])
