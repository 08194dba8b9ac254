"""One pass over whole texts with plain softmax attention: the definition that forks, chunks and steps are held to.

Shapes: N tokens of all rows laid end to end, T of one row, H query heads, G key/value heads, K head dim, D hidden size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from deg_core.protocols.state import Recurrent
from deg_core.runtime.body import Attend, Body, Recur, run_layers


def plain_hidden(body: Body, rows: Sequence[Sequence[int]]) -> list[Tensor]:
    """Final hidden states [T, D] of each row, read from its first token in one pass. Differentiable."""
    lengths = tuple(len(row) for row in rows)
    ids = torch.tensor([token for row in rows for token in row])
    positions = torch.cat([torch.arange(length) for length in lengths])
    return list(run_layers(body, ids, positions, causal(lengths), causal_rows(body, lengths)).split(lengths))


def causal(lengths: tuple[int, ...]) -> Attend:
    """Attention of each row over itself."""

    def attend(layer: int, q_NHK: Tensor, k_NGK: Tensor, v_NGK: Tensor) -> Tensor:
        parts = zip(q_NHK.split(lengths), k_NGK.split(lengths), v_NGK.split(lengths), strict=True)
        return torch.cat([attention(q, k, v) for q, k, v in parts])

    return attend


def causal_rows(body: Body, lengths: tuple[int, ...]) -> Recur:
    """State layers over each row from nothing."""

    def recur(layer: int, h_ND: Tensor) -> Tensor:
        blank = [None] * len(lengths)
        return body.family.rec_layer(body.weights, body.config, layer, h_ND, blank, lengths)[0]

    return recur


def attention(q_THK: Tensor, k_TGK: Tensor, v_TGK: Tensor) -> Tensor:
    """softmax(q k^T / sqrt(K)) v with a causal mask, heads of a group sharing keys; the last query sees all keys."""
    repeat = q_THK.shape[1] // k_TGK.shape[1]
    q = q_THK.transpose(0, 1)
    k, v = (x.repeat_interleave(repeat, dim=1).transpose(0, 1) for x in (k_TGK, v_TGK))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    before = k.shape[1] - q.shape[1]
    hidden = torch.ones(q.shape[1], k.shape[1], dtype=torch.bool).triu(1 + before)
    return (scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v).transpose(0, 1)


def plain_continued(body: Body, trunk: Sequence[int], fork: Sequence[int]) -> Tensor:
    """Final hidden states [T, D] of a fork that continues a trunk by its keys, values and states. Differentiable, back
    into the trunk's tokens."""
    past: dict[int, tuple[Tensor, Tensor]] = {}
    states: dict[int, Recurrent] = {}
    read, going = (len(trunk),), (len(fork),)
    whole = causal(read)

    def keep(layer: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        past[layer] = (k, v)
        return whole(layer, q, k, v)

    def start(layer: int, h_ND: Tensor) -> Tensor:
        h_ND, (states[layer],) = body.family.rec_layer(body.weights, body.config, layer, h_ND, [None], read)
        return h_ND

    def attend(layer: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        before_k, before_v = past[layer]
        return attention(q, torch.cat([before_k, k]), torch.cat([before_v, v]))

    def go_on(layer: int, h_ND: Tensor) -> Tensor:
        return body.family.rec_layer(body.weights, body.config, layer, h_ND, [states[layer]], going)[0]

    run_layers(body, torch.tensor(list(trunk)), torch.arange(len(trunk)), keep, start)
    positions = torch.arange(len(trunk), len(trunk) + len(fork))
    return run_layers(body, torch.tensor(list(fork)), positions, attend, go_on)
