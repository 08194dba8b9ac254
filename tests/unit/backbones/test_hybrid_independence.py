"""Rows of the families with state layers have bits of their own: alone, together, in any order, on any threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from deg_core.kernels.int8 import QuantizedWeight, quantize_weight
from deg_core.kernels.testing import THREADS, poisoned_memory, relative_error, threads
from deg_core.protocols.state import KV, Recurrent, TrunkState
from deg_core.runtime.body import Body, advance
from deg_core.runtime.decode import begin, step
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import prefill
from deg_core.runtime.weights import ServingWeights
from tests.fixtures.hybrid import SHAPES, read_body, rows_of, tokens, write_snapshot

NAMES = ("qwen one group", "qwen 0.8b", "lfm2 no groups")
LENGTHS = (1, 3, 17, 64, 70)
FEW_THREADS = (2, 7)


@pytest.fixture(
    params=[(name, compute) for name in NAMES for compute in ("fp32", "int8")], ids=" ".join, scope="module"
)
def body(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Body:
    name, compute = request.param
    shape = SHAPES[name]
    folder = write_snapshot(tmp_path_factory.mktemp("hybrid"), shape)
    made = read_body(shape.family, folder)
    return made if compute == "fp32" else in_int8(made, folder)


def in_int8(body: Body, folder: Path) -> Body:
    """The body in serving arithmetic, as prepared weights have it."""
    weights = body.family.read_weights(folder, body.config)
    projections = body.family.projections(body.config)
    matrices: dict[str, Tensor | QuantizedWeight] = {
        name: quantize_weight(weights[name]) if projection.quantize else weights[name].float()
        for name, projection in projections.items()
    }
    vectors = {name: weight for name, weight in weights.items() if name not in projections}
    return replace(body, weights=ServingWeights(matrices, vectors, vectors.pop("embed")))


def same(found: Sequence[Tensor], expected: Sequence[Tensor]) -> bool:
    return all(torch.equal(a, b) for a, b in zip(found, expected, strict=True))


def parts(state: Recurrent | KV) -> tuple[Tensor, Tensor]:
    return (state.matrix, state.conv_tail) if isinstance(state, Recurrent) else (state.k_GPK, state.v_GPK)


def test_forks_alone_together_reordered_and_among_strangers(body: Body):
    trunks = [prefill(body, tokens(length)) for length in (5, 70)]
    rows = [(trunk, ids) for trunk in trunks for ids in rows_of(LENGTHS)]
    with threads(1):
        alone = [run_forks(body, [row])[0] for row in rows]
    order = torch.randperm(len(rows)).tolist()
    strangers = [(trunks[0], ids) for ids in rows_of((9, 33, 2))]
    for count in THREADS:
        with threads(count):
            found = run_forks(body, [*strangers, *(rows[i] for i in order), *strangers])[3:-3]
        assert same(found, [alone[i] for i in order])
    assert same(run_forks(body, rows, limit=100), alone)


def test_trunks_on_any_threads(body: Body):
    ids = tokens(600)
    with threads(1):
        expected = prefill(body, ids)
    for count in FEW_THREADS:
        with threads(count):
            found = prefill(body, ids)
        assert torch.equal(found.hidden_PD, expected.hidden_PD)
        assert all(same(parts(a), parts(b)) for a, b in zip(found.layers, expected.layers, strict=True))


def test_a_row_that_is_kept_and_continued(body: Body):
    """Token by token, next to rows that end sooner and with other rows' headers."""
    trunks = [prefill(body, tokens(length)) for length in (5, 70)]
    headers = [(trunks[i % 2], ids) for i, ids in enumerate(rows_of((1, 16, 17, 30)))]
    written = [tokens(6) for _ in headers]

    def write(chosen: Sequence[int]) -> list[list[Tensor]]:
        rows, hidden = begin(body, [headers[i] for i in chosen])
        out = [[h] for h in hidden]
        for place in range(6):
            for made, h in zip(out, step(body, rows, [written[i][place] for i in chosen]), strict=True):
                made.append(h)
        return out

    alone = [write([i])[0] for i in range(len(headers))]
    for count in FEW_THREADS:
        with threads(count):
            together = write([2, 0, 3, 1])
        assert all(same(made, alone[i]) for made, i in zip(together, [2, 0, 3, 1], strict=True))
    for (trunk, header), tail, made in zip(headers, written, alone, strict=True):
        whole = run_forks(body, [(trunk, header + tail)])[0][len(header) - 1 :]
        assert relative_error(torch.stack(made), whole) < (1e-4 if exact(body) else 0.2)


def exact(body: Body) -> bool:
    assert isinstance(body.weights, ServingWeights)
    return not any(isinstance(matrix, QuantizedWeight) for matrix in body.weights._matrices.values())


@pytest.mark.parametrize("cuts", [(512, 88), (64, 512, 24), (64,) * 9 + (24,)])
def test_a_state_layer_in_chunks_has_the_bits_of_one_pass(body: Body, cuts: tuple[int, ...]):
    layer = body.geometry.layers.index("state")
    h = torch.randn(sum(cuts), body.config.hidden_size)
    run = body.family.rec_layer
    whole, (end,) = run(body.weights, body.config, layer, h, [None], (len(h),))
    state: Recurrent | None = None
    made = []
    for piece in h.split(cuts):
        out, (state,) = run(body.weights, body.config, layer, piece, [state], (len(piece),))
        made.append(out)
    assert state is not None
    assert torch.equal(torch.cat(made), whole)
    assert same(parts(state), parts(end))


def test_a_neighbours_nan_stays_its_own(body: Body):
    trunk = prefill(body, tokens(20))
    sick = TrunkState(
        tuple(type(layer)(*(torch.full_like(part, torch.nan) for part in parts(layer))) for layer in trunk.layers),
        trunk.length,
        trunk.hidden_PD,
    )
    ids = tokens(17)
    expected = run_forks(body, [(trunk, ids)])[0]
    found = run_forks(body, [(sick, ids), (trunk, ids), (sick, ids)])
    assert torch.equal(found[1], expected)
    assert found[0].isnan().any()


def test_no_unwritten_memory_is_read(body: Body):
    trunk = prefill(body, tokens(70))
    rows = [(trunk, ids) for ids in rows_of(LENGTHS)]
    expected = run_forks(body, rows)
    with poisoned_memory():
        assert same(run_forks(body, rows), expected)


def test_a_trunk_is_only_read(body: Body):
    trunk = prefill(body, tokens(30))
    before = [part.clone() for layer in trunk.layers for part in parts(layer)]
    rows = rows_of((5, 17))
    _, states = advance(body, torch.tensor(rows[0] + rows[1]), (5, 17), [trunk, trunk])
    assert same([part for layer in trunk.layers for part in parts(layer)], before)
    assert all(len(own) == 2 for own in states)


def test_a_rows_state_is_of_the_size_that_geometry_tells(body: Body):
    trunk = prefill(body, tokens(3))
    kept = [part.numel() for layer in trunk.layers if isinstance(layer, Recurrent) for part in parts(layer)]
    assert sum(kept) == body.geometry.state_floats_per_row
