"""Whole backbones through the GPU kernels: what the portable arithmetic gives, and each row's bits its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from torch import Tensor

pytest.importorskip("triton", reason="Triton is not installed: pip install triton")

from deg_backbones.llama.model import LlamaFamily
from deg_core.kernels.gpu.weights import GpuWeights
from deg_core.kernels.testing import poisoned_memory, relative_error
from deg_core.protocols.state import KV, TrunkState
from deg_core.runtime.body import Body
from deg_core.runtime.decode import begin, step, token_logits
from deg_core.runtime.decode_graph import DecodeGraph
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import extend, prefill
from tests.fixtures import hybrid, tiny
from tests.kernels.gpu.rows import assert_each_alone

KINDS = ("llama", "qwen", "lfm2")
HEADERS = (9, 1, 17, 4)  # tokens of four rows, on two trunks
STEPS = 3


@pytest.fixture(scope="module")
def bodies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Body]:
    """The tiny backbones in the portable fp32 arithmetic."""
    folder = tmp_path_factory.mktemp("bodies")
    tiny.write_snapshot(folder, layers=2, positions=256)
    made = {"llama": hybrid.read_body(LlamaFamily(), folder)}
    for kind in ("qwen", "lfm2"):
        shape = hybrid.SHAPES[kind]
        made[kind] = hybrid.read_body(shape.family, hybrid.write_snapshot(folder / kind, shape))
    return made


@pytest.fixture(params=KINDS)
def plain(request: pytest.FixtureRequest, bodies: dict[str, Body]) -> Body:
    return bodies[str(request.param)]


def on_device(plain: Body, folder: Path | None, device: torch.device, dtype: torch.dtype) -> Body:
    """The same backbone through the kernels; matrices that are never rounded stay in fp32."""
    weights = plain.weights
    projections = plain.family.projections(plain.config)
    matrices = {
        name: matrix.to(dtype) if projections[name].quantize else matrix
        for name, matrix in weights._matrices.items()  # type: ignore[attr-defined]
    }
    bound = GpuWeights(matrices, weights._vectors, weights.embedding, weights._lm_head, dtype=dtype, device=device)  # type: ignore[attr-defined]
    return Body(plain.family, plain.config, bound, plain.geometry, device, dtype)


@pytest.fixture
def body(plain: Body, device: torch.device, dtype: torch.dtype) -> Body:
    return on_device(plain, None, device, dtype)


@pytest.fixture
def close(dtype: torch.dtype) -> float:
    """How far a whole backbone may be from the fp32 reference, relative."""
    return 1e-5 if dtype is torch.float32 else 3e-2


def ids(count: int, seed: int) -> list[int]:
    return torch.randint(400, (count,), generator=torch.Generator().manual_seed(seed)).tolist()


def trunks(body: Body) -> tuple[TrunkState, TrunkState]:
    """One that was read in two goes, and a short one."""
    return extend(body, prefill(body, ids(21, 1), reserve=6), ids(6, 2)), prefill(body, ids(3, 3))


def rows(body: Body) -> list[tuple[TrunkState, list[int]]]:
    long, short = trunks(body)
    return [(short if row == 2 else long, ids(length, 10 + row)) for row, length in enumerate(HEADERS)]


def test_trunks_and_forks_are_those_of_the_portable_arithmetic(plain: Body, body: Body, close: float):
    with poisoned_memory():
        found = run_forks(body, rows(body))
    for part, expected in zip(found, run_forks(plain, rows(plain)), strict=True):
        assert part.dtype == body.dtype
        assert relative_error(part.cpu(), expected) < close


def test_a_forks_bits_are_its_own(body: Body):
    given = rows(body)
    assert_each_alone(lambda picked: run_forks(body, [given[row] for row in picked]))


def logits(body: Body, given: Sequence[tuple[TrunkState, list[int]]], *, recorded: bool) -> list[Tensor]:
    """Logits [STEPS, V] of each row, written together."""
    made, _ = begin(body, given)
    advance = DecodeGraph(body).step if recorded else lambda rows, tokens: step(body, rows, tokens)
    out = [
        token_logits(body, advance(made, [7 * place + len(header) for _, header in given])).cpu()
        for place in range(STEPS)
    ]
    return list(torch.stack(out, 1))


def test_decode_steps_are_those_of_the_portable_arithmetic(plain: Body, body: Body, close: float):
    expected = logits(plain, rows(plain), recorded=False)
    given = rows(body)
    with poisoned_memory():
        single = logits(body, given, recorded=False)
        recorded = logits(body, given, recorded=True)
    for row, own in enumerate(expected):
        assert relative_error(single[row], own) < close
        assert torch.equal(recorded[row], single[row])


def test_a_written_rows_bits_are_its_own(body: Body):
    given = rows(body)
    assert_each_alone(lambda picked: logits(body, [given[row] for row in picked], recorded=True))


def test_rows_come_and_go_and_grow(body: Body, monkeypatch: pytest.MonkeyPatch):
    """One recording object sees rows end and others begin; memory of a row moves when it grows."""
    monkeypatch.setattr("deg_core.runtime.decode._GROWTH", 1)
    given = rows(body)
    alone = [logits(body, [row], recorded=False)[0] for row in given]
    graph = DecodeGraph(body)
    made, _ = begin(body, given)
    live = [0, 1]
    for place, entering in enumerate(([], [3], [])):
        live += entering
        steps = [made[row].length - HEADERS[row] for row in live]
        tokens = [7 * own + HEADERS[row] for row, own in zip(live, steps, strict=True)]
        found = token_logits(body, graph.step([made[row] for row in live], tokens)).cpu()
        for row, own, result in zip(live, steps, found, strict=True):
            assert torch.equal(result, alone[row][own]), (place, row)
        live = live[1:] if place == 1 else live


def test_a_trunk_stays_as_it_is(body: Body):
    given = rows(body)
    trunk = given[0][0]
    parts = [(x.k_GPK, x.v_GPK) if isinstance(x, KV) else (x.matrix, x.conv_tail) for x in trunk.layers]
    before = [[part.clone() for part in pair] for pair in parts]
    logits(body, given, recorded=True)
    assert all(torch.equal(new, old) for pair, kept in zip(parts, before, strict=True) for new, old in zip(pair, kept))


def test_a_lone_fork_reads_what_a_trunk_reads(body: Body, close: float):
    """Trunks may go through other kernels than forks, so their bits may differ, but not by more."""
    trunk, _ = trunks(body)
    ahead = ids(12, 5)
    (forked,) = run_forks(body, [(trunk, ahead)])
    assert relative_error(forked, extend(body, trunk, ahead).hidden_PD) < close


def test_weights_tell_their_size(body: Body, plain: Body):
    weights = body.weights
    assert isinstance(weights, GpuWeights)
    assert weights.bytes >= sum(p.rows * p.columns for p in plain.family.projections(plain.config).values()) * 2
    other = on_device(plain, None, body.device, body.dtype).weights
    assert isinstance(other, GpuWeights)
    other.share_embedding(weights)
    assert other.embedding is weights.embedding
