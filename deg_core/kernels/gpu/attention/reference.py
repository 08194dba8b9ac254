"""What attention gives, in float64.

Shapes: N tokens laid end to end, H query heads, G key/value heads, K head dim, P tokens of a prefix.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from deg_core.protocols.kernels import Keys


def fork_attention(
    q_NHK: Tensor, k_NGK: Tensor, v_NGK: Tensor, lengths: Sequence[int], prefixes: Sequence[Keys | None]
) -> Tensor:
    """Row i, ``lengths[i]`` tokens, attends to all of ``prefixes[i]`` ([G, P, K] each) and causally to itself."""
    rows = []
    parts = (x.split(list(lengths)) for x in (q_NHK, k_NGK, v_NGK))
    for q, k, v, prefix in zip(*parts, prefixes, strict=True):
        rows.append(attended(q, (k.transpose(0, 1), v.transpose(0, 1)), prefix, causal=True))
    return torch.cat(rows)


def attended(q_LHK: Tensor, own: Keys, prefix: Keys | None, *, causal: bool) -> Tensor:
    """One row's queries over ``prefix`` and then ``own``, keys and values [G, tokens, K] each."""
    pairs = [own] if prefix is None else [prefix, own]
    k, v = (torch.cat(parts, dim=1).double() for parts in zip(*pairs, strict=True))
    repeat = q_LHK.shape[1] // k.shape[0]
    k, v = k.repeat_interleave(repeat, 0), v.repeat_interleave(repeat, 0)
    scores = torch.einsum("lhk,hpk->hlp", q_LHK.double(), k) / math.sqrt(q_LHK.shape[2])
    if causal:
        length, seen = q_LHK.shape[0], k.shape[1]
        later = torch.ones(length, seen, dtype=torch.bool, device=k.device).triu(seen - length + 1)
        scores = scores.masked_fill(later, -math.inf)
    return torch.einsum("hlp,hpk->lhk", scores.softmax(-1), v).to(q_LHK.dtype)
