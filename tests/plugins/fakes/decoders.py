"""Array decoders that break one promise each. Sound in everything else: the best tokens of the region."""

from __future__ import annotations

from functools import partial
from typing import Any

from torch import Tensor

from deg_core.errors import FillError
from tests.plugins.fakes.broken import broken

decoder = partial(broken, "decoder")


class Sound:
    """As many of the best tokens as are above p = 0.5, within the bounds."""

    protocol_version = (1, 1)
    name = "sound"
    needs_count = False

    def decode(
        self, anchors_P: Tensor, count: Tensor | None, region: tuple[int, int], min_items: int, max_items: int | None
    ) -> tuple[int, ...]:
        start, stop = region
        if stop - start < min_items:
            raise FillError(f"minItems {min_items}: the region has {stop - start} tokens")
        tokens = sorted(range(start, stop), key=lambda token: (-float(anchors_P[token]), token))
        above = sum(float(anchors_P[token]) > 0 for token in tokens)
        wanted = max(min_items, above if max_items is None else min(above, max_items))
        return tuple(sorted(tokens[:wanted]))


@decoder("ascending")
class BestFirst(Sound):
    """The most probable item first."""

    def decode(self, anchors_P: Tensor, *rest: Any) -> tuple[int, ...]:
        found = super().decode(anchors_P, *rest)
        return tuple(sorted(found, key=lambda token: (-float(anchors_P[token]), token)))


@decoder("distinct")
class Repeats(Sound):
    """Fills up with the last position instead of another one."""

    def decode(self, anchors_P: Tensor, count: Any, region: Any, min_items: int, max_items: Any) -> tuple[int, ...]:
        found = super().decode(anchors_P, count, region, min_items, max_items)
        return (*found[:-1], found[-2], found[-2])[: len(found)] if len(found) > 1 else found


@decoder("inside-region")
class OneTooFar(Sound):
    """Takes the region's end for its last token."""

    def decode(self, anchors_P: Tensor, count: Any, region: Any, *bounds: Any) -> tuple[int, ...]:
        found = super().decode(anchors_P, count, region, *bounds)
        return (*found[:-1], region[1]) if found and found[-1] == region[1] - 1 else found


@decoder("bounds")
class NoMaximum(Sound):
    """Forgets max_items."""

    def decode(self, anchors_P: Tensor, count: Any, region: Any, min_items: int, max_items: Any) -> tuple[int, ...]:
        return super().decode(anchors_P, count, region, min_items, None)


@decoder("bounds", "shortage")
class NoMinimum(Sound):
    """Forgets min_items."""

    def decode(self, anchors_P: Tensor, count: Any, region: Any, min_items: int, max_items: Any) -> tuple[int, ...]:
        return super().decode(anchors_P, count, region, 0, max_items)


@decoder("shortage")
class ShortAnswer(Sound):
    """Gives what there is where there is too little."""

    def decode(self, anchors_P: Tensor, count: Any, region: Any, min_items: int, max_items: Any) -> tuple[int, ...]:
        return super().decode(anchors_P, count, region, min(min_items, region[1] - region[0]), max_items)


@decoder("shortage")
class WrongError(Sound):
    """Says that there is too little in a way that deg does not understand."""

    def decode(self, *call: Any) -> tuple[int, ...]:
        try:
            return super().decode(*call)
        except FillError as error:
            raise ValueError(error.message) from error


@decoder("runs")
class GivesUp(Sound):
    """Finds every text too short where nothing is above p = 0.5."""

    def decode(self, anchors_P: Tensor, count: Any, region: Any, *bounds: Any) -> tuple[int, ...]:
        if not (anchors_P[slice(*region)] > 0).any():
            raise FillError("nothing found")
        return super().decode(anchors_P, count, region, *bounds)


@decoder("runs")
class GivesTensors(Sound):
    """Positions that are tensors, which compare and print like numbers until they are written as JSON."""

    def decode(self, anchors_P: Tensor, *rest: Any) -> Any:
        return tuple(anchors_P.new_tensor(token).long() for token in super().decode(anchors_P, *rest))


@decoder("pure", perhaps=("region-only", "count"))
class Remembers(Sound):
    """Leaves out one item in every call after the three hundredth."""

    def __init__(self) -> None:
        self.calls = 0

    def decode(self, *call: Any) -> tuple[int, ...]:
        self.calls += 1
        found = super().decode(*call)
        return found if self.calls < 300 or len(found) <= call[3] else found[1:]


@decoder("pure")
class WritesToLogits(Sound):
    """Masks what it has taken in place."""

    def decode(self, anchors_P: Tensor, *rest: Any) -> tuple[int, ...]:
        found = super().decode(anchors_P, *rest)
        anchors_P[list(found)] += 0.5
        return found


@decoder("region-only")
class LooksAround(Sound):
    """Calls a token an item when it stands out from all tokens, those of other items included."""

    def decode(self, anchors_P: Tensor, count: Any, region: Any, *bounds: Any) -> tuple[int, ...]:
        seen = anchors_P[anchors_P.isfinite()]
        return super().decode(anchors_P - (seen.mean() if len(seen) else 0), count, region, *bounds)


@decoder("count")
class SecretCount(Sound):
    """Uses a count that it does not ask for."""

    def decode(self, anchors_P: Tensor, count: Any, region: Any, min_items: int, max_items: Any) -> tuple[int, ...]:
        if count is not None:
            likely = int(count.argmax())
            max_items = max(min_items, likely if max_items is None else min(likely, max_items))
        return super().decode(anchors_P, count, region, min_items, max_items)


@decoder("count")
class IdleCount(Sound):
    """Asks for a count that it does not use."""

    needs_count = True


@decoder("interface")
class NoCountFlag(Sound):
    """Does not say whether it needs the count."""

    needs_count = None  # type: ignore[assignment]


@decoder("interface")
class OtherArguments(Sound):
    """Was written for other arguments."""

    def decode(self, anchors_P: Tensor, region: tuple[int, int]) -> tuple[int, ...]:  # type: ignore[override]
        return ()


@decoder("protocol-version")
class FromTheFuture(Sound):
    protocol_version = (2, 0)
