"""``x @ W.T`` in fp32 with row-independent bits: tiles of one fixed number of rows."""

from __future__ import annotations

from torch import Tensor
from torch.nn.functional import linear, pad

TILE = 64
LANES = 16  # a narrow matrix of any other width is cut over threads, and then rounds by their number
TERMS = 256  # of a sum in one call; longer sums (of 384, 700, 896 and more terms) are cut over threads as well


def tiled_linear(x_NK: Tensor, weight_MK: Tensor) -> Tensor:
    """[N, K] times [M, K] transposed -> [N, M]. The last tile is padded with zero rows, so the matrix kernel always
    sees the same shape and a row's sum always runs in the same order; odd widths are padded alike."""
    rows, outputs = x_NK.shape[0], weight_MK.shape[0]
    spare = -outputs % LANES
    if spare:
        weight_MK = pad(weight_MK, (0, 0, 0, spare))
    out = x_NK.new_empty(rows, outputs + spare)
    whole = rows - rows % TILE
    for start in range(0, whole, TILE):
        out[start : start + TILE] = _tile(x_NK[start : start + TILE], weight_MK)
    if rows > whole:
        last = x_NK.new_zeros(TILE, x_NK.shape[1])
        last[: rows - whole] = x_NK[whole:]
        out[whole:] = _tile(last, weight_MK)[: rows - whole]
    return out[:, :outputs].contiguous()


def _tile(x_TK: Tensor, weight_MK: Tensor) -> Tensor:
    """The product of one tile, its sums in blocks of ``TERMS``, in order."""
    out = linear(x_TK[:, :TERMS], weight_MK[:, :TERMS])
    for start in range(TERMS, x_TK.shape[1], TERMS):
        out = out + linear(x_TK[:, start : start + TERMS], weight_MK[:, start : start + TERMS])
    return out
