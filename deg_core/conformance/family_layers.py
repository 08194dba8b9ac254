"""Each layer function by itself: it writes to nothing, and a row of it is that row's alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import torch
from torch import Tensor

from deg_core.conformance.family_case import FamilyCase, parts
from deg_core.conformance.report import CheckFailed
from deg_core.kernels.testing import row_mismatches
from deg_core.protocols.state import Recurrent
from deg_core.runtime.body import Body

# One more than a tile of 64, and one more again. A state layer runs row by row, so fewer tell as much.
ROWS: Final[dict[str, tuple[int, ...]]] = {"attention": (1, 17, 65, 66), "state": (1, 3, 7)}
THREADS: Final = (2, 5)

RowFunction: TypeAlias = Callable[[Tensor], Tensor]  # [N, ...] -> [N, ...]


def inputs_unchanged(case: FamilyCase) -> None:
    """A layer function may be given what is used again: the hidden states before a residual, a trunk's state. It gives
    new tensors and leaves its arguments as they are."""
    with torch.inference_mode():
        for layer in case.layers:
            for name, call, given in _calls(case, layer):
                before = [tensor.clone() for tensor in given]
                call()
                for tensor, kept in zip(given, before, strict=True):
                    if not torch.equal(tensor, kept):
                        raise CheckFailed(
                            "arguments as they were before the call",
                            f"{name} of layer {layer} changed an argument of shape {list(kept.shape)}",
                        )


def _calls(case: FamilyCase, layer: int) -> Iterator[tuple[str, Callable[[], Any], list[Tensor]]]:
    """The functions of a layer with what they are given."""
    body = case.body("fp32")
    family, weights, config = body.family, body.weights, body.config
    h = case.hidden(7)
    if case.geometry.layers[layer] == "state":
        _, states = family.rec_layer(weights, config, layer, h, [None, None], (4, 3))
        more = case.hidden(5, seed=1)
        given = [more, *(part for state in states for part in parts(state))]
        yield "rec_layer", lambda: family.rec_layer(weights, config, layer, more, states, (3, 2)), given
    else:
        rotary = family.positions(config, torch.arange(7), None)
        yield "attn_qkv", lambda: family.attn_qkv(weights, config, layer, h, rotary), [h, *tensors_in(rotary)]
        q, _, _, extra = family.attn_qkv(weights, config, layer, h, rotary)
        q = q.contiguous()
        given = [h, q, *tensors_in(extra)]
        yield "attn_out", lambda: family.attn_out(weights, config, layer, h, q, extra), given
    yield "final_norm", lambda: family.final_norm(weights, config, h), [h]


def tensors_in(value: Any) -> list[Tensor]:
    """All tensors in nested tuples, lists and dicts."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [tensor for each in value for tensor in tensors_in(each)] if isinstance(value, (tuple, list)) else []


def layer_rows(case: FamilyCase) -> None:
    """``attn_qkv``, ``attn_out``, ``rec_layer``, ``final_norm`` and ``positions`` over rows alone, first, last, moved
    and among others, on 1, 2 and 5 threads, in every arithmetic that is served."""
    for compute in case.arithmetics():
        body = case.body(compute)
        for layer in case.layers:
            for name, function in _row_functions(body, layer):
                counts = ROWS[body.geometry.layers[layer]]
                rows = torch.cat([case.hidden(counts[-1]), torch.arange(counts[-1])[:, None] % 41], dim=1)
                with torch.inference_mode():
                    found = row_mismatches(function, rows, counts=counts, thread_counts=(1,))
                    found += row_mismatches(function, rows, counts=counts[-1:], thread_counts=THREADS)
                if found:
                    more = f" ({len(found)} cases)" if len(found) > 1 else ""
                    raise CheckFailed(
                        "the same bits for a row whatever the other rows are",
                        f"{name} of layer {layer} in {compute}: {found[0]}{more}",
                    )


def _row_functions(body: Body, layer: int) -> Iterator[tuple[str, RowFunction]]:
    """A layer's functions over rows [N, D + 1]: a hidden state and the position it is at."""
    family, weights, config = body.family, body.weights, body.config

    def project(rows: Tensor) -> tuple[Tensor, Tensor, Tensor, Any]:
        rotary = family.positions(config, rows[:, -1].long(), None)
        return family.attn_qkv(weights, config, layer, rows[:, :-1].contiguous(), rotary)

    def qkv(rows: Tensor) -> Tensor:
        return torch.cat([part.flatten(1) for part in project(rows)[:3]], dim=1)

    def out(rows: Tensor) -> Tensor:
        q, _, _, extra = project(rows)
        return family.attn_out(weights, config, layer, rows[:, :-1].contiguous(), q.contiguous(), extra)

    def state(rows: Tensor) -> Tensor:
        blank = [None] * len(rows)
        return family.rec_layer(weights, config, layer, rows[:, :-1].contiguous(), blank, (1,) * len(rows))[0]

    def later(rows: Tensor) -> Tensor:
        h = rows[:, :-1].contiguous()
        once = (1,) * len(rows)
        _, states = family.rec_layer(weights, config, layer, h, [None] * len(rows), once)
        again, after = family.rec_layer(weights, config, layer, h, states, once)
        return torch.cat([again, _stacked(after)], dim=1)

    if body.geometry.layers[layer] == "state":
        yield "rec_layer", state
        yield "rec_layer with a state", later
    else:
        yield "attn_qkv", qkv
        yield "attn_out", out
    if layer == 0:
        yield "final_norm", lambda rows: family.final_norm(weights, config, rows[:, :-1].contiguous())
        yield "positions beyond max_positions", lambda rows: _stretched(body, rows)


def _stacked(states: Sequence[Recurrent]) -> Tensor:
    return torch.stack([torch.cat([part.flatten().float() for part in parts(state)]) for state in states])


def _stretched(body: Body, rows: Tensor) -> Tensor:
    """What ``positions`` gives tokens of texts of different lengths, some longer than the family knows, by row."""
    places = rows[:, -1].long()
    reach = body.geometry.max_positions // 2 * (1 + places % 5)
    made = body.family.positions(body.config, places, reach)
    by_row = [tensor.reshape(len(rows), -1) for tensor in tensors_in(made) if tensor.shape[:1] == (len(rows),)]
    return torch.cat(by_row, dim=1) if by_row else places[:, None]
