"""Decode steps on a GPU as recorded graphs: one launch a step instead of hundreds (SPEC 12.2).

A recording repeats its kernels on the memory that they were recorded on. What changes from step to step (tokens,
positions, where each row's keys, values and states lie and how many there are) therefore stands in one table that is
filled anew; the rows' memory itself is found through it, so rows come, go and grow without being copied. A recording is
made for a number of rows (a power of two, the spare ones idle) and for a greatest length of prefixes and of own texts
(powers of two), and serves every step that fits.

Idle rows read and write spare memory that nobody looks at. What a row gets depends on that row alone, so it does not
matter which recording a step goes through.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import torch
from torch import Tensor

from deg_core.kernels.gpu.conv.triton import TOKENS
from deg_core.kernels.gpu.decode_attention.triton import OWN_LENGTH, append_keys, attend_rows, parts_for
from deg_core.kernels.gpu.launch import power_of_two
from deg_core.kernels.gpu.tables import SEGMENT, AddressedStates, block_table, row_table, segment
from deg_core.protocols.state import KV, LayerState, Recurrent
from deg_core.runtime.body import Body, reach_of, run_layers
from deg_core.runtime.decode import Row, attention_layers, step

_WARM_UPS: Final = 2  # runs before a recording, in which kernels are compiled and memory is set aside
_LEAST_PREFIX, _LEAST_OWN = 8, 2  # parts of keys that the smallest recording is made for


class DecodeGraph:
    """Steps of one body. Not shared between threads; keeps a recording for each size that was asked for."""

    def __init__(self, body: Body) -> None:
        self._body = body.at("decode")
        self._recordings: dict[tuple[int, int, int], _Recording] = {}
        self._addresses: dict[int, _Addresses] = {}

    @torch.inference_mode()
    def step(self, rows: Sequence[Row], tokens: Sequence[int]) -> Tensor:
        """As ``deg_core.runtime.decode.step``: each row reads one more token -> hidden states [N, D] after it."""
        if reach_of(self._body, [row.prefix.reach for row in rows], [1] * len(rows)) is not None:
            return step(self._body, rows, tokens)  # stretched positions are looked up on the host
        for row in rows:
            row.grow()
            row.length += 1
        self._addresses = {id(row): self._known(row) for row in rows}
        recording = self._recording(rows)
        recording.fill(list(self._addresses.values()), rows, tokens)
        return recording.run()[: len(rows)].clone()

    def _known(self, row: Row) -> _Addresses:
        known = self._addresses.get(id(row))
        if known is None or known.row is not row or known.memory != row.own_A2GCK.data_ptr():
            return _Addresses(self._body, row, [row.prefix.layers[layer] for layer in attention_layers(self._body)])
        return known

    def _recording(self, rows: Sequence[Row]) -> _Recording:
        prefix = power_of_two(max(parts_for(row.prefix.length) for row in rows), _LEAST_PREFIX)
        own = power_of_two(max(parts_for(row.length) for row in rows), _LEAST_OWN)
        size = (power_of_two(len(rows)), prefix, own)
        if size not in self._recordings:
            self._recordings[size] = _Recording(self._body, size[0], (prefix, own), _idle(self._body, rows[0]))
        return self._recordings[size]


class _Addresses:
    """Where a row's memory lies: ``keys`` [A, 2 * SEGMENT] by attention layer, ``states`` [S, 2] by state layer."""

    def __init__(self, body: Body, row: Row, prefix: Sequence[LayerState | None]) -> None:
        self.row, self.memory = row, row.own_A2GCK.data_ptr()
        for layer, state in row.recurrent.items():
            row.recurrent[layer] = Recurrent(state.matrix.contiguous(), state.conv_tail.contiguous())
        keys: list[int] = []
        for kept, own_2GCK in zip(prefix, row.own_A2GCK, strict=True):
            k_GCK, v_GCK = own_2GCK.unbind()
            before = (kept.k_GPK, kept.v_GPK) if isinstance(kept, KV) else None
            keys += [*segment(before), *segment((k_GCK, v_GCK))]
        states = [x.data_ptr() for _, s in sorted(row.recurrent.items()) for x in (s.matrix, s.conv_tail)]
        self.keys = torch.tensor(keys, dtype=torch.int64).view(len(prefix), 2 * SEGMENT)
        self.states = torch.tensor(states, dtype=torch.int64).view(len(row.recurrent), 2)


