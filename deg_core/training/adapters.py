"""LoRA adapters (Hu et al. 2021, arXiv:2106.09685) and weights bound to training arithmetic."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import linear, silu

from deg_core.kernels.rotary import rotate
from deg_core.protocols.capabilities import Projection
from deg_core.protocols.family import Weights
from deg_core.runtime.body import CPU
from deg_core.training.loops import EAGER, Loops


class Adapters(nn.Module):
    """One low-rank pair per target projection: ``lora_A`` [rank, columns] random, ``lora_B`` [rows, rank] zero."""

    def __init__(self, targets: Mapping[str, Projection], rank: int, generator: Generator) -> None:
        super().__init__()
        self.rank = rank
        self.pairs = nn.ParameterDict()
        for name, projection in targets.items():
            bound = 1 / math.sqrt(projection.columns)
            start = torch.empty(rank, projection.columns).uniform_(-bound, bound, generator=generator)
            self.pairs[_key(name, "lora_A")] = nn.Parameter(start)
            self.pairs[_key(name, "lora_B")] = nn.Parameter(torch.zeros(projection.rows, rank))

    def pair(self, name: str) -> tuple[Tensor, Tensor] | None:
        """A and B of a projection, or None when it is not a target."""
        key = _key(name, "lora_A")
        return (self.pairs[key], self.pairs[_key(name, "lora_B")]) if key in self.pairs else None

    @property
    def targets(self) -> tuple[str, ...]:
        """The kinds of projection that carry an adapter, such as ``qkv``, each once."""
        names = (key.rpartition("/")[0].rpartition("/")[2] for key in self.pairs)
        return tuple(dict.fromkeys(names))

    def tensors(self) -> dict[str, Tensor]:
        """Tensors under their file names, ``<projection>.lora_A`` and ``.lora_B``."""
        return {key.replace("/", "."): value.detach() for key, value in self.pairs.items()}

    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Copy from file names. Raises KeyError for a missing one."""
        with torch.no_grad():
            for key, value in self.pairs.items():
                value.copy_(tensors[key.replace("/", ".")])


def _key(name: str, part: str) -> str:
    return f"{name}.{part}".replace(".", "/")  # a ParameterDict key may not hold dots


class _RoundWeight(torch.autograd.Function):
    """Symmetric int8 rounding per row with a straight-through gradient (Bengio et al. 2013, arXiv:1308.3432)."""

    @staticmethod
    def forward(ctx: object, x: Tensor) -> Tensor:
        scale = x.abs().amax(dim=-1, keepdim=True).clamp_min(1e-12) / 127
        return torch.round(x / scale) * scale

    @staticmethod
    def backward(ctx: object, grad: Tensor) -> Tensor:
        return grad


class _Norm(torch.autograd.Function):
    """``rms_norm`` with a frozen scale, and a backward pass in half the time of the traced one."""

    @staticmethod
    def forward(ctx: Any, x_ND: Tensor, weight_D: Tensor, eps: float, loops: Loops) -> Tensor:
        out, inverse_N1 = loops.norm(x_ND, weight_D, eps)
        ctx.save_for_backward(x_ND, weight_D, inverse_N1)
        ctx.loops = loops
        return out

    @staticmethod
    def backward(ctx: Any, grad_ND: Tensor) -> tuple[Tensor, None, None, None]:
        return ctx.loops.norm_gradient(grad_ND, *ctx.saved_tensors), None, None, None


class _Gate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, gate: Tensor, up: Tensor, loops: Loops) -> Tensor:
        ctx.save_for_backward(gate, up)
        ctx.loops = loops
        return loops.gate(gate, up)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        return *ctx.loops.gate_gradient(grad, *ctx.saved_tensors), None


class _Turn(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, cos: Tensor, sin: Tensor, loops: Loops) -> Tensor:
        ctx.save_for_backward(cos, sin)
        ctx.loops = loops
        return loops.turn(x, cos, sin)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None, None]:
        cos, sin = ctx.saved_tensors
        return ctx.loops.turn(grad, cos, -sin), None, None, None


class TrainingWeights(Weights):
    """``deg_core.protocols.family.Weights`` for training: base matrices in bf16 (or fp32) on ``device``, where the
    adapters are, those on top.

    ``quantized`` trains what will be served: activations and merged weights rounded to int8 per row, except of the
    projections in ``exact``, which are never rounded (``Projection.quantize``).
    """

    def __init__(
        self,
        weights: Mapping[str, Tensor],
        adapters: Adapters,
        scale: float,
        *,
        dtype: torch.dtype = torch.bfloat16,
        exact: Collection[str] = (),
        device: torch.device = CPU,
        loops: Loops = EAGER,
    ) -> None:
        self._weights = {name: (w.to(dtype) if w.dim() > 1 else w.float()).to(device) for name, w in weights.items()}
        self._adapters = adapters
        self._scale = scale
        self._dtype = dtype
        self._exact = frozenset(exact)
        self.quantized = False
        self.loops = loops

    def linear(self, name: str, x: Tensor, onto: Tensor | None = None) -> Tensor:
        out = self._product(name, x)
        return out if onto is None else onto + out

    def _product(self, name: str, x: Tensor) -> Tensor:
        base, pair = self._weights[name], self._adapters.pair(name)
        if self.quantized and name not in self._exact:
            x = _RoundWeight.apply(x)
            merged = base.float() if pair is None else base.float() + self._scale * (pair[1] @ pair[0])
            return linear(x, _RoundWeight.apply(merged).to(self._dtype))
        out = linear(x, base)
        if pair is not None:
            a, b = pair
            out = torch.addmm(out, linear(x, a.to(self._dtype)), (b * self._scale).to(self._dtype).t())
        return out

    def vector(self, name: str) -> Tensor:
        return self._weights[name]

    def embed(self, ids: Tensor) -> Tensor:
        return self._weights["embed"][ids]

    def rms_norm(self, x: Tensor, weight: Tensor, eps: float) -> Tensor:
        normed: Tensor = _Norm.apply(x, weight, eps, self.loops)
        return normed

    def silu_mul(self, gate: Tensor, up: Tensor) -> Tensor:
        if not self.loops.compiled:  # traced, it takes fewer passes
            return silu(gate) * up
        gated: Tensor = _Gate.apply(gate, up, self.loops)
        return gated

    def rotate(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        if not self.loops.compiled:
            return rotate(x, cos, sin)
        turned: Tensor = _Turn.apply(x, cos, sin, self.loops)
        return turned
