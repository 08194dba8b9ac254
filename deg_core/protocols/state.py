"""State of a read text. Frozen: a trunk is never written to, a fork is a value.

Shapes: P trunk tokens, G key/value heads, K head dim, D hidden size.
"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class TrunkState:
    """All layers' state after ``length`` tokens, and the hidden states [P, D] after the final norm."""

    layers: tuple[LayerState, ...]
    length: int
    hidden_PD: Tensor

    @property
    def bytes(self) -> int:
        """Memory held by this state."""
        parts: list[Any] = [self.hidden_PD]
        for layer in self.layers:
            parts += [layer.k_GPK, layer.v_GPK] if isinstance(layer, KV) else [layer.matrix, layer.conv_tail]
        return sum(int(part.numel() * part.element_size()) for part in parts)
