"""What to do when a device's memory runs out."""

from __future__ import annotations

import torch

_SIGNS = ("out of memory", "can't allocate memory", "ALLOC_FAILED")  # CUDA and Triton, the CPU's allocator, cuBLAS


def ran_out(error: BaseException) -> bool:
    """Whether this says that there was too little memory, on whatever device and from whichever library."""
    if isinstance(error, (torch.OutOfMemoryError, MemoryError)):
        return True
    return isinstance(error, RuntimeError) and any(sign in str(error) for sign in _SIGNS)


def release(device: torch.device) -> None:
    """Give back what the allocator keeps for later, so that other sizes fit into it."""
    if device.type == "cuda":
        torch.cuda.empty_cache()


def named(device: torch.device) -> str:
    """The device, with how much memory it has where that is known, such as ``cuda:0 (3.1 of 23.6 GiB free)``."""
    if device.type != "cuda":
        return str(device)
    free, total = (size / 2**30 for size in torch.cuda.mem_get_info(device))
    return f"{device} ({free:.1f} of {total:.1f} GiB free)"
