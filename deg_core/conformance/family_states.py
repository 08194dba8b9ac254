"""Trunks, forks and steps: what the runtime makes of the layer functions, and that every row is its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import torch
from torch import Tensor

from deg_core.conformance.family_case import CLOSE, FamilyCase, parts, same_bits
from deg_core.conformance.plain import plain_hidden
from deg_core.conformance.report import CheckFailed
from deg_core.kernels.testing import poisoned_memory, relative_error, threads
from deg_core.protocols.state import TrunkState
from deg_core.runtime.body import Body
from deg_core.runtime.decode import begin, step
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import extend, prefill

THREADS: Final = (1, 2, 5)
FORKS: Final = (1, 3, 16, 17, 66)  # tokens; around the edges of vectors and of a state layer's grid
TRUNKS: Final = (5, 70)
LONG: Final = 540  # tokens, more than one chunk; real weights would take long
STEPS: Final = 4

Row = tuple[TrunkState, list[int]]


def whole_text(case: FamilyCase) -> None:
    """The hidden states of a trunk, and of forks that continue it, against one pass of plain attention over the whole
    text in fp32: the runtime's positions, states and attention add up to the architecture itself."""
    body, plain = case.body("fp32"), case.plain_body()
    with torch.no_grad():
        for length in TRUNKS if case.snapshot is not None else (*TRUNKS, LONG):
            trunk_ids = case.ids(length)
            trunk = prefill(body, trunk_ids)
            forks = [case.ids(count, seed=1) for count in FORKS]
            found = [trunk.hidden_PD, *run_forks(body, [(trunk, fork) for fork in forks])]
            wanted = plain_hidden(plain, [trunk_ids, *(trunk_ids + fork for fork in forks)])
            names = ["the trunk", *(f"a fork of {len(fork)} tokens" for fork in forks)]
            for name, a, b in zip(names, found, wanted, strict=True):
                close(a, b[-len(a) :], "the hidden states of one uncached pass", f"{name} after {length} tokens")


def chunks(case: FamilyCase) -> None:
    """A text read in pieces against the same text read at once, in fp32: hidden states, keys, values and states. The
    bits may differ by rounding; a deg that reads long texts cuts them every 512 tokens, always at the same places."""
    body = case.body("fp32")
    ids = case.ids(90)
    whole = prefill(body, ids)
    for cuts in ((1, 89), (64, 26), (17, 1, 1, 71), (89, 1)):
        state, start, hidden = None, 0, []
        for cut in cuts:
            piece = ids[start : start + cut]
            state = prefill(body, piece) if state is None else extend(body, state, piece)
            hidden.append(state.hidden_PD)
            start += cut
        assert state is not None
        where = f"pieces of {', '.join(map(str, cuts))} tokens"
        expectation = "what reading the text at once gives"
        close(torch.cat(hidden), whole.hidden_PD, expectation, f"hidden states of {where}")
        for layer, (found, wanted) in enumerate(zip(state.layers, whole.layers, strict=True)):
            for a, b in zip(parts(found), parts(wanted), strict=True):
                close(a, b, expectation, f"the state of layer {layer} after {where}")


def forks(case: FamilyCase) -> None:
    """Forks of several lengths on two trunks, each alone on one thread; then all together, in another order, between
    strangers, on more threads, and in passes of few tokens."""
    for compute in case.arithmetics():
        body, rows = _rows(case, compute)
        alone = _alone(body, rows)
        order = list(range(len(rows)))[::-1]
        strangers: list[Row] = [(rows[0][0], case.ids(count, seed=7)) for count in (9, 33, 2)]
        expectation = "the bits that each fork has alone"
        for count in THREADS:
            with threads(count):
                together = run_forks(body, [*strangers, *(rows[i] for i in order), *strangers])[3:-3]
            where = f"{compute}, {len(rows)} forks in another order between strangers, {count} threads"
            same_bits(together, [alone[i] for i in order], expectation, where)
        same_bits(run_forks(body, rows, limit=40), alone, expectation, f"{compute}, in passes of 40 tokens")
        same_bits(_alone(body, rows), alone, expectation, f"{compute}, asked again")


def neighbours(case: FamilyCase) -> None:
    """A row whose trunk is all NaN stands before and after a sound one, and leaves it as it is."""
    for compute in case.arithmetics():
        body = case.body(compute)
        trunk = prefill(body, case.ids(20))
        sick = TrunkState(
            tuple(type(layer)(*(torch.full_like(part, torch.nan) for part in parts(layer))) for layer in trunk.layers),
            trunk.length,
            trunk.hidden_PD,
        )
        ids = case.ids(17, seed=1)
        expected = run_forks(body, [(trunk, ids)])
        found = run_forks(body, [(sick, ids), (trunk, ids), (sick, ids)])
        same_bits(found[1:2], expected, "a row that its neighbours' NaN does not reach", compute)
        if not found[0].isnan().any():
            raise CheckFailed(
                "a fork of a trunk of NaN to be NaN", f"{compute}: it is not, so it does not read its trunk"
            )


