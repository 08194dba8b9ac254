"""Reading a text once, in chunks on an absolute grid, into a frozen trunk state (SPEC 12.1)."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from deg_core.protocols.state import KV, LayerState, TrunkState
from deg_core.runtime.body import Body, advance

CHUNK = 512  # tokens; the grid is absolute, so a trunk's bits depend on its tokens alone


@torch.inference_mode()
def prefill(body: Body, ids: Sequence[int]) -> TrunkState:
    """The state after ``ids``. Each chunk continues the state before it, exactly as a fork continues a trunk."""
    tokens = torch.as_tensor(list(ids), dtype=torch.long)
    state: TrunkState | None = None
    hidden = []
    for start in range(0, len(tokens), CHUNK):
        chunk = tokens[start : start + CHUNK]
        h, layers = advance(body, chunk, (len(chunk),), (state,))
        hidden.append(h)
        merged = tuple(_extend(state.layers[i] if state is not None else None, own[0]) for i, own in enumerate(layers))
        state = TrunkState(merged, start + len(chunk), h)
    if state is None:
        raise ValueError("a trunk needs at least one token")
    return TrunkState(state.layers, state.length, torch.cat(hidden))


def _extend(before: LayerState | None, own: LayerState) -> LayerState:
    """A layer's state with a chunk's K/V appended; a recurrent state is simply the newer one."""
    if not isinstance(own, KV):
        return own
    if before is None:
        return KV(own.k_GPK.contiguous(), own.v_GPK.contiguous())
    assert isinstance(before, KV)
    return KV(torch.cat([before.k_GPK, own.k_GPK], dim=1), torch.cat([before.v_GPK, own.v_GPK], dim=1))
