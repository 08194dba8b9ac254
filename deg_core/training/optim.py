"""Optimizer groups and the learning-rate schedule."""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch
from torch import nn

from deg_core.training.config import TrainConfig


def build_optimizer(
    config: TrainConfig, adapters: Iterable[nn.Parameter], heads: Iterable[nn.Parameter]
) -> torch.optim.AdamW:
    """AdamW (Loshchilov and Hutter 2019, arXiv:1711.05101) without decay; adapters and heads at their own rates."""
    groups = [
        {"params": list(adapters), "lr": config.lr_adapters, "base_lr": config.lr_adapters},
        {"params": list(heads), "lr": config.lr_heads, "base_lr": config.lr_heads},
    ]
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.0, foreach=True)


def lr_factor(config: TrainConfig, step: int) -> float:
    """Factor of the base rate at ``step`` (0-based): warm-up, then cosine to 10 %, or constant with a linear end
    (warmup-stable-decay, Hu et al. 2024, arXiv:2404.06395)."""
    if step < config.warmup:
        return (step + 1) / config.warmup
    if config.schedule == "cosine":
        done = (step - config.warmup) / max(1, config.steps - config.warmup)
        return 0.1 + 0.45 * (1 + math.cos(math.pi * min(1.0, done)))
    tail = config.steps * config.decay_frac
    left = config.steps - step
    return min(1.0, max(0.0, left / tail)) if tail else 1.0


def set_rates(optimizer: torch.optim.Optimizer, factor: float) -> None:
    """Scale every group's base rate."""
    for group in optimizer.param_groups:
        group["lr"] = group["base_lr"] * factor
