"""State of a read text. Frozen: a trunk is never written to, a fork is a value.

Shapes: P trunk tokens, G key/value heads, K head dim, D hidden size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class KV:
    """Keys and values of one attention layer, each [G, P, K]."""

    k_GPK: Tensor
    v_GPK: Tensor


@dataclass(frozen=True, slots=True)
class Recurrent:
    """State of one state layer: the recurrent matrix (or an empty tensor) and the convolution's last inputs."""

    matrix: Tensor
    conv_tail: Tensor


LayerState: TypeAlias = KV | Recurrent


@dataclass(slots=True, eq=False)
class Room:
    """Memory that a state's keys and values lie in: [G, C, K] per attention layer, None for a state layer.

    The first ``used`` tokens are taken. Only the state that ends there may go on in place; any other is copied first,
    so what a state holds never changes.
    """

    layers: tuple[KV | None, ...]
    capacity: int
    used: int


@dataclass(frozen=True, slots=True)
class TrunkState:
    """All layers' state after ``length`` tokens, and the hidden states after the final norm: [P, D] of a text that was
    read, of the added tokens alone where a state was continued. ``room`` is where keys and values lie, if known.
    ``reach`` is the length of the text that positions were laid out for."""

    layers: tuple[LayerState, ...]
    length: int
    hidden_PD: Tensor
    room: Room | None = field(default=None, repr=False, compare=False)
    reach: int = 0

    @property
    def bytes(self) -> int:
        """Memory held by this state, with what its room keeps free."""
        parts: list[Any] = [self.hidden_PD]
        layers = [kept or layer for kept, layer in zip(self.room.layers, self.layers)] if self.room else self.layers
        for layer in layers:
            parts += [layer.k_GPK, layer.v_GPK] if isinstance(layer, KV) else [layer.matrix, layer.conv_tail]
        return sum(int(part.numel() * part.element_size()) for part in parts)
