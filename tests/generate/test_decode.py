"""Decode steps: the values of a plain forward pass, and the bits of each row its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
import torch
from torch import Tensor

from deg_backbones.llama.config import LlamaConfig
from deg_backbones.llama.model import LlamaFamily
from deg_core.engine.engine import Model
from deg_core.kernels.testing import assert_row_independent, poisoned_memory, relative_error, threads
from deg_core.protocols.family import Weights
from deg_core.protocols.state import Recurrent, TrunkState
from deg_core.runtime import decode as decode_module
from deg_core.runtime.body import Body
from deg_core.runtime.decode import begin, step, token_logits
from deg_core.runtime.prefill import extend, prefill
from deg_core.runtime.weights import ServingWeights

STEPS = 20
THREADS = (1, 2, 5, 7, 8)


class BlendFamily(LlamaFamily):
    """Llama with state layers: every layer but the last keeps a running mean of what it saw, and its last input."""

    name = "blend"

    def geometry(self, config: LlamaConfig) -> Any:
        geometry = super().geometry(config)
        return replace(geometry, layers=("state",) * (len(geometry.layers) - 1) + ("attention",))

    def rec_layer(
        self,
        weights: Weights,
        config: LlamaConfig,
        layer: int,
        h_ND: Tensor,
        states: Sequence[Recurrent | None],
        lengths: tuple[int, ...],
    ) -> tuple[Tensor, tuple[Recurrent, ...]]:
        out, after = [], []
        for rows, state in zip(h_ND.split(lengths), states, strict=True):
            mean = state.matrix if state is not None else torch.zeros(h_ND.shape[1])
            tail = state.conv_tail if state is not None else torch.zeros(h_ND.shape[1])
            for row in rows:
                mean = mean * 0.75 + row * 0.25
                out.append(row + mean * 0.5 + tail * 0.125)
                tail = row
            after.append(Recurrent(mean, tail))
        return torch.stack(out), tuple(after)


@pytest.fixture(autouse=True)
def _rows_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little memory to begin with, so that every text outgrows it."""
    monkeypatch.setattr(decode_module, "_GROWTH", 8)


@pytest.fixture(params=["int8", "fp32", "state layers"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def body(kind: str, tiny_models: Mapping[str, Model]) -> Body:
    if kind != "state layers":
        return tiny_models[kind].body
    plain, family = tiny_models["fp32"].body, BlendFamily()
    return Body(family, plain.config, plain.weights, family.geometry(plain.config))


@dataclass
class Texts:
    """Rows over two prefixes, one of them with values that were read behind it, and what each row reads."""

    rows: list[tuple[TrunkState, list[int]]]
    before: list[list[int]]
    steps: list[list[int]]


def texts(body: Body) -> Texts:
    def ids(count: int) -> list[int]:
        return torch.randint(body.geometry.vocab_size, (count,)).tolist()

    context, known, other = ids(530), ids(21), ids(33)
    long, short = extend(body, prefill(body, context, reserve=40), known), prefill(body, other)
    headers = [(long, ids(9)), (short, ids(20)), (long, ids(33)), (long, ids(1)), (short, ids(20))]
    before = [context + known if prefix is long else other for prefix, _ in headers]
    return Texts(headers, before, [ids(STEPS) for _ in headers])


def logits(body: Body, given: Texts, rows: Sequence[int], steps: int = STEPS) -> list[Tensor]:
    """Logits [steps + 1, V] of each of these rows, written together."""
    made, hidden = begin(body, [given.rows[row] for row in rows])
    out = [token_logits(body, hidden)]
    for place in range(steps):
        out.append(token_logits(body, step(body, made, [given.steps[row][place] for row in rows])))
    return list(torch.stack(out, 1))


def test_steps_are_a_full_pass_over_everything(body: Body, kind: str):
    given = texts(body)
    with poisoned_memory():
        found = logits(body, given, range(5))
    for row, own in enumerate(found):
        ids = given.before[row] + given.rows[row][1] + given.steps[row]
        expected = token_logits(body, prefill(body, ids).hidden_PD[-STEPS - 1 :])
        assert relative_error(own, expected) < (1e-2 if kind == "int8" else 1e-5)
        assert (own.argmax(1) == expected.argmax(1)).float().mean() > 0.9


def test_a_rows_bits_are_its_own(body: Body):
    given = texts(body)
    with threads(1):
        expected = logits(body, given, range(5))
    for workers in THREADS:
        steps = STEPS if workers == 1 else 3
        with threads(workers):
            for rows in ([0], [4, 2, 0], [1, 3], [3, 2, 1, 0, 4]) if workers < 3 else ([2], [0, 1, 2, 3, 4]):
                for row, own in zip(rows, logits(body, given, rows, steps), strict=True):
                    assert torch.equal(own, expected[row][: steps + 1]), (workers, rows, row)


def test_rows_come_and_go(body: Body):
    """A row that joins later, next to rows that leave, reads as it does alone."""
    given = texts(body)
    expected = logits(body, given, [1])[0]
    others, _ = begin(body, [given.rows[0], given.rows[2]])
    step(body, others, [1, 2])
    (row,), hidden = begin(body, [given.rows[1]])
    assert torch.equal(token_logits(body, hidden)[0], expected[0])
    for place in range(8):
        live = [others[1], row] if place < 4 else [row]
        hidden = step(body, live, [7, given.steps[1][place]][-len(live) :])
        assert torch.equal(token_logits(body, hidden)[-1], expected[place + 1])


def test_passes_and_growth_change_no_bit(body: Body, monkeypatch: pytest.MonkeyPatch):
    given = texts(body)
    expected = logits(body, given, range(5))
    monkeypatch.setattr(decode_module, "_GROWTH", 64)
    for own, wanted in zip(logits(body, given, range(5)), expected, strict=True):
        assert torch.equal(own, wanted)
    rows, hidden = begin(body, given.rows, limit=25)
    assert [row.length for row in rows] == [9, 20, 33, 1, 20]
    assert torch.equal(token_logits(body, hidden), torch.stack([own[0] for own in expected]))


def test_prefixes_are_not_written_to(body: Body):
    given = texts(body)
    kept = [[part.clone() for part in parts(prefix)] for prefix, _ in given.rows]
    logits(body, given, range(5))
    for (prefix, _), before in zip(given.rows, kept, strict=True):
        assert all(torch.equal(a, b) for a, b in zip(parts(prefix), before, strict=True))


def parts(state: TrunkState) -> list[Tensor]:
    return [getattr(layer, name) for layer in state.layers for name in layer.__slots__]


def test_an_lm_head_of_its_own(body: Body):
    """Untied weights, in the arithmetic of the other matrices, row by row."""
    plain = body.weights
    assert isinstance(plain, ServingWeights)
    hidden = torch.randn(70, body.geometry.hidden_size)
    lm_head = torch.randn(body.geometry.vocab_size, body.geometry.hidden_size)
    untied = ServingWeights(plain._matrices, {}, plain.embedding, lm_head)
    before = untied.bytes
    for weights, matrix in ((plain, plain.embedding.float()), (untied, lm_head)):
        assert relative_error(weights.logits(hidden), hidden @ matrix.T) < 2e-2
        assert_row_independent(weights.logits, hidden, counts=(1, 3, 65), thread_counts=(1, 2, 5))
    assert untied.bytes > before
