"""A body: one family with its configuration and weights. The loop over layers that trunk and forks share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
    body: Body, ids_N: Tensor, lengths: tuple[int, ...], trunk: TrunkState | None
) -> tuple[Tensor, tuple[tuple[LayerState, ...], ...]]:
    """Run rows laid end to end, each a continuation of ``trunk`` (or of nothing).

    ``ids_N`` holds the rows' tokens, ``lengths`` their counts (all positive, summing to N). Returns the final hidden
    states [N, D] and, per layer, each row's own new state (K/V of its tokens, or its recurrent state).
    """
    family, config, weights = body.family, body.config, body.weights
    start = trunk.length if trunk is not None else 0
    positions = torch.cat([torch.arange(start, start + length) for length in lengths])
    rotary = family.positions(config, positions)
    h = weights.embed(ids_N)
    states: list[tuple[LayerState, ...]] = []
    for layer, kind in enumerate(body.geometry.layers):
        prior = trunk.layers[layer] if trunk is not None else None
        if kind == "state":
            assert prior is None or isinstance(prior, Recurrent)
            h, after = family.rec_layer(weights, config, layer, h, prior, lengths)
            states.append(after)
            continue
        assert prior is None or isinstance(prior, KV)
        q, k, v, extra = family.attn_qkv(weights, config, layer, h, rotary)
        shared = (prior.k_GPK, prior.v_GPK) if prior is not None else None
        h = family.attn_out(weights, config, layer, h, fork_attention(q, k, v, lengths, shared), extra)
        own = zip(k.split(lengths), v.split(lengths), strict=True)
        states.append(tuple(KV(k_row.transpose(0, 1), v_row.transpose(0, 1)) for k_row, v_row in own))
    return family.final_norm(weights, config, h), tuple(states)
