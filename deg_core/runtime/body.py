"""A body: one family with its configuration and weights. The loop over layers that trunk and forks share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, cast

import torch
from torch import Tensor

from deg_core.kernels.attention import fork_attention
from deg_core.protocols.capabilities import Geometry
from deg_core.protocols.family import Family, Weights
from deg_core.protocols.kernels import Site
from deg_core.protocols.state import KV, LayerState, Recurrent, TrunkState
from deg_core.runtime.interrupt import give_up_if_unwanted

CPU: Final = torch.device("cpu")


@dataclass(frozen=True, slots=True)
class Body:
    """Everything needed to run tokens. Read-only: one body serves any number of trunks. ``device`` is where its weights
    lie and its states will, ``dtype`` what keys, values and hidden states are kept in."""

    family: Family
    config: Any
    weights: Weights
    geometry: Geometry
    device: torch.device = CPU
    dtype: torch.dtype = torch.float32

    def at(self, site: Site) -> Body:
        """This body for rows that are run from there."""
        weights = self.weights.at(site)
        return self if weights is self.weights else replace(self, weights=weights)


Attend: TypeAlias = Callable[[int, Tensor, Tensor, Tensor], Tensor]  # layer, q, k, v -> attended [N, H, K]
Recur: TypeAlias = Callable[[int, Tensor], Tensor]  # layer, h [N, D] -> h after a state layer


def run_layers(
    body: Body, ids_N: Tensor, positions_N: Tensor, attend: Attend, recur: Recur, reach_N: Tensor | None = None
) -> Tensor:
    """Final hidden states [N, D] of tokens at absolute positions. What a token sees is up to the two functions.
    ``reach_N`` are the lengths of the texts that the tokens belong to, where one is longer than the backbone knows.
    Raises Interrupted between two layers (`deg_core.runtime.interrupt`)."""
    family, config, weights, device = body.family, body.config, body.weights, body.device
    reach_N = reach_N.to(device) if reach_N is not None else None
    rotary = family.positions(config, positions_N.to(device), reach_N)
    h = weights.embed(ids_N.to(device))
    for layer, kind in enumerate(body.geometry.layers):
        give_up_if_unwanted()
        if kind == "state":
            h = recur(layer, h)
            continue
        q, k, v, extra = family.attn_qkv(weights, config, layer, h, rotary)
        h = family.attn_out(weights, config, layer, h, attend(layer, q, k, v), extra)
    return family.final_norm(weights, config, h)


def reach_of(body: Body, reaches: Sequence[int], lengths: Sequence[int]) -> Tensor | None:
    """Each row's reach for each of its tokens; None where all are within the backbone's own positions."""
    if max(reaches, default=0) <= body.geometry.max_positions:
        return None
    return torch.tensor(reaches).repeat_interleave(torch.tensor(lengths))


def advance(
    body: Body,
    ids_N: Tensor,
    lengths: tuple[int, ...],
    trunks: Sequence[TrunkState | None],
    *,
    reach: int = 0,
    keep: bool = True,
) -> tuple[Tensor, tuple[tuple[LayerState, ...], ...]]:
    """Run rows laid end to end, row i a continuation of ``trunks[i]`` (None: of nothing; it begins a text of ``reach``
    tokens).

    ``ids_N`` holds the rows' tokens, ``lengths`` their counts (all positive, summing to N). Returns the final hidden
    states [N, D] and, per layer, each row's own new state (K/V of its tokens, or its recurrent state); without ``keep``
    none, so that only one layer's states are held at a time.
    """
    begins = [trunk.length if trunk is not None else 0 for trunk in trunks]
    positions = torch.cat([torch.arange(b, b + length) for b, length in zip(begins, lengths, strict=True)])
    reach_N = reach_of(body, [trunk.reach if trunk is not None else reach for trunk in trunks], lengths)
    states: list[tuple[LayerState, ...]] = []
    kernels = body.weights.kernels()

    def priors(layer: int) -> list[LayerState | None]:
        return [trunk.layers[layer] if trunk is not None else None for trunk in trunks]

    def attend(layer: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        shared = [(prior.k_GPK, prior.v_GPK) if isinstance(prior, KV) else None for prior in priors(layer)]
        if keep:
            own = zip(k.split(lengths), v.split(lengths), strict=True)
            states.append(tuple(KV(k_row.transpose(0, 1), v_row.transpose(0, 1)) for k_row, v_row in own))
        if kernels is not None:
            return kernels.fork_attention(q, k, v, lengths, shared)
        return fork_attention(q, k, v, lengths, shared, rounded=body.weights.rounded)

    def recur(layer: int, h: Tensor) -> Tensor:
        before = cast("list[Recurrent | None]", priors(layer))
        h, after = body.family.rec_layer(body.weights, body.config, layer, h, before, lengths)
        if keep:
            states.append(after)
        return h

    return run_layers(body, ids_N, positions, attend, recur, reach_N), tuple(states)
