"""Merging adapters into base weights: pure, in fp32, so that a served matrix is one matrix (SPEC 12.7)."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

from deg_core.errors import CheckpointError


def merge(weights: Mapping[str, Tensor], adapters: Mapping[str, Tensor], scale: float) -> dict[str, Tensor]:
    """``W + scale * B @ A`` for every projection with a pair ``<name>.lora_A`` [r, columns], ``<name>.lora_B``
    [rows, r]. Raises CheckpointError naming an adapter that has no projection or no partner, or does not fit."""
    merged = dict(weights)
    names = {name.removesuffix(".lora_A").removesuffix(".lora_B") for name in adapters}
    for name in sorted(names):
        a, b = adapters.get(f"{name}.lora_A"), adapters.get(f"{name}.lora_B")
        if a is None or b is None or name not in weights:
            raise CheckpointError(f"the adapter for {name!r} has no partner or no projection in this backbone")
        base = weights[name].float()
        if (b.shape[0], a.shape[1]) != tuple(base.shape) or a.shape[0] != b.shape[1]:
            shapes = f"{tuple(b.shape)} x {tuple(a.shape)}"
            raise CheckpointError(f"the adapter for {name!r} is {shapes}, the projection is {tuple(base.shape)}")
        merged[name] = base + scale * (b.float() @ a.float())
    return merged