def trunk_unchanged(case: FamilyCase) -> None:
    """The tensors of a trunk before and after forks, written rows and a continuation of it."""
    for compute in case.arithmetics():
        body = case.body(compute)
        trunk = prefill(body, case.ids(30), reserve=8)
        held = [trunk.hidden_PD, *(part for layer in trunk.layers for part in parts(layer))]
        before = [tensor.clone() for tensor in held]

        continuations: dict[str, Callable[[], object]] = {
            "forks": partial(run_forks, body, [(trunk, case.ids(count)) for count in (5, 17)]),
            "written rows": partial(_write, body, [(trunk, case.ids(3)), (trunk, case.ids(2))], [case.ids(STEPS)] * 2),
            "extend": partial(extend, body, trunk, case.ids(6)),
        }
        for name, call in continuations.items():
            call()
            same_bits(held, before, "a trunk that stays as it was read", f"{compute}, after {name}")


def trunk_threads(case: FamilyCase) -> None:
    """A text (of two chunks, on tiny weights) read again and on more threads."""
    ids = case.ids(LONG if case.snapshot is None else 130)
    for compute in case.arithmetics():
        body = case.body(compute)
        with threads(1):
            expected = _tensors(prefill(body, ids))
        for count in THREADS:
            with threads(count):
                found = _tensors(prefill(body, ids))
            same_bits(found, expected, "the same bits at every reading", f"{compute}, {count} threads")


def steps(case: FamilyCase) -> None:
    """Rows that are kept and go on token by token: alone, and next to others in another order on more threads."""
    for compute in case.arithmetics():
        body, headers = _rows(case, compute, lengths=(1, 16, 5))
        written = [case.ids(STEPS, seed=3 + place) for place in range(len(headers))]
        with threads(1):
            alone = [_write(body, [row], [tokens])[0] for row, tokens in zip(headers, written, strict=True)]
        order = [*range(1, len(headers)), 0]
        for count in THREADS:
            with threads(count):
                found = _write(body, [headers[i] for i in order], [written[i] for i in order])
            where = f"{compute}, {len(order)} rows in another order, {count} threads"
            same_bits(found, [alone[i] for i in order], "the bits that each row has alone", where)


def steps_are_forks(case: FamilyCase) -> None:
    """Token by token against one fork of header and tokens, in fp32, where only rounding may differ."""
    body, headers = _rows(case, "fp32", lengths=(1, 16))
    written = [case.ids(STEPS, seed=3 + place) for place in range(len(headers))]
    whole = run_forks(
        body, [(trunk, header + tokens) for (trunk, header), tokens in zip(headers, written, strict=True)]
    )
    for (_, header), found, wanted in zip(headers, _write(body, headers, written), whole, strict=True):
        where = f"{STEPS} tokens after a header of {len(header)}"
        close(found, wanted[len(header) - 1 :], "what a fork of the same tokens gives", where)


def unwritten_memory(case: FamilyCase) -> None:
    """The same pass where every fresh tensor starts as NaN."""
    for compute in case.arithmetics():
        body, rows = _rows(case, compute)
        expected = run_forks(body, rows)
        with poisoned_memory():
            found = run_forks(body, rows)
        same_bits(found, expected, "the same bits whatever fresh memory holds", compute)


def close(found: Tensor, expected: Tensor, expectation: str, where: str) -> None:
    """Raise CheckFailed unless the relative error is below ``CLOSE``."""
    if found.shape != expected.shape:
        raise CheckFailed(expectation, f"{where}: shape {tuple(found.shape)} and not {tuple(expected.shape)}")
    error = relative_error(found, expected) if found.numel() else 0.0
    if not error < CLOSE:
        raise CheckFailed(expectation, f"{where}: a relative error of {error:.2g}, above {CLOSE:g}")


def _rows(case: FamilyCase, compute: str, lengths: Sequence[int] = FORKS) -> tuple[Body, list[Row]]:
    """A body, and forks of ``lengths`` on two trunks."""
    body = case.body(compute)
    trunks = [prefill(body, case.ids(length)) for length in TRUNKS]
    return body, [(trunk, case.ids(length, seed=place)) for place, trunk in enumerate(trunks) for length in lengths]


def _alone(body: Body, rows: Sequence[Row]) -> list[Tensor]:
    with threads(1):
        return [run_forks(body, [row])[0] for row in rows]


def _write(body: Body, headers: Sequence[Row], written: Sequence[Sequence[int]]) -> list[Tensor]:
    """Hidden states [1 + STEPS, D] of each row: after its header, and after each of its tokens."""
    rows, hidden = begin(body, headers)
    out = [[h] for h in hidden]
    for place in range(STEPS):
        for made, h in zip(out, step(body, rows, [tokens[place] for tokens in written]), strict=True):
            made.append(h)
    return [torch.stack(made) for made in out]


def _tensors(trunk: TrunkState) -> list[Tensor]:
    return [trunk.hidden_PD, *(part for layer in trunk.layers for part in parts(layer))]
