"""Writing: rows that read one token each per step, many in one pass, none aware of the others (SPEC 12.2).

A row continues a state that it shares with other rows by reference; its own keys and values, of the header and of what
it has written, are its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias, cast

import torch
from torch import Tensor

from deg_core.kernels.attention import decode_attention
from deg_core.protocols.state import KV, LayerState, Recurrent, TrunkState
from deg_core.runtime.body import Body, reach_of, run_layers
from deg_core.runtime.fork import FORK_TOKENS, fork_passes
from deg_core.runtime.weights import WritingWeights

_GROWTH = 64  # tokens; memory of a row grows to twice its size, at least by so many


@dataclass(slots=True, eq=False)
class Row:
    """One text being written: the state that it continues, and its own state after ``length`` more tokens.

    ``own_A2GCK`` holds keys and values (2) of each attention layer (A) in room for C tokens; ``recurrent`` the state
    of each state layer by its place.
    """

    prefix: TrunkState
    length: int
    own_A2GCK: Tensor
    recurrent: dict[int, Recurrent] = field(default_factory=dict)

    def grow(self) -> None:
        """Make room for one more token."""
        a, two, g, capacity, k = self.own_A2GCK.shape
        if self.length == capacity:
            larger = self.own_A2GCK.new_empty(a, two, g, capacity + max(capacity, _GROWTH), k)
            larger[:, :, :, :capacity] = self.own_A2GCK
            self.own_A2GCK = larger

    def copy(self) -> Row:
        """The same text, to be continued in another way; what stands before it stays shared."""
        a, two, g, _, k = self.own_A2GCK.shape
        own = self.own_A2GCK.new_empty(a, two, g, self.length + _GROWTH, k)
        own[:, :, :, : self.length] = self.own_A2GCK[:, :, :, : self.length]
        recurrent = {place: Recurrent(r.matrix.clone(), r.conv_tail.clone()) for place, r in self.recurrent.items()}
        return Row(self.prefix, self.length, own, recurrent)


@torch.inference_mode()
def begin(
    body: Body, rows: Sequence[tuple[TrunkState, Sequence[int]]], *, limit: int = FORK_TOKENS
) -> tuple[list[Row], Tensor]:
    """Read each row's header, token ids that continue its state (at least one), and give the rows and the hidden
    states [N, D] after them. Headers are forks: they run together, at most ``limit`` tokens a pass."""
    made: list[Row] = []
    last: list[Tensor] = []
    for batch, hidden, states in fork_passes(body, rows, limit=limit):
        made += [_row(prefix, len(ids), own) for (prefix, ids), own in zip(batch, states, strict=True)]
        last += [part[-1] for part in hidden]
    return made, torch.stack(last)


def _row(prefix: TrunkState, length: int, layers: Sequence[LayerState]) -> Row:
    attention = [layer for layer in layers if isinstance(layer, KV)]
    recurrent = {place: layer for place, layer in enumerate(layers) if isinstance(layer, Recurrent)}
    if not attention:
        return Row(prefix, length, torch.empty(0, 2, 0, length, 0), recurrent)
    groups, _, dim = attention[0].k_GPK.shape
    own = attention[0].k_GPK.new_empty(len(attention), 2, groups, length + _GROWTH, dim)
    for place, layer in enumerate(attention):
        own[place, 0, :, :length] = layer.k_GPK
        own[place, 1, :, :length] = layer.v_GPK
    return Row(prefix, length, own, recurrent)


Step: TypeAlias = Callable[[Sequence[Row], Sequence[int]], Tensor]  # rows, their next tokens -> hidden states [N, D]


def stepper(body: Body) -> Step:
    """What lets rows of this body read one more token: ``step``, or what repeats it from a recording on a GPU. It keeps
    its recordings, so it is worth keeping itself; not to be shared between threads."""
    if body.device.type != "cuda":
        return partial(step, body)
    from deg_core.runtime.decode_graph import DecodeGraph  # its kernels need Triton

    return DecodeGraph(body).step


@torch.inference_mode()
def step(body: Body, rows: Sequence[Row], tokens: Sequence[int]) -> Tensor:
    """Let each row read one more token, and give the hidden states [N, D] after it."""
    body = body.at("decode")
    for row in rows:
        row.grow()
        row.length += 1
    places = {layer: place for place, layer in enumerate(attention_layers(body))}
    kernels = body.weights.kernels()
    positions = torch.tensor([row.prefix.length + row.length - 1 for row in rows])

    def attend(layer: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        new_N2GK = torch.stack((k, v), dim=1)
        own = []
        for row, new in zip(rows, new_N2GK, strict=True):
            kept_2GCK = row.own_A2GCK[places[layer]]
            kept_2GCK[:, :, row.length - 1] = new
            k_GCK, v_GCK = kept_2GCK.unbind()
            own.append((k_GCK[:, : row.length], v_GCK[:, : row.length]))
        trunks = [cast("KV", row.prefix.layers[layer]) for row in rows]
        prefixes = [(trunk.k_GPK, trunk.v_GPK) for trunk in trunks]
        if kernels is not None:
            return kernels.decode_attention(q, own, prefixes)
        return decode_attention(q, own, prefixes, rounded=body.weights.rounded)

    def recur(layer: int, h: Tensor) -> Tensor:
        before = [row.recurrent[layer] for row in rows]
        h, after = body.family.rec_layer(body.weights, body.config, layer, h, before, (1,) * len(rows))
        for row, state in zip(rows, after, strict=True):
            row.recurrent[layer] = state
        return h

    reach_N = reach_of(body, [row.prefix.reach for row in rows], [1] * len(rows))
    return run_layers(body, torch.tensor(list(tokens)), positions, attend, recur, reach_N)


def attention_layers(body: Body) -> list[int]:
    """The places of the layers that keep keys and values."""
    return [layer for layer, kind in enumerate(body.geometry.layers) if kind == "attention"]


@torch.inference_mode()
def token_logits(body: Body, hidden_ND: Tensor) -> Tensor:
    """Next-token logits [N, V] of hidden states that ``begin`` or ``step`` gave."""
    if not isinstance(body.weights, WritingWeights):
        raise TypeError("only serving weights have an LM head")
    return body.weights.logits(hidden_ND)
