"""Calls of the int8 product, on weights in the order in which it reads them.

Shapes: N rows, K inputs, M outputs, F gates and as many ups.
"""

from __future__ import annotations

from array import array
from threading import Lock

import torch
from torch import Tensor

from deg_core.kernels.native.library import functions, has_product
from deg_core.kernels.native.rows import Norm, quantize_rows
from deg_core.kernels.native.workers import in_tasks

Packed = tuple[Tensor, Tensor]  # codes in the order of the product, and scales

PANEL, BLOCK = 16, 64  # outputs, inputs: as in native.h
TILE = 32  # rows: the left side has room for pairs of tiles
_BLOCK_ROWS = 192  # of a feed-forward: the gated rows between its products stay in the second-level cache
_PAGE, _SLAB = 1 << 21, 1 << 26  # bytes: a large page, and how many are asked for at once
_ALONE = 1 << 27  # products; fewer are not worth a second thread


def _whole(size: int, unit: int) -> int:
    return -(-size // unit) * unit


_lock = Lock()
_slab = torch.empty(0, dtype=torch.int8)  # what is left of the newest one


def room(size: int) -> Tensor:
    """Memory of ``size`` bytes for one packed matrix. Matrices lie side by side in slabs of large pages, of which only
    those that are written take memory; a slab goes when its last matrix does."""
    global _slab
    with _lock:
        if _slab.shape[0] < size:
            wanted = max(_whole(size, _PAGE), _SLAB)
            slab = torch.empty(wanted + _PAGE, dtype=torch.int8)
            slab = slab[-slab.data_ptr() % _PAGE :][:wanted]
            library = functions()
            assert library is not None
            library.deg_large_pages(slab.data_ptr(), wanted)
            _slab = slab
        taken, _slab = _slab[:size], _slab[size:]
        return taken


def pack(codes_KM: Tensor) -> Tensor | None:
    """Int8 codes in the order of the product, None where there is none. Takes about as much memory as the codes."""
    library = functions()
    if library is None or not has_product() or codes_KM.device.type != "cpu":
        return None
    inputs, outputs = codes_KM.shape
    packed = room(_whole(outputs, 2 * PANEL) * (_whole(inputs, BLOCK) + 4))
    library.deg_pack(codes_KM.data_ptr(), codes_KM.stride(0), codes_KM.stride(1), inputs, outputs, packed.data_ptr())
    return packed


def unpack(packed: Tensor, inputs: int, outputs: int) -> Tensor:
    """The codes [K, M] that were packed."""
    blocks = -(-inputs // BLOCK)
    panels = packed[: -4 * _whole(outputs, 2 * PANEL)].view(-1, blocks, BLOCK // 4, PANEL, 4).permute(1, 2, 4, 0, 3)
    return panels.reshape(blocks * BLOCK, -1)[:inputs, :outputs].contiguous()


def linear(
    x_NK: Tensor,
    packed: Tensor,
    scale_M: Tensor,
    *,
    norm: Norm | None = None,
    onto: Tensor | None = None,
    gated: bool = False,
) -> Tensor:
    """Quantise rows (of the RMSNorm of x where ``norm`` is given), multiply exactly, rescale, add to ``onto``: [N, M].

    ``gated``: the outputs are F gates, then F ups, F a multiple of 16, and ``silu(gate) * up`` [N, F] comes out.
    """
    library = functions()
    assert library is not None
    rows, inputs, outputs = x_NK.shape[0], _whole(x_NK.shape[1], BLOCK), scale_M.shape[0]
    codes = torch.empty(_whole(rows, TILE) // PANEL, inputs // BLOCK, PANEL, BLOCK, dtype=torch.int8)
    row_scale = torch.empty(rows)
    quantize_rows(x_NK, codes, row_scale, norm)
    out = torch.empty(rows, outputs // 2 if gated else outputs)
    counter = array("q", [0])
    arguments = (
        *(codes.data_ptr(), row_scale.data_ptr(), rows, packed.data_ptr(), scale_M.data_ptr(), inputs, outputs),
        *(int(gated), 0 if onto is None else onto.data_ptr(), 0 if onto is None else onto.stride(0)),
        *(out.data_ptr(), out.stride(0), counter.buffer_info()[0]),
    )
    in_tasks(lambda: library.deg_product(*arguments), parallel=rows * inputs * outputs >= _ALONE)
    return out


def feed_forward(x_ND: Tensor, norm: Norm, gate_up: Packed, down: Packed) -> Tensor:
    """``x + down(silu(gate) * up)``, gate and up of the RMSNorm of x. A matrix is its packed codes and its scales."""
    library = functions()
    assert library is not None
    rows, width = x_ND.shape
    outputs = gate_up[1].shape[0]
    inputs, hidden = _whole(width, BLOCK), _whole(outputs // 2, BLOCK)
    threads = torch.get_num_threads() if rows * inputs * outputs >= _ALONE else 1
    tasks = max(threads, -(-rows // _BLOCK_ROWS))
    block = _whole(-(-rows // tasks), TILE)
    if rows < threads * TILE:  # too few to give each thread its own
        gated = linear(x_ND, *gate_up, norm=norm, gated=True)
        return linear(gated, *down, onto=x_ND)
    out, counter = torch.empty(rows, width), array("q", [0])
    arguments = (
        *(x_ND.data_ptr(), norm[0].data_ptr(), norm[1], rows, width),
        *(gate_up[0].data_ptr(), gate_up[1].data_ptr(), inputs, outputs),
        *(down[0].data_ptr(), down[1].data_ptr(), hidden, out.data_ptr(), block, counter.buffer_info()[0]),
    )
    in_tasks(lambda: library.deg_feed_forward(*arguments), parallel=threads > 1)
    return out
