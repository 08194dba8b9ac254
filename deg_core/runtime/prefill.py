"""Reading a text once, in chunks, into a frozen trunk state, and reading on from one (SPEC 12.1).

Keys and values are written once, into memory of the size that they will have at the end: a long context is never held
twice and nothing is copied from chunk to chunk.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from deg_core.kernels.copying import copy_rows
from deg_core.protocols.state import KV, LayerState, Room, TrunkState
from deg_core.runtime.body import Body, advance

CHUNK = 512  # tokens, counted from where the reading begins, so a state's bits depend on what was read alone
DEVICE_CHUNK = 4096  # the same on a GPU, which fewer tokens do not fill


@torch.inference_mode()
def prefill(body: Body, ids: Sequence[int], *, reserve: int = 0) -> TrunkState:
    """The state after ``ids``. Each chunk continues the state before it, exactly as a fork continues a trunk.
    ``reserve`` tokens more fit behind it before ``extend`` has to copy."""
    if not ids:
        raise ValueError("a trunk needs at least one token")
    return _read_on(body, None, ids, reserve)


@torch.inference_mode()
def extend(body: Body, state: TrunkState, ids: Sequence[int]) -> TrunkState:
    """The state after ``ids`` more tokens; its hidden states are those of the added tokens.

    The given state stays as it is. The new one lies behind it in the same memory when that has room and nothing else
    went on from there; otherwise keys and values are copied once.
    """
    return _read_on(body, state, ids, 0) if ids else state


def _read_on(body: Body, before: TrunkState | None, ids: Sequence[int], reserve: int) -> TrunkState:
    body = body.at("trunk")
    size = CHUNK if body.device.type == "cpu" else DEVICE_CHUNK
    tokens = torch.as_tensor(list(ids), dtype=torch.long)
    begin = before.length if before is not None else 0
    end = begin + len(tokens)
    reach = before.reach if before is not None else end
    room, hidden, state = _claim(before, end), None, before
    for start in range(0, len(tokens), size):
        chunk = tokens[start : start + size]
        h, rows = advance(body, chunk, (len(chunk),), (state,), reach=reach)
        own = tuple(row[0] for row in rows)
        if room is None:
            room = _make_room(before, own, end, end + reserve)
        hidden = h.new_empty(len(tokens), h.shape[1]) if hidden is None else hidden
        hidden[start : start + len(chunk)] = h
        reached = begin + start + len(chunk)
        layers = tuple(_append(*pair, reached) for pair in zip(room.layers, own, strict=True))
        state = TrunkState(layers, reached, h, room, reach)
    assert state is not None
    assert hidden is not None
    return TrunkState(state.layers, end, hidden, room, reach)


def _claim(before: TrunkState | None, end: int) -> Room | None:
    """The room behind a state, taken up to ``end``; None when there is none or another continuation has it."""
    room = before.room if before is not None else None
    if before is None or room is None or room.used != before.length or room.capacity < end:
        return None
    room.used = end
    return room


def _make_room(before: TrunkState | None, own: Sequence[LayerState], end: int, capacity: int) -> Room:
    """New memory for keys and values like those of ``own``, with those of ``before`` at its start."""
    kept: list[KV | None] = []
    for layer, state in enumerate(own):
        if not isinstance(state, KV):
            kept.append(None)
            continue
        made = KV(_like(state.k_GPK, capacity), _like(state.v_GPK, capacity))
        past = before.layers[layer] if before is not None else None
        if before is not None and isinstance(past, KV):
            made.k_GPK[:, : before.length] = past.k_GPK
            made.v_GPK[:, : before.length] = past.v_GPK
        kept.append(made)
    return Room(tuple(kept), capacity, end)


def _like(x_GPK: Tensor, capacity: int) -> Tensor:
    return x_GPK.new_empty(x_GPK.shape[0], capacity, x_GPK.shape[2])


def _append(kept: KV | None, own: LayerState, end: int) -> LayerState:
    """A layer's state with a chunk's K/V written behind it; a recurrent state is simply the newer one."""
    if kept is None or not isinstance(own, KV):
        return own
    start = end - own.k_GPK.shape[1]
    copy_rows(own.k_GPK, kept.k_GPK[:, start:end])
    copy_rows(own.v_GPK, kept.v_GPK[:, start:end])
    return KV(kept.k_GPK[:, :end], kept.v_GPK[:, :end])
