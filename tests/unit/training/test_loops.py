"""Elementwise parts that were compiled: the gradients of those that were not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from deg_core.errors import TrainingError
from deg_core.kernels.testing import relative_error
from deg_core.training import loops, trainer
from deg_core.training.adapters import Adapters, TrainingWeights
from deg_core.training.attention import attend_forks, attend_trunk
from deg_core.training.config import TrainConfig
from deg_core.training.loops import EAGER, Loops
from tests.unit.training.test_parts import groups_of

# torch's compiler imports it, too late once somebody else in this process has the distutils that it replaces.
pytest.importorskip("setuptools")

CONFIG = TrainConfig(out=Path(), records=(), backbone="")
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def fused() -> Loops:
    try:
        return loops.compiled()
    except (RuntimeError, OSError) as error:
        pytest.skip(f"torch has no compiler here: {error}")


def pulled(out: Tensor, inputs: list[Tensor]) -> list[Tensor]:
    grads = torch.autograd.grad((out.float() * torch.arange(1, out.numel() + 1).reshape(out.shape)).sum(), inputs)
    return [out.detach(), *grads]


def parts(bound: TrainingWeights, tokens: int) -> list[Tensor]:
    """What norm, gate and rotary embedding give, and their gradients, for a number of tokens."""
    torch.manual_seed(tokens)
    x, y = (torch.randn(tokens, 48, requires_grad=True) for _ in range(2))
    heads = torch.randn(tokens, 3, 16, requires_grad=True)
    cos, sin = torch.randn(tokens, 8), torch.randn(tokens, 8)
    normed = pulled(bound.rms_norm(x, torch.rand(48), 1e-5), [x])
    return normed + pulled(bound.silu_mul(x, y), [x, y]) + pulled(bound.rotate(heads, cos, sin), [heads])


@pytest.mark.slow
def test_norm_gate_and_turn(fused: Loops):
    nothing = Adapters({}, 1, torch.Generator())
    plain, compiled = (TrainingWeights({}, nothing, 1.0, loops=choice) for choice in (EAGER, fused))
    for tokens in (1, 7, 64):
        for found, wanted in zip(parts(compiled, tokens), parts(plain, tokens), strict=True):
            assert relative_error(found, wanted) < 1e-5


@pytest.mark.slow
def test_attention(fused: Loops):
    lengths = (5, 70, 1)
    for trunk in (1, 40):
        torch.manual_seed(trunk)
        inputs = [torch.randn(4, count, 16, requires_grad=True) for count in (*[sum(lengths)] * 3, *[trunk] * 3)]
        q, k, v, trunk_q, trunk_k, trunk_v = inputs
        both = []
        for choice in (EAGER, fused):
            forks = attend_forks((q, k, v), (trunk_k, trunk_v), lengths, groups_of(lengths), choice)
            read = attend_trunk(trunk_q, trunk_k, trunk_v, choice)
            both.append(pulled(torch.cat([forks, read], dim=1), inputs))
        for wanted, found in zip(*both, strict=True):
            assert relative_error(found, wanted) < 1e-5 or not wanted.any()


def test_what_is_compiled(monkeypatch: pytest.MonkeyPatch):
    """Long runs on a CPU, and what must be; and where torch cannot, only what must be is an error."""
    short, long = replace(CONFIG, steps=10), replace(CONFIG, steps=10_000)
    made = Loops(compiled=True)
    monkeypatch.setattr(trainer, "compiled", lambda: made)
    assert trainer._loops(short, CPU) is EAGER
    assert trainer._loops(long, CPU) is made
    assert trainer._loops(long, torch.device("cuda")) is EAGER
    assert trainer._loops(replace(long, compile="never"), CPU) is EAGER
    assert trainer._loops(replace(short, compile="always"), CPU) is made

    def fail() -> Loops:
        raise RuntimeError("no C++ compiler")

    monkeypatch.setattr(trainer, "compiled", fail)
    assert trainer._loops(long, CPU) is EAGER
    with pytest.raises(TrainingError, match=r"--compile always.*no C\+\+ compiler"):
        trainer._loops(replace(long, compile="always"), CPU)
