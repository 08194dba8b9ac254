"""An array decoder: picks where an array's items start from the anchor logits (SPEC 12.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from torch import Tensor


class ArrayDecoder(Protocol):
    """A pure function of one array's own head outputs, so any decoder is deterministic and batch-invariant."""

    protocol_version: tuple[int, int]
    name: str
    needs_count: bool

    def decode(
        self, anchors_P: Tensor, count: Tensor | None, region: tuple[int, int], min_items: int, max_items: int | None
    ) -> tuple[int, ...]:
        """Context-token positions of the items in ascending order, inside ``region`` [start, end).

        ``anchors_P`` are the anchor logits of all context tokens, ``count`` the logits over 0..64 items when
        ``needs_count``. Raises FillError when fewer than ``min_items`` positions exist.
        """
        ...
