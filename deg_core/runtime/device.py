"""Devices by name."""

from __future__ import annotations

import torch

from deg_core.errors import UnknownNameError, UnsupportedError


def device_named(name: str | None) -> torch.device:
    """The device to run on, the CPU by default. Raises UnknownNameError for what is no device, UnsupportedError for one
    that is not to be had."""
    try:
        place = torch.device(name or "cpu")
    except RuntimeError:
        place = None
    if place is None or place.type not in ("cpu", "cuda"):
        raise UnknownNameError(f"device {name!r} is not known; allowed: cpu, cuda, cuda:0, cuda:1 and so on")
    if place.type == "cpu":
        return place
    count = torch.cuda.device_count()
    if (place.index or 0) >= count:
        found = f"torch {torch.__version__} sees {count} GPUs"
        raise UnsupportedError(
            f"device {name!r} is not there: {found}. Use device='cpu', or a torch built for your GPU"
        )
    return place
