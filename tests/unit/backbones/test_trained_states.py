"""State layers trained through chunked kernels: all rows in one call, from the states that they go on from."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.nn.functional import normalize

from deg_backbones.qwen3_5.delta_rule import gated_delta_rule
from deg_core.kernels.gpu.delta_rule import fla
from deg_core.kernels.testing import relative_error
from deg_core.runtime.body import Body
from deg_core.training.adapters import Adapters, TrainingWeights
from deg_core.training.forward import packed_hidden
from deg_core.training.packing import pack
from tests.fixtures.hybrid import SHAPES, read_body, rows_of, tokens, write_snapshot
from tests.parity.test_hybrid_training import example, training_body

EPS = 1e-6


def stand_in(
    *,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    g: Tensor,
    beta: Tensor,
    initial_state: Tensor | None,
    output_final_state: bool,
    use_qk_l2norm_in_kernel: bool,
    cu_seqlens: Tensor,
) -> tuple[Tensor, Tensor]:
    """What ``chunk_gated_delta_rule`` is documented to give, in traced torch: [1, T, H, ...] and cumulative lengths."""
    assert output_final_state
    assert use_qk_l2norm_in_kernel
    assert len(q) == len(v) == 1
    assert q.shape[2] == v.shape[2] == g.shape[2]
    assert initial_state is None or len(initial_state) == len(cu_seqlens) - 1
    streams = (normalize(q[0], dim=-1) * q.shape[-1] ** -0.5, normalize(k[0], dim=-1), v[0], g[0], beta[0])
    outs, states = [], []
    for row, (start, stop) in enumerate(zip(cu_seqlens[:-1].tolist(), cu_seqlens[1:].tolist(), strict=True)):
        blank = q.new_zeros(q.shape[2], q.shape[3], v.shape[3])
        before = blank if initial_state is None else initial_state[row]
        out, after = gated_delta_rule(*(stream[start:stop] for stream in streams), before)
        outs.append(out)
        states.append(after)
    return torch.cat(outs)[None], torch.stack(states)


@pytest.mark.parametrize("name", ["qwen", "qwen no groups"])
def test_the_pass_and_its_gradients_are_the_portable_ones(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shape = SHAPES[name]
    training = training_body(read_body(shape.family, write_snapshot(tmp_path, shape)), tmp_path)
    parameters = list(training.weights._adapters.parameters())  # type: ignore[attr-defined]
    batch = pack([example(tokens(70), rows_of((3, 33, 66))), example(tokens(7), rows_of((1,))), example(tokens(5), ())])
    found = []
    for chunked in (False, True):
        if chunked:
            monkeypatch.setattr(fla, "_chunked", lambda: stand_in)
            monkeypatch.setattr(fla, "trains", lambda dtype, device, key_dim, eps: True)
        hidden = packed_hidden(training, batch, 0)
        pull = torch.linspace(-1, 1, hidden.numel()).view_as(hidden)
        found.append([hidden.detach(), *torch.autograd.grad((hidden * pull).sum(), parameters)])
    for portable, through in zip(*found, strict=True):
        assert relative_error(through, portable) < 1e-3


def test_rows_that_begin_anew_stand_beside_those_that_go_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fla, "_chunked", lambda: stand_in)
    lengths = (3, 70, 1)
    q, k = (torch.randn(74, 1, 8) for _ in range(2))
    v, g, beta = torch.randn(74, 2, 4), -torch.rand(74, 2), torch.rand(74, 2)
    state = torch.randn(2, 8, 4)
    out, after = fla.train(q, k, v, g, beta, [None, state, None], lengths, torch.float32)
    start = 0
    for length, before, found in zip(lengths, (None, state, None), after, strict=True):
        row = [stream[start : start + length] for stream in (q, k, v, g, beta)]
        alone, (state_alone,) = fla.train(*row, [before], (length,), torch.float32)
        assert relative_error(out[start : start + length], alone) < 1e-6
        assert relative_error(found, state_alone) < 1e-6
        start += length


def test_where_the_kernels_train(monkeypatch: pytest.MonkeyPatch):
    cpu, cuda, bf16 = torch.device("cpu"), torch.device("cuda"), torch.bfloat16
    assert not fla.trains(bf16, cuda, 128, EPS) or fla._chunked() is not None
    monkeypatch.setattr(fla, "_chunked", lambda: stand_in)
    assert fla.trains(bf16, cuda, 128, EPS)
    assert not fla.trains(bf16, cpu, 128, EPS)
    assert not fla.trains(torch.float32, cuda, 128, EPS)
    assert not fla.trains(bf16, cuda, 320, EPS)
    assert not fla.trains(bf16, cuda, 128, 1e-5)


@pytest.mark.gpu
def test_the_kernels_train_what_the_portable_form_trains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("fla", reason="flash-linear-attention is not installed")
    shape, device = SHAPES["qwen"], torch.device("cuda")
    body = read_body(shape.family, write_snapshot(tmp_path, shape))
    adapters = Adapters(body.family.projections(body.config), 2, torch.Generator().manual_seed(0)).to(device)
    with torch.no_grad():
        for parameter in adapters.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.05)
    weights = TrainingWeights(body.family.read_weights(tmp_path, body.config), adapters, 1.0, device=device)
    training = Body(body.family, body.config, weights, body.geometry, device)
    batch = pack([example(tokens(70), rows_of((3, 33, 66))), example(tokens(7), rows_of((1,)))]).to(device)
    found = []
    for portable in (False, True):
        if portable:
            monkeypatch.setattr(fla, "trains", lambda dtype, device, key_dim, eps: False)
        hidden = packed_hidden(training, batch, 0).float()
        found.append([hidden.detach(), *torch.autograd.grad(hidden.square().mean(), list(adapters.parameters()))])
    for through, plain in zip(*found, strict=True):
        assert relative_error(through, plain) < 0.1
