"""An array decoder under test, and the arrays that it is asked about."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import torch
from torch import Tensor

from deg_core.conformance.report import CheckFailed
from deg_core.errors import FillError
from deg_core.protocols.array_decoder import ArrayDecoder
from deg_core.protocols.head import MAX_COUNT

DRAWN: Final = 150  # random arrays
SEED: Final = 0


@dataclass(frozen=True, slots=True)
class Array:
    """One call: anchor logits of all context tokens, count logits, region and bounds."""

    anchors_P: Tensor
    count: Tensor
    region: tuple[int, int]
    min_items: int = 0
    max_items: int | None = None

    @property
    def room(self) -> int:
        """Tokens of the region."""
        return self.region[1] - self.region[0]

    @property
    def surely_has_room(self) -> bool:
        """Whether no decoder may find it short. One that keeps items apart may well need more tokens than items."""
        return self.min_items <= min(1, self.room)

    def __str__(self) -> str:
        bounds = f"min_items {self.min_items}, max_items {self.max_items}"
        return f"{len(self.anchors_P)} tokens, region {self.region}, {bounds}"


class DecoderCase:
    """What the checks of an array decoder share."""

    def __init__(self, decoder_class: type[Any], name: str) -> None:
        self.name = name
        self._class = decoder_class
        self.decoder: ArrayDecoder = decoder_class()

    def fresh(self) -> ArrayDecoder:
        """Another instance."""
        made: ArrayDecoder = self._class()
        return made

    @cached_property
    def arrays(self) -> list[Array]:
        """Corner cases, then random ones."""
        return [*_corners(), *_drawn()]

    @cached_property
    def decoded(self) -> list[tuple[Array, Any]]:
        """What the decoder gave for each array that it found no shortage in."""
        pairs = ((array, self.decode(array)) for array in self.arrays)
        return [(array, found) for array, found in pairs if found is not None]

    def decode(self, array: Array, decoder: ArrayDecoder | None = None) -> Any:
        """The decoder's answer; None for a FillError. The count is given where it is needed, as deg does."""
        decoder = decoder or self.decoder
        count = array.count if decoder.needs_count else None
        try:
            return decoder.decode(array.anchors_P, count, array.region, array.min_items, array.max_items)
        except FillError:
            return None

    def each(self, expectation: str, problem: Any) -> None:
        """Raise CheckFailed for the first answer in which ``problem(array, positions)`` finds something to say."""
        for array, found in self.decoded:
            said = problem(array, found)
            if said:
                raise CheckFailed(expectation, f"{said} for {array}")

    def close(self) -> None:
        """A decoder writes nothing."""


def _corners() -> Iterator[Array]:
    """Flat, all above, all below, one token, none, neighbours that are equal, minus infinity outside the region."""
    flat, few, many = torch.zeros(65), _likely(2), _likely(MAX_COUNT)
    for value in (-3.0, 0.0, 3.0):
        for count in (flat, few, many):
            yield Array(torch.full((30,), value), count, (0, 30))
            yield Array(torch.full((30,), value), count, (0, 30), 1, 3)
    yield Array(torch.empty(0), few, (0, 0))
    yield Array(torch.tensor([2.0]), few, (0, 1), 1, 1)
    yield Array(torch.tensor([-2.0]), _likely(0), (0, 1), 1, None)
    peaks = torch.full((40,), -4.0)
    peaks[[3, 4, 12, 13, 14, 30]] = 4.0
    for region in ((0, 40), (4, 14), (13, 14), (30, 40)):
        masked = torch.full_like(peaks, -torch.inf)
        masked[slice(*region)] = peaks[slice(*region)]
        for count in (few, _likely(0), _likely(5)):
            yield Array(masked, count, region)
            yield Array(masked, count, region, 1, 1)
            yield Array(masked, count, region, 0, 0)
    long = torch.full((400,), -6.0)
    long[::5] = 2.0
    yield Array(long, many, (0, 400))
    yield Array(long, many, (0, 400), 2, 70)


def _likely(count: int) -> Tensor:
    """Count logits that all but say ``count``."""
    logits = torch.full((MAX_COUNT + 1,), -8.0)
    logits[count] = 8.0
    return logits


def _drawn() -> Iterator[Array]:
    """Random arrays: some with ties, a region that is all or a part, bounds that leave room."""
    rng = random.Random(SEED)
    for _ in range(DRAWN):
        tokens = rng.randint(1, 60)
        start = rng.randrange(tokens) if rng.random() < 0.6 else 0
        stop = rng.randint(start + 1, tokens)
        step = rng.choice((0.01, 1.0))  # a whole one makes ties
        bias = rng.choice((-3.0, -1.0, 1.0))
        anchors = torch.tensor([round(rng.gauss(bias, 2) / step) * step for _ in range(tokens)])
        if rng.random() < 0.5:
            anchors[:start], anchors[stop:] = -torch.inf, -torch.inf
        count = torch.tensor([rng.gauss(0, 2) for _ in range(MAX_COUNT + 1)])
        least = min(stop - start, rng.choice((0, 0, 1, 2, 5)))
        most = rng.choice((None, None, least, least + 1, least + 6))
        yield Array(anchors, count, (start, stop), least, most)


def with_other_outside(array: Array, value: float) -> Array:
    """The same array with other logits outside its region."""
    anchors = torch.full_like(array.anchors_P, value)
    anchors[slice(*array.region)] = array.anchors_P[slice(*array.region)]
    return replace(array, anchors_P=anchors)
