"""The families with state layers against ``transformers`` on tiny random models: trunks, forks, steps, gradients."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from deg_core.kernels.testing import relative_error
from deg_core.protocols.capabilities import Projection
from deg_core.protocols.state import Recurrent
from deg_core.runtime import prefill as prefill_module
from deg_core.runtime.body import Body, advance
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import extend, prefill
from deg_core.training.adapters import Adapters, TrainingWeights
from tests.fixtures.hybrid import SHAPES, Shape, read_body, rows_of, tokens, write_snapshot

transformers = pytest.importorskip("transformers")

CLOSE = 1e-4  # fp32 against fp32; the promise is 1e-3
Pair = tuple[Any, Body, Shape]


def reference_model(folder: Path, dtype: torch.dtype = torch.float32) -> Any:
    """The snapshot as ``transformers`` runs it, with its own arithmetic even where faster kernels are installed."""
    with pytest.MonkeyPatch.context() as patch:
        for package in ("fla", "causal_conv1d"):
            patch.setitem(sys.modules, package, None)
        made = transformers.AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager", dtype=dtype)
    return made.eval()


@pytest.fixture(params=SHAPES, scope="module")
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """The reference model, and a body read from the same files."""
    shape = SHAPES[request.param]
    folder = write_snapshot(tmp_path_factory.mktemp("hybrid"), shape)
    return reference_model(folder), read_body(shape.family, folder), shape


@torch.no_grad()
def reference(model: Any, ids: Sequence[int]) -> Tensor:
    """Final hidden states of one uncached forward pass."""
    return model.model(torch.tensor([list(ids)]), use_cache=False).last_hidden_state[0].float()


@pytest.mark.parametrize("length", [1, 2, 15, 17, 64, 65, 201])
def test_hidden_states_of_a_trunk(pair: Pair, length: int):
    model, body, _ = pair
    ids = tokens(length)
    state = prefill(body, ids)
    assert state.length == length
    assert relative_error(state.hidden_PD, reference(model, ids)) < CLOSE


@pytest.mark.parametrize("chunk", [1, 7, 64])
def test_borders_of_chunks(pair: Pair, chunk: int, monkeypatch: pytest.MonkeyPatch):
    model, body, _ = pair
    monkeypatch.setattr(prefill_module, "CHUNK", chunk)
    for length in (chunk - 1, chunk + 1, 2 * chunk + 2):
        if length:
            ids = tokens(length)
            assert relative_error(prefill(body, ids).hidden_PD, reference(model, ids)) < CLOSE


def test_forks_are_full_passes_over_context_and_fork(pair: Pair):
    model, body, _ = pair
    trunks = {length: tokens(length) for length in (5, 70)}
    states = {length: prefill(body, ids) for length, ids in trunks.items()}
    rows = [(length, ids) for length in trunks for ids in rows_of((1, 2, 16, 17, 66))]
    found = run_forks(body, [(states[length], ids) for length, ids in rows[::2] + rows[1::2]])
    for (length, ids), hidden in zip(rows[::2] + rows[1::2], found, strict=True):
        assert relative_error(hidden, reference(model, trunks[length] + ids)[length:]) < CLOSE


def test_single_tokens_one_after_another(pair: Pair):
    model, body, _ = pair
    ids = tokens(30)
    state = prefill(body, ids[:20])
    steps = []
    for token in ids[20:]:
        state = extend(body, state, [token])
        steps.append(state.hidden_PD)
    assert relative_error(torch.cat(steps), reference(model, ids)[20:]) < CLOSE


def test_padding_of_the_reference_is_length_here(pair: Pair):
    """Rows that ``transformers`` pads on the right in one batch."""
    model, body, _ = pair
    rows = rows_of((9, 33, 20))
    padded = torch.tensor([row + [0] * (33 - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (33 - len(row)) for row in rows])
    with torch.no_grad():
        expected = model.model(padded, attention_mask=mask, use_cache=False).last_hidden_state
    for row, hidden in zip(rows, expected, strict=True):
        assert relative_error(prefill(body, row).hidden_PD, hidden[: len(row)]) < CLOSE


# Training arithmetic


class Traced(TrainingWeights):
    """Training arithmetic whose norms have a gradient for their scale too; the trainer keeps scales frozen."""

    def rms_norm(self, x: Tensor, weight: Tensor, eps: float) -> Tensor:
        return x / (x.square().mean(dim=-1, keepdim=True) + eps).sqrt() * weight


def training_body(
    body: Body,
    weights: dict[str, Tensor],
    dtype: torch.dtype,
    targets: dict[str, Projection],
    kind: type[TrainingWeights] = TrainingWeights,
) -> Body:
    adapters = Adapters(targets, 2, torch.Generator().manual_seed(0))
    return Body(body.family, body.config, kind(weights, adapters, 1.0, dtype=dtype), body.geometry)


@pytest.mark.parametrize("name", ["qwen", "qwen 0.8b", "lfm2", "lfm2 1.2b"])
def test_in_bf16_it_is_as_close_as_the_reference_is(name: str, tmp_path: Path):
    shape = SHAPES[name]
    write_snapshot(tmp_path, shape)
    exact, rounded = reference_model(tmp_path), reference_model(tmp_path, torch.bfloat16)
    body = read_body(shape.family, tmp_path)
    training = training_body(body, shape.family.read_weights(tmp_path, body.config), torch.bfloat16, {})
    ids = tokens(130)
    with torch.no_grad():
        found = advance(training, torch.tensor(ids), (130,), [None])[0].float()
    expected = reference(exact, ids)
    assert relative_error(found, expected) < 1.25 * relative_error(reference(rounded, ids), expected) < 0.2


def test_gradients_of_every_weight(pair: Pair):
    model, body, shape = pair
    raw = {
        name.removeprefix("model."): weight.detach().clone().requires_grad_()
        for name, weight in model.named_parameters()
    }
    training = training_body(body, shape.assemble(dict(raw), body.config), torch.float32, {}, Traced)
    rows = rows_of((70, 9))
    found, _ = advance(training, torch.tensor(rows[0] + rows[1]), (70, 9), [None, None])
    wanted = torch.randn_like(found)
    (found * wanted).sum().backward()
    model.zero_grad()
    hidden = [model.model(torch.tensor([row]), use_cache=False).last_hidden_state[0] for row in rows]
    (torch.cat(hidden) * wanted).sum().backward()
    for name, weight in model.named_parameters():
        grad = raw[name.removeprefix("model.")].grad
        assert grad is not None, name
        assert relative_error(grad, weight.grad) < 1e-3, name


def test_gradients_of_adapters_on_every_projection(pair: Pair, tmp_path: Path):
    """B starts at zero, so the first gradient of B is that of the whole matrix seen through A."""
    _, body, shape = pair
    write_snapshot(tmp_path, shape)
    projections = shape.family.projections(body.config)
    training = training_body(body, shape.family.read_weights(tmp_path, body.config), torch.float32, dict(projections))
    found, _ = advance(training, torch.tensor(tokens(20)), (20,), [None])
    (found * torch.randn_like(found)).sum().backward()
    for name in projections:
        a, b = training.weights._adapters.pair(name)  # type: ignore[attr-defined]
        assert b.grad is not None, name
        assert b.grad.abs().sum() > 0, name
        assert a.shape[1] == projections[name].columns


def test_gradients_flow_through_states(pair: Pair):
    """A row in two pieces, the second from the first's state, has the gradient of the whole row."""
    _, body, shape = pair
    layer = body.geometry.layers.index("state")
    h = torch.randn(50, body.config.hidden_size)
    wanted = torch.randn_like(h)

    def gradient(cuts: Sequence[int]) -> Tensor:
        leaf = h.clone().requires_grad_()
        state: Recurrent | None = None
        out = []
        for piece in leaf.split(list(cuts)):
            made, (state,) = shape.family.rec_layer(body.weights, body.config, layer, piece, [state], (len(piece),))
            out.append(made)
        (torch.cat(out) * wanted).sum().backward()
        assert leaf.grad is not None
        return leaf.grad

    assert relative_error(gradient([17, 1, 32]), gradient([50])) < CLOSE
