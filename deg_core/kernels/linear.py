"""``x @ W.T`` in fp32 with row-independent bits: the native product, or tiles of one fixed number of rows."""

from __future__ import annotations

from torch import Tensor
from torch.nn.functional import linear, pad

from deg_core.kernels.native import dense, rows
from deg_core.kernels.native.library import functions

TILE = 64
LANES = 16  # a narrow matrix of any other width is cut over threads, and then rounds by their number
TERMS = 256  # of a sum in one call; longer sums (of 384, 700, 896 and more terms) are cut over threads as well


class DenseWeight:
    """An fp32 matrix [M, K] that many rows are multiplied with."""

    __slots__ = ("_matrix", "_packed", "shape")

    def __init__(self, matrix_MK: Tensor) -> None:
        self._matrix: Tensor | None = matrix_MK
        self._packed: Tensor | None = None
        self.shape = matrix_MK.shape

    @property
    def matrix_MK(self) -> Tensor:
        """The matrix; put together again where only the packed one was kept."""
        if self._matrix is not None:
            return self._matrix
        assert self._packed is not None
        return dense.unpack(self._packed, *self.shape)

    def packed(self) -> Tensor | None:
        """In the order of the native product, arranged when first asked for, after which it is all that is kept; None
        where that product is not there."""
        if functions() is None:
            return None
        if self._packed is None:
            self._packed, self._matrix = dense.pack(self.matrix_MK), None
        return self._packed

    @property
    def bytes(self) -> int:
        """Memory held."""
        return sum(part.numel() * part.element_size() for part in (self._matrix, self._packed) if part is not None)


def dense_linear(x_NK: Tensor, weight: DenseWeight) -> Tensor:
    """[N, K] fp32 -> [N, M] fp32, every row by itself."""
    if rows.fits(x_NK):
        packed = weight.packed()
        if packed is not None:
            return dense.linear(x_NK, packed, weight.shape[0])
    return tiled_linear(x_NK, weight.matrix_MK)


def tiled_linear(x_NK: Tensor, weight_MK: Tensor) -> Tensor:
    """[N, K] times [M, K] transposed -> [N, M]. The last tile is padded with zero rows, so the matrix kernel always
    sees the same shape and a row's sum always runs in the same order; odd widths are padded alike."""
    count, outputs = x_NK.shape[0], weight_MK.shape[0]
    spare = -outputs % LANES
    if spare:
        weight_MK = pad(weight_MK, (0, 0, 0, spare))
    out = x_NK.new_empty(count, outputs + spare)
    whole = count - count % TILE
    for start in range(0, whole, TILE):
        out[start : start + TILE] = _tile(x_NK[start : start + TILE], weight_MK)
    if count > whole:
        last = x_NK.new_zeros(TILE, x_NK.shape[1])
        last[: count - whole] = x_NK[whole:]
        out[whole:] = _tile(last, weight_MK)[: count - whole]
    return out[:, :outputs].contiguous()


def _tile(x_TK: Tensor, weight_MK: Tensor) -> Tensor:
    """The product of one tile, its sums in blocks of ``TERMS``, in order."""
    out = linear(x_TK[:, :TERMS], weight_MK[:, :TERMS])
    for start in range(TERMS, x_TK.shape[1], TERMS):
        out = out + linear(x_TK[:, start : start + TERMS], weight_MK[:, start : start + TERMS])
    return out