def _idle(body: Body, like: Row) -> _Addresses:
    """A row that continues nothing and whose only token is written over and over."""
    layers, two, groups, _, dim = like.own_A2GCK.shape
    blank = {
        layer: Recurrent(torch.zeros_like(state.matrix), torch.zeros_like(state.conv_tail))
        for layer, state in like.recurrent.items()
    }
    own_A2G1K = like.own_A2GCK.new_zeros(layers, two, groups, 1, dim)
    return _Addresses(body, Row(like.prefix, 1, own_A2G1K, blank), [None] * layers)


class _Recording:
    """The step for ``rows`` rows and ``parts`` of prefixes and own keys, recorded on a GPU and simply run elsewhere."""

    def __init__(self, body: Body, rows: int, parts: tuple[int, int], idle: _Addresses) -> None:
        self._body, self._rows, self._parts, self._idle = body, rows, parts, idle
        layers = list(enumerate(body.geometry.layers))
        self._attention = {layer: place for place, layer in enumerate(attention_layers(body))}
        self._state = {layer: place for place, layer in enumerate(layer for layer, kind in layers if kind == "state")}
        ones = (1,) * rows
        self._tables = row_table(ones, body.device), block_table(ones, TOKENS, body.device)
        size = rows * (2 + 2 * SEGMENT * len(self._attention) + 2 * len(self._state))
        self._host = torch.zeros(size, dtype=torch.int64)
        self._device = self._host.to(body.device)
        self.fill([], [], [])
        self._run = _recorded(self._forward, body.device) if body.device.type == "cuda" else self._forward

    def fill(self, addresses: Sequence[_Addresses], rows: Sequence[Row], tokens: Sequence[int]) -> None:
        """Say what the next step is about; rows that are not named are idle."""
        ids, positions, keys, states = self._views(self._host)
        spare = self._rows - len(rows)
        everyone = [*addresses, *[self._idle] * spare]
        ids.copy_(torch.tensor([*tokens, *[0] * spare]))
        positions.copy_(torch.tensor([*(row.prefix.length + row.length - 1 for row in rows), *[0] * spare]))
        keys.copy_(torch.stack([one.keys for one in everyone], dim=1))
        keys[:, :, OWN_LENGTH] = torch.tensor([*(row.length for row in rows), *[1] * spare])
        states.copy_(torch.stack([one.states for one in everyone], dim=2))
        self._device.copy_(self._host)

    def run(self) -> Tensor:
        """Hidden states [rows, D], to be copied before the next step."""
        return self._run()

    def _views(self, table: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Ids [R], positions [R], keys [A, R, 2 * SEGMENT] and states [S, 2, R] in one table."""
        attention, state, rows = len(self._attention), len(self._state), self._rows
        ids, positions, keys, states = table.split([rows, rows, attention * rows * 2 * SEGMENT, state * 2 * rows])
        return ids, positions, keys.view(attention, rows, 2 * SEGMENT), states.view(state, 2, rows)

    def _forward(self) -> Tensor:
        body = self._body
        ids, positions, keys, states = self._views(self._device)

        def attend(layer: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            table = keys[self._attention[layer]]
            append_keys(k, v, table)
            return attend_rows(q, table, k.shape[1], *self._parts)

        def recur(layer: int, h: Tensor) -> Tensor:
            matrices, tails = states[self._state[layer]].unbind()
            before = AddressedStates(matrices, tails, *self._tables)
            return body.family.rec_layer(body.weights, body.config, layer, h, before, (1,) * self._rows)[0]

        return run_layers(body, ids, positions, attend, recur)


def _recorded(forward: Callable[[], Tensor], device: torch.device) -> Callable[[], Tensor]:
    """Record what ``forward`` does and give what repeats it."""
    with torch.cuda.device(device):
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(_WARM_UPS):
                forward()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            hidden = forward()

    def repeat() -> Tensor:
        graph.replay()
        return hidden

    return repeat
