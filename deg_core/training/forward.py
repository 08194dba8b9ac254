"""The packed forward pass: all trunks and forks of a step through the layers as one batch of tokens.

An attention layer sees the pack through its forks' groups. A state layer reads each record's trunk from nothing, then
each fork from the state that its trunk ends in, so gradients flow from the forks through that state into the trunk.
"""

from __future__ import annotations

from typing import TypeAlias

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from deg_core.protocols.state import Recurrent
from deg_core.runtime.body import Body
from deg_core.training.adapters import TrainingWeights
from deg_core.training.attention import attend_forks, attend_trunk
from deg_core.training.loops import EAGER
from deg_core.training.packing import Pack

Rows: TypeAlias = "tuple[Tensor, tuple[Recurrent, ...]]"  # hidden states of rows laid end to end, and each one's state


def packed_hidden(body: Body, batch: Pack, first_layer: int, *, recompute: bool = False) -> Tensor:
    """Final hidden states [N, D]. Layers below ``first_layer`` run without gradient.

    ``recompute`` keeps of every other layer its input alone and runs it once more in the backward pass (Chen et al.
    2016, arXiv:1604.06174): the same gradients from a fraction of the memory, for a third more work.
    """
    family, config, weights = body.family, body.config, body.weights
    rotary = family.positions(config, batch.positions)
    with torch.no_grad():
        h = weights.embed(batch.ids)
        for layer in range(first_layer):
            h = _layer(body, layer, h, rotary, batch)
    for layer in range(first_layer, len(body.geometry.layers)):
        if recompute:  # nothing in a layer is drawn at random, so there is no state of a generator to put back
            h = checkpoint(_layer, body, layer, h, rotary, batch, use_reentrant=False, preserve_rng_state=False)
        else:
            h = _layer(body, layer, h, rotary, batch)
    return family.final_norm(weights, config, h)


def _layer(body: Body, layer: int, h: Tensor, rotary: object, batch: Pack) -> Tensor:
    if body.geometry.layers[layer] == "state":
        return _state_layer(body, layer, h, batch)
    return _attention_layer(body, layer, h, rotary, batch)


def _attention_layer(body: Body, layer: int, h: Tensor, rotary: object, batch: Pack) -> Tensor:
    loops = body.weights.loops if isinstance(body.weights, TrainingWeights) else EAGER
    q, k, v, extra = body.family.attn_qkv(body.weights, body.config, layer, h, rotary)
    repeat = q.shape[1] // k.shape[1]
    heads = (q, k.repeat_interleave(repeat, dim=1), v.repeat_interleave(repeat, dim=1))
    q_parts, k_parts, v_parts = (x.transpose(0, 1).split(batch.sizes, dim=1) for x in heads)  # each [H, size, K]
    parts = []
    for index, record in enumerate(batch.records):
        q_read, k_read, v_read = (part[2 * index] for part in (q_parts, k_parts, v_parts))
        parts.append(attend_trunk(q_read, k_read, v_read, loops))
        if record.groups:
            forks = [part[2 * index + 1] for part in (q_parts, k_parts, v_parts)]
            parts.append(attend_forks(forks, (k_read, v_read), record.fork_lengths, record.groups, loops))
    attended = torch.cat(parts, dim=1).transpose(0, 1)
    return body.family.attn_out(body.weights, body.config, layer, h, attended, extra)


def _state_layer(body: Body, layer: int, h_ND: Tensor, batch: Pack) -> Tensor:
    """Trunks in one call, then the forks of all records in another."""

    def read(parts: list[Tensor], states: list[Recurrent | None], lengths: list[int]) -> Rows:
        return body.family.rec_layer(body.weights, body.config, layer, torch.cat(parts), states, tuple(lengths))

    parts = h_ND.split(batch.sizes)
    trunks, forks = list(parts[::2]), list(parts[1::2])
    trunk_lengths = [len(part) for part in trunks]
    trunk_out, after = read(trunks, [None] * len(trunks), trunk_lengths)
    states = [state for record, state in zip(batch.records, after, strict=True) for _ in record.fork_lengths]
    lengths = [length for record in batch.records for length in record.fork_lengths]
    if not lengths:
        return trunk_out
    fork_out, _ = read(forks, list(states), lengths)
    outs = (trunk_out.split(trunk_lengths), fork_out.split([len(part) for part in forks]))
    return torch.cat([part for record in zip(*outs, strict=True) for part in record])
