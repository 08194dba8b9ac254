"""The packed forward pass: all trunks and forks of a step through the layers as one batch of tokens."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from deg_core.runtime.body import Body
from deg_core.training.packing import ForkGroup, Pack


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
        trunk, forks = ((q_parts[i], k_parts[i], v_parts[i]) for i in (2 * index, 2 * index + 1))
        q_read, k_read, v_read = (x.unsqueeze(0) for x in trunk)
        read = scaled_dot_product_attention(q_read, k_read, v_read, is_causal=True)
        parts.append(read[0].transpose(0, 1))
        if record.groups:
            parts.append(_forks(forks, trunk, record.groups))
    return body.family.attn_out(body.weights, body.config, layer, h, torch.cat(parts), extra)


def _forks(
    forks: tuple[Tensor, Tensor, Tensor], trunk: tuple[Tensor, Tensor, Tensor], groups: tuple[ForkGroup, ...]
) -> Tensor:
    """Attention of one record's forks over its trunk and themselves -> [fork tokens, H, K]."""
    places, parts = [], []
    for group in groups:
        count, width = group.rows.shape
        q, k, v = (
            x.index_select(1, group.rows.flatten()).unflatten(1, (count, width)).transpose(0, 1) for x in forks
        )
        k, v = (
            torch.cat([shared.unsqueeze(0).expand(count, -1, -1, -1), own], dim=2)
            for shared, own in ((trunk[1], k), (trunk[2], v))
        )
        out = scaled_dot_product_attention(q, k, v, attn_mask=group.mask)
        parts.append(out.transpose(1, 2)[group.real])
        places.append(group.rows[group.real])
    joined = torch.cat(parts)
    return torch.empty_like(joined).index_copy(0, torch.cat(places), joined)
