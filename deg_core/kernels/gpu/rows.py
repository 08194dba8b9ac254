"""The kernels over rows as the runtime and the families ask for them (``deg_core.protocols.kernels.RowKernels``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from deg_core.kernels.gpu.attention.triton import fork_attention
from deg_core.kernels.gpu.conv import triton as conv
from deg_core.kernels.gpu.decode_attention.triton import decode_attention
from deg_core.kernels.gpu.delta_rule import fla
from deg_core.kernels.gpu.delta_rule import triton as delta_rule
from deg_core.kernels.gpu.tables import AddressedStates
from deg_core.protocols.kernels import Keys, RowKernels, Site
from deg_core.protocols.state import Recurrent


@dataclass(frozen=True, slots=True)
class GpuKernels(RowKernels):
    """``site`` is where rows are run from, ``dtype`` what is multiplied in."""

    site: Site
    dtype: torch.dtype

    def fork_attention(
        self, q_NHK: Tensor, k_NGK: Tensor, v_NGK: Tensor, lengths: Sequence[int], prefixes: Sequence[Keys | None]
    ) -> Tensor:
        return fork_attention(q_NHK, k_NGK, v_NGK, lengths, prefixes)

    def decode_attention(self, q_NHK: Tensor, own: Sequence[Keys], prefixes: Sequence[Keys | None]) -> Tensor:
        return decode_attention(q_NHK, own, prefixes)

    def causal_conv(
        self, x_NC: Tensor, taps_TC: Tensor, states: Sequence[Recurrent | None], lengths: Sequence[int]
    ) -> tuple[Tensor, Sequence[Tensor]]:
        if isinstance(states, AddressedStates):
            addresses = (states.tails, states.tails)
            return conv.run(x_NC, taps_TC, states.rows, states.blocks, addresses), states.nothing()
        return conv.causal_conv(
            x_NC, taps_TC, [None if state is None else state.conv_tail for state in states], lengths
        )

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
        streams = (q_NJK, k_NJK, v_NHV, g_NH, beta_NH)
        if isinstance(states, AddressedStates):
            addresses = (states.matrices, states.matrices)
            return delta_rule.run(*streams, states.rows, addresses, eps), states.nothing()
        matrices = [None if state is None else state.matrix for state in states]
        if self.site == "trunk" and len(lengths) == 1 and fla.reads(lengths[0], self.dtype, v_NHV.device, eps):
            out, after = fla.read(*streams, matrices[0], self.dtype)
            return out, [after]
        return delta_rule.fork_delta_rule(*streams, matrices, lengths, eps)
