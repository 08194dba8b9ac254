"""A body: one family with its configuration and weights. The loop over layers that trunk and forks share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor

from deg_core.kernels.attention import fork_attention
from deg_core.protocols.capabilities import Geometry
from deg_core.protocols.family import Family, Weights
from deg_core.protocols.state import KV, LayerState, Recurrent, TrunkState


@dataclass(frozen=True, slots=True)
class Body:
    """Everything needed to run tokens. Read-only: one body serves any number of trunks."""

    family: Family
    config: Any
    weights: Weights
    geometry: Geometry


def advance(
    body: Body, ids_N: Tensor, lengths: tuple[int, ...], trunks: Sequence[TrunkState | None]
) -> tuple[Tensor, tuple[tuple[LayerState, ...], ...]]:
    """Run rows laid end to end, row i a continuation of ``trunks[i]`` (None: of nothing).

    ``ids_N`` holds the rows' tokens, ``lengths`` their counts (all positive, summing to N). Returns the final hidden
    states [N, D] and, per layer, each row's own new state (K/V of its tokens, or its recurrent state).
    """
    family, config, weights = body.family, body.config, body.weights
    begins = [trunk.length if trunk is not None else 0 for trunk in trunks]
    positions = torch.cat([torch.arange(b, b + length) for b, length in zip(begins, lengths, strict=True)])
    rotary = family.positions(config, positions)
    h = weights.embed(ids_N)
    states: list[tuple[LayerState, ...]] = []
    for layer, kind in enumerate(body.geometry.layers):
        priors = [trunk.layers[layer] if trunk is not None else None for trunk in trunks]
        if kind == "state":
            h, after = family.rec_layer(weights, config, layer, h, cast("list[Recurrent | None]", priors), lengths)
            states.append(after)
            continue
        q, k, v, extra = family.attn_qkv(weights, config, layer, h, rotary)
        shared = [(prior.k_GPK, prior.v_GPK) if isinstance(prior, KV) else None for prior in priors]
        h = family.attn_out(weights, config, layer, h, fork_attention(q, k, v, lengths, shared), extra)
        own = zip(k.split(lengths), v.split(lengths), strict=True)
        states.append(tuple(KV(k_row.transpose(0, 1), v_row.transpose(0, 1)) for k_row, v_row in own))
    return family.final_norm(weights, config, h), tuple(states)
