"""The gated delta rule (Yang et al. 2024, arXiv:2412.06464), one row at a time, in chunks on the row's own grid.

Per head, with decay ``a_t = exp(g_t)``, writing strength ``beta_t`` and a state S [K, V]::

    S_t = a_t S_{t-1} + k_t d_t^T      d_t = beta_t (v_t - a_t S_{t-1}^T k_t)      o_t = S_t^T q_t

Inside a chunk the ``d_t`` solve a unit lower triangular system (arXiv:2406.06484), so a chunk is a handful of matrix
products instead of a loop over tokens.

**The grid.** A row is cut every ``CHUNK`` tokens from its first one; the last piece is padded to a multiple of
``GRID`` (a lone token is not padded) with tokens that write nothing and decay nothing. Every matrix product is one
call of a shape that the row alone decides, so neighbours, their number and their order cannot change a bit. A row
that is cut in two after a multiple of ``CHUNK`` tokens has the bits of the whole row; cut elsewhere it agrees to
rounding. Trunks are read in pieces of a multiple of ``CHUNK``.

Shapes: T tokens of a row, L tokens of a padded chunk, H value heads, K and V key and value head dims.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import pad

from deg_core.kernels.pieces import in_pieces

CHUNK = 64
GRID = 16
FORGOTTEN = -60.0  # a decay below exp(-60) counts as none left: the numbers that it makes are too small to be quick


def gated_delta_rule(
    q_THK: Tensor, k_THK: Tensor, v_THV: Tensor, g_TH: Tensor, beta_TH: Tensor, state_HKV: Tensor
) -> tuple[Tensor, Tensor]:
    """Outputs [T, H, V] and the state [H, K, V] after the row; all fp32.

    ``q`` and ``k`` are normalised (and ``q`` scaled) already; ``g`` is the decay's logarithm, at most 0.
    """
    outputs = []
    for start in range(0, q_THK.shape[0], CHUNK):
        length = min(CHUNK, q_THK.shape[0] - start)
        q, k, v, g, beta = (
            _padded(x[start : start + length], padded_length(length)) for x in (q_THK, k_THK, v_THV, g_TH, beta_TH)
        )
        out_HLV, state_HKV = _chunk(q, k, v, g, beta, state_HKV)
        outputs.append(out_HLV[:, :length].transpose(0, 1))
    return torch.cat(outputs), state_HKV


def padded_length(length: int) -> int:
    """Tokens that a chunk of ``length`` tokens is computed with."""
    return 1 if length == 1 else -(-length // GRID) * GRID


def _padded(x_TH: Tensor, length: int) -> Tensor:
    """[T, H, ...] -> [H, L, ...] in memory of its own: a matrix kernel may round by how its operands are aligned."""
    spare = length - x_TH.shape[0]
    heads_first = x_TH.movedim(0, 1)
    return pad(heads_first, (*((0, 0) * (x_TH.dim() - 2)), 0, spare)).contiguous()


def _chunk(
    q_HLK: Tensor, k_HLK: Tensor, v_HLV: Tensor, g_HL: Tensor, beta_HL: Tensor, state_HKV: Tensor
) -> tuple[Tensor, Tensor]:
    """One chunk: outputs [H, L, V] and the state after it."""
    length = g_HL.shape[1]
    between, since_start, to_end = _decays(g_HL).split([length, 1, 1], dim=2)
    keys_first = k_HLK.transpose(1, 2)
    expected = torch.bmm(k_HLK, state_HKV) * since_start
    system = (torch.bmm(k_HLK, keys_first) * between * beta_HL[..., None]).tril(-1)
    written = torch.linalg.solve_triangular(
        system, (v_HLV - expected) * beta_HL[..., None], upper=False, unitriangular=True
    ).contiguous()  # it comes column by column, on which products take ten times as long
    seen = torch.bmm(q_HLK, keys_first) * between
    out = (torch.bmm(q_HLK, state_HKV) * since_start).baddbmm_(seen, written)
    return out, (state_HKV * since_start[:, -1:]).baddbmm_(keys_first, written * to_end)


def _decays(g_HL: Tensor) -> Tensor:
    """[H, L, L + 2]: the decay from after token j to after token t at (t, j), 0 where j is later; then, for each token
    t, the decay from the chunk's start to after t, and from after t to the chunk's end. One call of ``exp``. What is
    ``FORGOTTEN`` is 0: subnormal numbers cost a hundred times as much as others, and none of them shows in a sum."""
    total = g_HL.cumsum(dim=1).unsqueeze(2)
    later = torch.ones(g_HL.shape[1], g_HL.shape[1], dtype=torch.bool, device=g_HL.device).triu(1)
    between = (total - total.transpose(1, 2)).masked_fill(later, -torch.inf)
    exponents = torch.cat([between, total, total[:, -1:] - total], dim=2)
    return in_pieces(torch.exp, exponents.masked_fill(exponents < FORGOTTEN, -torch.inf))
