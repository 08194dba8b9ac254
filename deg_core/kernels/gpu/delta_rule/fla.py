"""Reading a text through flash-linear-attention's chunked gated delta rule, where that is installed.

Its kernels are tuned at run time, so the bits of a text that was read hold within one process, and across processes
where the tuning comes out the same (SPEC 12.2). Forks and decode steps never take this path.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

import torch
from torch import Tensor

CHUNK: Final = 64  # tokens; a shorter text is read token by token
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
    chunked = _chunked()
    assert chunked is not None
    repeat = v_THV.shape[1] // q_TJK.shape[1]
    q, k = (x.repeat_interleave(repeat, dim=1) if repeat > 1 else x for x in (q_TJK, k_TJK))
    batch: dict[str, Any] = {name: x.to(dtype)[None].contiguous() for name, x in (("q", q), ("k", k), ("v", v_THV))}
    out, after = chunked(
        **batch,
        g=g_TH.float()[None].contiguous(),
        beta=beta_TH.to(dtype)[None].contiguous(),
        initial_state=None if state_HKV is None else state_HKV.float()[None].contiguous(),
        output_final_state=True,
        use_qk_l2norm_in_kernel=True,
    )
    return out[0].float(), after[0].float().contiguous()
