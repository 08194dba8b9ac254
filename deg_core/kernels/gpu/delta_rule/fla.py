"""flash-linear-attention's chunked gated delta rule, where that is installed: it reads texts, and it trains.

Its kernels are tuned at run time, so the bits of a text that was read hold within one process, and across processes
where the tuning comes out the same (SPEC 12.2). Forks and decode steps that are served never take this path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import accumulate
from typing import Any, Final

import torch
from torch import Tensor

CHUNK: Final = 64  # tokens; a shorter text is read token by token
_WIDEST: Final = 256  # key dim that its kernels take
_EPS: Final = 1e-6  # what its normalisation of keys and queries adds under the root


@cache
def _chunked() -> Callable[..., tuple[Tensor, Tensor]] | None:
    if find_spec("fla") is None:
        return None
    try:
        from fla.ops.gated_delta_rule import chunk_gated_delta_rule
    except ImportError:  # a release of it that does not work with the torch or Triton that is here
        return None
    chunked: Callable[..., tuple[Tensor, Tensor]] = chunk_gated_delta_rule
    return chunked


def reads(length: int, dtype: torch.dtype, device: torch.device, eps: float) -> bool:
    """Whether a text of this length goes through these kernels: on a GPU, in half precision, long enough."""
    fit = device.type == "cuda" and dtype is not torch.float32 and length >= CHUNK and eps == _EPS
    return fit and _chunked() is not None


def trains(dtype: torch.dtype, device: torch.device, key_dim: int, eps: float) -> bool:
    """Whether rows are trained through these kernels: on a GPU, in half precision, with keys that they take. Short rows
    are, too: all go in one call."""
    return key_dim <= _WIDEST and reads(CHUNK, dtype, device, eps)


def read(
    q_TJK: Tensor,
    k_TJK: Tensor,
    v_THV: Tensor,
    g_TH: Tensor,
    beta_TH: Tensor,
    state_HKV: Tensor | None,
    dtype: torch.dtype,
) -> tuple[Tensor, Tensor]:
    """One text of T tokens from ``state`` (None: zeros) -> outputs fp32 [T, H, V] and the state fp32 [H, K, V] after
    it. ``dtype`` is what is multiplied in."""
    before = None if state_HKV is None else state_HKV.float()[None].contiguous()
    out, after = _call((q_TJK, k_TJK, v_THV, g_TH, beta_TH), before, dtype)
    return out, after[0].contiguous()


def train(
    q_NJK: Tensor,
    k_NJK: Tensor,
    v_NHV: Tensor,
    g_NH: Tensor,
    beta_NH: Tensor,
    states: Sequence[Tensor | None],
    lengths: Sequence[int],
    dtype: torch.dtype,
) -> tuple[Tensor, list[Tensor]]:
    """Rows laid end to end, row i from ``states[i]`` (fp32 [H, K, V], None: zeros) -> outputs fp32 [N, H, V] and each
    row's state after it. Differentiable, also through the states."""
    before = None
    if any(state is not None for state in states):
        blank = v_NHV.new_zeros(v_NHV.shape[1], k_NJK.shape[2], v_NHV.shape[2], dtype=torch.float)
        before = torch.stack([blank if state is None else state.float() for state in states])
    bounds = _bounds(tuple(lengths), v_NHV.device)
    out, after = _call((q_NJK, k_NJK, v_NHV, g_NH, beta_NH), before, dtype, cu_seqlens=bounds)
    return out, list(after.unbind())


@lru_cache(maxsize=16)
def _bounds(lengths: tuple[int, ...], device: torch.device) -> Tensor:
    """Where rows begin and end. The same tensor for the same rows: by it the kernels find again, in the next layer,
    what they worked out about chunks."""
    return torch.tensor([0, *accumulate(lengths)], device=device)


def _call(
    streams: tuple[Tensor, Tensor, Tensor, Tensor, Tensor], before: Tensor | None, dtype: torch.dtype, **rows: Tensor
) -> tuple[Tensor, Tensor]:
    """Outputs fp32 [T, H, V] and the states fp32 [rows, H, K, V] after them."""
    chunked = _chunked()
    assert chunked is not None
    q_TJK, k_TJK, v_THV, g_TH, beta_TH = streams
    repeat = v_THV.shape[1] // q_TJK.shape[1]
    q, k = (x.repeat_interleave(repeat, dim=1) if repeat > 1 else x for x in (q_TJK, k_TJK))
    batch: dict[str, Any] = {name: x.to(dtype)[None].contiguous() for name, x in (("q", q), ("k", k), ("v", v_THV))}
    out, after = chunked(
        **batch,
        g=g_TH.float()[None].contiguous(),
        beta=beta_TH.to(dtype)[None].contiguous(),
        initial_state=before,
        output_final_state=True,
        use_qk_l2norm_in_kernel=True,
        **rows,
    )
    return out[0].float(), after.float()
