"""Kernels over rows, for devices that have their own: what attends, recurs or convolves along a row's tokens.

An arithmetic (``deg_core.protocols.family.Weights``) that has such kernels names them; the runtime and the families use
them in place of the portable forms. The rule is the same: what a row gets depends on that row alone, never on other
rows, their number or their order.

Shapes: N tokens of all rows laid end to end, R rows, H query (or value) heads, G key/value heads, J key heads, K and V
head dims, C channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from deg_core.protocols.state import Recurrent

if TYPE_CHECKING:
    from torch import Tensor

Site: TypeAlias = Literal["trunk", "fork", "decode"]
"""Where rows are run from: reading a text, a pass of forks, or one token a row. An arithmetic may choose its kernels by
it, since a row is always run from the same place, and by nothing else that other rows have a say in."""

Keys: TypeAlias = "tuple[Tensor, Tensor]"  # keys and values, each [G, tokens, K]


class RowKernels(Protocol):
    """Row i has ``lengths[i]`` tokens and continues ``states[i]`` or ``prefixes[i]`` (None: nothing), read in place."""

    def fork_attention(
        self, q_NHK: Tensor, k_NGK: Tensor, v_NGK: Tensor, lengths: Sequence[int], prefixes: Sequence[Keys | None]
    ) -> Tensor:
        """Softmax attention to all of the prefix and causally to the row itself -> [N, H, K]."""
        ...

    def decode_attention(self, q_NHK: Tensor, own: Sequence[Keys], prefixes: Sequence[Keys | None]) -> Tensor:
        """One query a row, N rows, to all of its prefix and all of ``own`` -> [N, H, K]."""
        ...

    def causal_conv(
        self, x_NC: Tensor, taps_TC: Tensor, states: Sequence[Recurrent | None], lengths: Sequence[int]
    ) -> tuple[Tensor, Sequence[Tensor]]:
        """Depthwise convolution with T taps, the last one of the token itself -> fp32 [N, C], and each row's last
        T - 1 inputs."""
        ...

    def delta_rule(
        self,
        q_NJK: Tensor,
        k_NJK: Tensor,
        v_NHV: Tensor,
        g_NH: Tensor,
        beta_NH: Tensor,
        states: Sequence[Recurrent | None],
        lengths: Sequence[int],
        eps: float,
    ) -> tuple[Tensor, Sequence[Tensor]]:
        """The gated delta rule -> fp32 [N, H, V], and each row's matrix [H, K, V] after it. Keys and queries are
        brought to unit length first (``eps`` under the root), queries scaled by 1 / sqrt(K); key head j serves the
        H / J value heads next to one another. ``g`` is the decay's logarithm."""
        ...
