"""From anchor logits to the tokens where items start (SPEC 12.6). Pure functions of one array's own outputs.

Ties go to the earlier token, so a result never depends on how a sort happens to order equals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from torch import Tensor

from deg_core.errors import FillError
from deg_core.protocols.head import MAX_COUNT

PEAK_RADIUS = 4  # tokens to either side in which a peak is alone


class Threshold:
    """Every run of neighbouring tokens with p > 0.5 is one item, at its best token."""

    protocol_version = (1, 1)
    name = "threshold"
    needs_count = False

    def decode(
        self, anchors_P: Tensor, count: Tensor | None, region: tuple[int, int], min_items: int, max_items: int | None
    ) -> tuple[int, ...]:
        """Raises FillError when the region is too small for ``min_items``."""
        logits = _Logits(anchors_P, region)
        return logits.bounded(logits.runs(), min_items, max_items)


class CountPeaks:
    """The count says how many; the items are that many best peaks, none within ``PEAK_RADIUS`` of a better one."""

    protocol_version = (1, 1)
    name = "count_peaks"
    needs_count = True

    def decode(
        self, anchors_P: Tensor, count: Tensor | None, region: tuple[int, int], min_items: int, max_items: int | None
    ) -> tuple[int, ...]:
        """Raises FillError when the region is too small for ``min_items``."""
        assert count is not None
        logits = _Logits(anchors_P, region)
        wanted = likeliest_count(count, min_items, MAX_COUNT if max_items is None else max_items)
        if wanted == MAX_COUNT:  # "this many or more"
            wanted = max(wanted, len(logits.runs()))
            wanted = wanted if max_items is None else min(wanted, max_items)
        return logits.bounded(logits.peaks(wanted), min_items, max_items)


class Hybrid:
    """``threshold``; where nothing passes it though the count says that there is something, ``count_peaks``."""

    protocol_version = (1, 1)
    name = "hybrid"
    needs_count = True

    def decode(
        self, anchors_P: Tensor, count: Tensor | None, region: tuple[int, int], min_items: int, max_items: int | None
    ) -> tuple[int, ...]:
        """Raises FillError when the region is too small for ``min_items``."""
        runs = _Logits(anchors_P, region).runs()
        chosen: Threshold | CountPeaks = Threshold() if runs else CountPeaks()
        return chosen.decode(anchors_P, count, region, min_items, max_items)


def likeliest_count(count: Tensor, min_items: int, max_items: int) -> int:
    """The most probable number of items within the bounds; the smaller of equals. ``count`` are logits [65]."""
    low, high = min(min_items, MAX_COUNT), min(max_items, MAX_COUNT)
    values = count.tolist()
    return max(range(low, high + 1), key=lambda number: (values[number], -number))


class _Logits:
    """Anchor logits of a region, by context token."""

    def __init__(self, anchors_P: Tensor, region: tuple[int, int]) -> None:
        self.start, self.stop = region
        self._values: list[float] = anchors_P[self.start : self.stop].tolist()

    def __getitem__(self, token: int) -> float:
        return self._values[token - self.start]

    def best_first(self, tokens: Iterable[int]) -> list[int]:
        return sorted(tokens, key=lambda token: (-self[token], token))

    def runs(self) -> list[int]:
        """The best token of every run of neighbours above p = 0.5, in text order."""
        found: list[int] = []
        last = self.start - 2
        for token in range(self.start, self.stop):
            if self[token] <= 0:
                continue
            if token > last + 1:
                found.append(token)
            elif self[token] > self[found[-1]]:
                found[-1] = token
            last = token
        return found

    def peaks(self, wanted: int) -> list[int]:
        """The ``wanted`` best local maxima, each alone in its radius; then the best tokens outside every radius."""
        chosen: list[int] = []
        tokens = range(self.start, self.stop)
        self._add_apart(chosen, filter(self._is_maximum, tokens), PEAK_RADIUS, wanted)
        self._add_apart(chosen, tokens, PEAK_RADIUS, wanted)
        return chosen

    def _add_apart(self, chosen: list[int], tokens: Iterable[int], radius: int, wanted: int) -> None:
        """Add the best tokens that are more than ``radius`` from all that are chosen, until there are ``wanted``."""
        taken = bytearray(self.stop - self.start + 2 * radius)  # token t stands at t - start + radius

        def take(token: int) -> None:
            place = token - self.start
            taken[place : place + 2 * radius + 1] = bytes([1]) * (2 * radius + 1)

        for token in chosen:
            take(token)
        for token in self.best_first(tokens) if len(chosen) < wanted else ():
            if not taken[token - self.start + radius]:
                chosen.append(token)
                take(token)
                if len(chosen) == wanted:
                    return

    def _is_maximum(self, token: int) -> bool:
        left = token == self.start or self[token] > self[token - 1]
        right = token + 1 == self.stop or self[token] >= self[token + 1]
        return left and right

    def bounded(self, chosen: Sequence[int], min_items: int, max_items: int | None) -> tuple[int, ...]:
        """At most ``max_items``, the best; filled up to ``min_items`` with the best tokens that have no neighbour."""
        kept = list(chosen)
        if max_items is not None and len(kept) > max_items:
            kept = self.best_first(kept)[:max_items]
        self._add_apart(kept, range(self.start, self.stop), 1, min_items)
        if len(kept) < min_items:
            raise FillError(f"minItems {min_items}: the text has room for only {len(kept)} items")
        return tuple(sorted(kept))
