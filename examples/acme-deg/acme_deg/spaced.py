"""An array decoder for lists of long items: every item starts at least eight tokens after the one before it."""

from __future__ import annotations

from torch import Tensor

from deg_core.errors import FillError

GAP = 8  # tokens


class Spaced:
    """The most probable tokens with p > 0.5, best first, none within ``GAP`` of a better one. Too few for min_items are
    filled up with the best of the others, as near as need be."""

    protocol_version = (1, 0)
    name = "acme-spaced"
    needs_count = False

    def decode(
        self, anchors_P: Tensor, count: Tensor | None, region: tuple[int, int], min_items: int, max_items: int | None
    ) -> tuple[int, ...]:
        """Raises FillError when the region has fewer tokens than ``min_items``."""
        start, stop = region
        logits: list[float] = anchors_P[start:stop].tolist()
        if len(logits) < min_items:
            raise FillError(f"minItems {min_items}: the text has room for only {len(logits)} items")
        best_first = sorted(range(start, stop), key=lambda token: (-logits[token - start], token))
        chosen: list[int] = []
        for token in best_first:
            if logits[token - start] <= 0 or len(chosen) == max_items:
                break
            if all(abs(token - other) >= GAP for other in chosen):
                chosen.append(token)
        missing = max(0, min_items - len(chosen))
        chosen += [token for token in best_first if token not in chosen][:missing]
        return tuple(sorted(chosen))
