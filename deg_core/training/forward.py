"""The packed forward pass: all trunks and forks of a step through the layers as one batch of tokens."""

from __future__ import annotations

import torch
from torch import Tensor

from deg_core.runtime.body import Body
from deg_core.training.attention import attend_forks, attend_trunk
from deg_core.training.packing import Pack


def packed_hidden(body: Body, batch: Pack, first_layer: int) -> Tensor:
    """Final hidden states [N, D]. Layers below ``first_layer`` run without gradient."""
    family, config, weights = body.family, body.config, body.weights
    rotary = family.positions(config, batch.positions)
    with torch.no_grad():
        h = weights.embed(batch.ids)
        for layer in range(first_layer):
            h = _layer(body, layer, h, rotary, batch)
    for layer in range(first_layer, len(body.geometry.layers)):
        h = _layer(body, layer, h, rotary, batch)
    return family.final_norm(weights, config, h)


def _layer(body: Body, layer: int, h: Tensor, rotary: object, batch: Pack) -> Tensor:
    q, k, v, extra = body.family.attn_qkv(body.weights, body.config, layer, h, rotary)
    repeat = q.shape[1] // k.shape[1]
    sizes = [size for record in batch.records for size in (record.stop - record.start, record.fork_tokens)]
    heads = (q, k.repeat_interleave(repeat, dim=1), v.repeat_interleave(repeat, dim=1))
    q_parts, k_parts, v_parts = (x.transpose(0, 1).split(sizes, dim=1) for x in heads)  # each [H, size, K]
    parts = []
    for index, record in enumerate(batch.records):
        q_read, k_read, v_read = (part[2 * index] for part in (q_parts, k_parts, v_parts))
        parts.append(attend_trunk(q_read, k_read, v_read))
        if record.groups:
            forks = [part[2 * index + 1] for part in (q_parts, k_parts, v_parts)]
            parts.append(attend_forks(forks, (k_read, v_read), record.groups))
    attended = torch.cat(parts, dim=1).transpose(0, 1)
    return body.family.attn_out(body.weights, body.config, layer, h, attended, extra)
