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


class _RMSNorm(torch.autograd.Function):
    """``rms_norm`` with a frozen scale, and a backward pass in half the time of the traced one."""

    @staticmethod
    def forward(ctx: Any, x_ND: Tensor, weight_D: Tensor, eps: float) -> Tensor:
        x = x_ND.float()
        mean = torch.linalg.vecdot(x, x).div_(x.shape[-1])
        inverse_N1 = torch.rsqrt(mean.add_(eps)).unsqueeze(-1)
        ctx.save_for_backward(x_ND, weight_D, inverse_N1)
        return (x * inverse_N1).mul_(weight_D).to(x_ND.dtype)

    @staticmethod
    def backward(ctx: Any, grad_ND: Tensor) -> tuple[Tensor, None, None]:
        x_ND, weight_D, inverse_N1 = ctx.saved_tensors
        x, scaled = x_ND.float(), grad_ND.float() * weight_D
        along_N1 = torch.linalg.vecdot(scaled, x).unsqueeze(-1) * inverse_N1**3 / x.shape[-1]
        return scaled.mul_(inverse_N1).addcmul_(x, along_N1, value=-1).to(x_ND.dtype), None, None


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
    ) -> None:
        self._weights = {name: (w.to(dtype) if w.dim() > 1 else w.float()).to(device) for name, w in weights.items()}
        self._adapters = adapters
        self._scale = scale
        self._dtype = dtype
        self._exact = frozenset(exact)
        self.quantized = False

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
        normed: Tensor = _RMSNorm.apply(x, weight, eps)
        return normed

    def silu_mul(self, gate: Tensor, up: Tensor) -> Tensor:
        return silu(gate) * up

    def rotate(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        return rotate(x, cos, sin)
