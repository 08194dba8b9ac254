"""Whole backbones through the GPU kernels: what the portable arithmetic gives, and each row's bits its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest
import torch
from torch import Tensor

pytest.importorskip("triton", reason="Triton is not installed: pip install triton")

from deg_backbones.llama.model import LlamaFamily
from deg_core.kernels.gpu.weights import GpuWeights
from deg_core.kernels.linear import DenseWeight
from deg_core.kernels.testing import poisoned_memory, relative_error
from deg_core.protocols.state import KV, TrunkState
from deg_core.runtime.body import Body
from deg_core.runtime.decode import Step, begin, step, token_logits
from deg_core.runtime.decode_graph import DecodeGraph
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import extend, prefill
from deg_core.runtime.weights import ServingWeights
from tests.fixtures import hybrid, tiny

SHAPES = {
    "llama": None,
    "qwen": hybrid.qwen(
        num_hidden_layers=2,
        layer_types=["linear_attention", "full_attention"],
        num_attention_heads=3,
        num_key_value_heads=1,
        linear_num_key_heads=1,
        linear_num_value_heads=2,
        linear_value_head_dim=8,
    ),
    "lfm2": hybrid.lfm2(num_hidden_layers=2, layer_types=["conv", "full_attention"], num_key_value_heads=1),
}
HEADERS = (3, 1, 5)  # tokens of three rows, the last one on a trunk of its own
STEPS = 2


@pytest.fixture(scope="module")
def bodies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Body]:
    """Tiny backbones in the portable fp32 arithmetic."""
    folder = tmp_path_factory.mktemp("bodies")
    tiny.write_snapshot(folder, layers=1, heads=3, kv_heads=1, positions=256)
    made = {"llama": hybrid.read_body(LlamaFamily(), folder)}
    for kind, shape in SHAPES.items():
        if shape is not None:
            made[kind] = hybrid.read_body(shape.family, hybrid.write_snapshot(folder / kind, shape))
    return made


@pytest.fixture(params=SHAPES)
def plain(request: pytest.FixtureRequest, bodies: dict[str, Body]) -> Body:
    return bodies[str(request.param)]


def on_device(plain: Body, device: torch.device, dtype: torch.dtype) -> Body:
    """The same backbone through the kernels; matrices that are never rounded stay in fp32."""
    weights = plain.weights
    assert isinstance(weights, ServingWeights)
    projections = plain.family.projections(plain.config)
    matrices: dict[str, Tensor] = {}
    for name, matrix in weights._matrices.items():
        assert isinstance(matrix, DenseWeight)
        whole = matrix.matrix_MK
        matrices[name] = whole.to(dtype) if projections[name].quantize else whole
    parts = (matrices, weights._vectors, weights.embedding, weights._lm_head)
    bound = GpuWeights(*parts, dtype=dtype, device=device)
    return Body(plain.family, plain.config, bound, plain.geometry, device, dtype)


@pytest.fixture
def body(plain: Body, device: torch.device, served: torch.dtype) -> Body:
    return on_device(plain, device, served)


@pytest.fixture
def close(served: torch.dtype) -> float:
    """How far a whole backbone may be from the fp32 reference, relative."""
    return 1e-5 if served is torch.float32 else 3e-2


def ids(count: int, seed: int) -> list[int]:
    return torch.randint(400, (count,), generator=torch.Generator().manual_seed(seed)).tolist()


def rows(body: Body) -> list[tuple[TrunkState, list[int]]]:
    """Forks of a trunk that was read in two goes, and of a short one."""
    long, short = extend(body, prefill(body, ids(7, 1), reserve=6), ids(3, 2)), prefill(body, ids(3, 3))
    return [(short if row == 2 else long, ids(length, 10 + row)) for row, length in enumerate(HEADERS)]


def logits(body: Body, given: Sequence[tuple[TrunkState, list[int]]], advance: Step) -> list[Tensor]:
    """Logits [STEPS, V] of each row, written together."""
    made, _ = begin(body, given)
    tokens = [[7 * place + len(header) for _, header in given] for place in range(STEPS)]
    return list(torch.stack([token_logits(body, advance(made, chosen)).cpu() for chosen in tokens], 1))


def test_forks_are_those_of_the_portable_arithmetic_and_each_ones_bits_its_own(plain: Body, body: Body, close: float):
    given = rows(body)
    with poisoned_memory():
        found = run_forks(body, given)
    for part, expected in zip(found, run_forks(plain, rows(plain)), strict=True):
        assert part.dtype == body.dtype
        assert relative_error(part.cpu(), expected) < close
    for picked in ([1], [2, 0]):
        again = run_forks(body, [given[row] for row in picked])
        assert all(torch.equal(part, found[row]) for part, row in zip(again, picked, strict=True)), picked


def test_decode_steps_are_those_of_the_portable_arithmetic(plain: Body, body: Body, close: float):
    """Step by step and through a recording, the latter with the same bits."""
    expected = logits(plain, rows(plain), partial(step, plain))
    given = rows(body)
    trunk = given[0][0]
    held = [x for layer in trunk.layers for x in ((layer.k_GPK,) if isinstance(layer, KV) else (layer.matrix,))]
    before = [x.clone() for x in held]
    with poisoned_memory():
        single = logits(body, given, partial(step, body))
        recorded = logits(body, given, DecodeGraph(body).step)
    for row, own in enumerate(expected):
        assert relative_error(single[row], own) < close
        assert torch.equal(recorded[row], single[row])
    assert all(torch.equal(x, old) for x, old in zip(held, before, strict=True))  # a trunk is never written to


@pytest.mark.parametrize("plain", ["qwen"], indirect=True)  # the one with every kind of state
def test_rows_come_and_go_and_grow(body: Body, monkeypatch: pytest.MonkeyPatch):
    """One recording object sees rows end and others begin, and their memory move; no bit of a row changes."""
    given = rows(body)
    alone = [logits(body, [row], partial(step, body))[0] for row in given]
    monkeypatch.setattr("deg_core.runtime.decode._GROWTH", 1)
    graph = DecodeGraph(body)
    made, _ = begin(body, given)
    for live in ([0, 1], [1, 2], [2]):
        places = [made[row].length - HEADERS[row] for row in live]
        tokens = [7 * place + HEADERS[row] for row, place in zip(live, places, strict=True)]
        found = token_logits(body, graph.step([made[row] for row in live], tokens)).cpu()
        for row, place, result in zip(live, places, found, strict=True):
            assert torch.equal(result, alone[row][place]), (live, row)


@pytest.mark.parametrize("plain", ["llama"], indirect=True)
def test_texts_beyond_the_known_positions_are_written_without_a_recording(body: Body):
    long = prefill(body, ids(3, 1))
    stretched = replace(long, reach=10 * body.geometry.max_positions)
    (row,), _ = begin(body, [(stretched, ids(2, 2))])
    (same,), _ = begin(body, [(stretched, ids(2, 2))])
    graph = DecodeGraph(body)
    assert torch.equal(graph.step([row], [5]), step(body, [same], [5]))
    assert not graph._recordings


def test_weights_tell_their_size_and_share_what_is_equal(body: Body, plain: Body):
    weights, other = body.weights, on_device(plain, body.device, body.dtype).weights
    assert isinstance(weights, GpuWeights)
    assert isinstance(other, GpuWeights)
    assert weights.bytes >= 2 * sum(p.rows * p.columns for p in plain.family.projections(plain.config).values())
    other.embedding = other.embedding.clone()
    other.share_embedding(weights)
    assert other.embedding is weights.embedding
