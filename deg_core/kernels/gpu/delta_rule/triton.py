"""The gated delta rule as it is written down: one program a row, head and block of values, tokens in order.

Per head, with decay ``a = exp(g)``, writing strength ``beta`` and a state S [K, V]::

    S <- a S        S <- S + k (beta (v - S^T k))^T        o = S^T q

The columns of S do not mix, so each program keeps its own in registers for the whole row. A token with g = beta = 0
leaves them as they are, bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import torch
import triton
import triton.language as tl
from torch import Tensor

from deg_core.kernels.gpu.launch import STRICT, aligned, on, power_of_two
from deg_core.kernels.gpu.tables import row_table, to_device

_VALUES: Final = 8  # columns of the state that one program keeps: 32 registers a thread at a key dim of 128


@triton.jit
def delta_kernel(
    q_ptr: tl.tensor,
    k_ptr: tl.tensor,
    v_ptr: tl.tensor,
    g_ptr: tl.tensor,
    beta_ptr: tl.tensor,
    out_ptr: tl.tensor,
    rows_ptr: tl.tensor,
    from_ptr: tl.tensor,
    to_ptr: tl.tensor,
    q_token: tl.tensor,
    k_token: tl.tensor,
    v_token: tl.tensor,
    g_token: tl.tensor,
    beta_token: tl.tensor,
    scale: tl.tensor,
    eps: tl.tensor,
    REPEAT: tl.constexpr,
    HEADS: tl.constexpr,
    KEY_DIM: tl.constexpr,
    VALUE_DIM: tl.constexpr,
    KEYS: tl.constexpr,
    VALUES: tl.constexpr,
) -> None:
    """Program (block of values, head, row). ``from`` and ``to`` [rows] are addresses of fp32 states [HEADS, KEY_DIM,
    VALUE_DIM]; 0 to begin with is a state of zeros."""
    head, row = tl.program_id(1).to(tl.int64), tl.program_id(2).to(tl.int64)
    start = tl.load(rows_ptr + 2 * row)
    length = tl.load(rows_ptr + 2 * row + 1)
    key = tl.arange(0, KEYS)
    value = tl.program_id(0) * VALUES + tl.arange(0, VALUES)
    is_key, is_value = key < KEY_DIM, value < VALUE_DIM
    inside = is_key[:, None] & is_value[None, :]
    place = head * KEY_DIM * VALUE_DIM + key[:, None] * VALUE_DIM + value[None, :]
    known = tl.load(from_ptr + row)
    state = tl.zeros((KEYS, VALUES), tl.float32)
    if known != 0:
        state = tl.load(tl.multiple_of(known, 16).to(tl.pointer_type(tl.float32)) + place, mask=inside, other=0.0)
    q_at = q_ptr + start * q_token + head // REPEAT * KEY_DIM + key
    k_at = k_ptr + start * k_token + head // REPEAT * KEY_DIM + key
    v_at = v_ptr + start * v_token + head * VALUE_DIM + value
    g_at = g_ptr + start * g_token + head
    beta_at = beta_ptr + start * beta_token + head
    out_at = out_ptr + (start * HEADS + head) * VALUE_DIM + value
    for _ in range(0, length):
        q = tl.load(q_at, mask=is_key, other=0.0).to(tl.float32)
        k = tl.load(k_at, mask=is_key, other=0.0).to(tl.float32)
        v = tl.load(v_at, mask=is_value, other=0.0).to(tl.float32)
        q = q / tl.sqrt(tl.sum(q * q, 0) + eps) * scale
        k = k / tl.sqrt(tl.sum(k * k, 0) + eps)
        state = state * tl.exp(tl.load(g_at).to(tl.float32))
        expected = tl.sum(state * k[:, None], 0)
        written = (v - expected) * tl.load(beta_at).to(tl.float32)
        state = state + k[:, None] * written[None, :]
        tl.store(out_at, tl.sum(state * q[:, None], 0), mask=is_value)
        q_at += q_token
        k_at += k_token
        v_at += v_token
        g_at += g_token
        beta_at += beta_token
        out_at += HEADS * VALUE_DIM
    tl.debug_barrier()  # the state may be written back to where other threads of this program read it
    to = tl.multiple_of(tl.load(to_ptr + row), 16).to(tl.pointer_type(tl.float32)) + place
    tl.store(to, state, mask=inside)


def fork_delta_rule(
    q_NJK: Tensor,
    k_NJK: Tensor,
    v_NHV: Tensor,
    g_NH: Tensor,
    beta_NH: Tensor,
    states: Sequence[Tensor | None],
    lengths: Sequence[int],
    eps: float,
) -> tuple[Tensor, list[Tensor]]:
    """Rows laid end to end, row i from ``states[i]`` (fp32 [H, K, V], None: zeros), read in place -> outputs fp32
    [N, H, V] and each row's state after it.

    Queries and keys are brought to unit length (``eps`` under the root), queries scaled by 1 / sqrt(K); ``g`` is the
    decay's logarithm, at most 0. Key head j serves value heads j * H / J to (j + 1) * H / J - 1.
    """
    shape = (v_NHV.shape[1], q_NJK.shape[2], v_NHV.shape[2])
    held = [None if state is None else aligned(state.float().contiguous()) for state in states]
    if any(state is not None and state.shape != shape for state in held):
        raise ValueError(f"states are {[tuple(s.shape) for s in held if s is not None]}, all must be {shape}")
    size = math.prod(shape)
    after = torch.empty(len(held), -(-size // 4) * 4, dtype=torch.float32, device=v_NHV.device)  # rows at 16 bytes
    after = after[:, :size].view(-1, *shape)
    begins = [0 if state is None else state.data_ptr() for state in held]
    ends = [state.data_ptr() for state in after.unbind()]
    rows = row_table(tuple(lengths), v_NHV.device)
    addresses = to_device([*begins, *ends], len(held), v_NHV.device)
    out = run(q_NJK, k_NJK, v_NHV, g_NH, beta_NH, rows, (addresses[0], addresses[1]), eps)
    return out, list(after.unbind())


def run(
    q_NJK: Tensor,
    k_NJK: Tensor,
    v_NHV: Tensor,
    g_NH: Tensor,
    beta_NH: Tensor,
    rows: Tensor,
    addresses: tuple[Tensor, Tensor],
    eps: float,
) -> Tensor:
    """As ``fork_delta_rule``, with the rows' table and the addresses [R] of states before and after, which may be the
    same."""
    q, k, v = (aligned(_heads_together(x)) for x in (q_NJK, k_NJK, v_NHV))
    g, beta = aligned(g_NH), aligned(beta_NH)
    (count, heads, value_dim), (key_heads, key_dim) = v.shape, q.shape[1:]
    out = torch.empty(count, heads, value_dim, dtype=torch.float32, device=v.device)
    with on(v):
        delta_kernel[(triton.cdiv(value_dim, _VALUES), heads, rows.shape[0])](
            q,
            k,
            v,
            g,
            beta,
            out,
            rows,
            *addresses,
            q.stride(0),
            k.stride(0),
            v.stride(0),
            g.stride(0),
            beta.stride(0),
            key_dim**-0.5,
            eps,
            REPEAT=heads // key_heads,
            HEADS=heads,
            KEY_DIM=key_dim,
            VALUE_DIM=value_dim,
            KEYS=power_of_two(key_dim),
            VALUES=_VALUES,
            num_warps=1,
            **STRICT,
        )
    return out


def _heads_together(x_NHK: Tensor) -> Tensor:
    """Heads side by side, whatever lies between tokens."""
    return x_NHK if x_NHK.stride(1) == x_NHK.shape[2] or x_NHK.shape[1] == 1 else x_NHK.contiguous()
