"""The machine that is measured on: its cores, their int8 peak, and the memory of this process."""

from __future__ import annotations

import ctypes
import math
import os
import platform
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final

PEAK_SHAPES: Final = ((512, 1024, 4096), (1024, 2048, 2048), (2048, 1024, 4096))
"""Rows, inner and outer size of the products of which the fastest is the peak."""
_STATUS: Final = Path("/proc/self/status")


def choose_cores(number: int) -> list[int]:
    """The last ``number`` cores that this process may run on, the first ones being those that interrupts go to; none
    where the system cannot pin. Raises ValueError when there are fewer."""
    if not hasattr(os, "sched_getaffinity"):
        return []
    allowed = sorted(os.sched_getaffinity(0))
    if number > len(allowed):
        raise ValueError(f"{number} cores are asked for, this process may use {len(allowed)}: {allowed}")
    return allowed[-number:]


def describe(cores: Sequence[int]) -> dict[str, Any]:
    """Processor, system and how busy the machine is besides."""
    return {
        "processor": processor(),
        "cores": list(cores) or None,
        "of": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
    }


def processor() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def int8_peaks(*, seconds: float = 1.0, shapes: Sequence[tuple[int, int, int]] = PEAK_SHAPES) -> dict[str, float]:
    """Int8 operations a second at the best of large shapes, a multiply-add counting two: of ``torch`` (its product of
    int8 matrices, where that is exact) and of ``deg`` (whose product quantises and rescales besides).

    Each shape runs for about ``seconds`` under either, and the fastest run counts.
    """
    import torch

    from deg_core.kernels.int8 import QuantizedWeight, exact_matmul, int8_linear

    best = {"torch": 0.0, "deg": 0.0}
    for rows, inner, outer in shapes:
        a = torch.randint(-127, 128, (rows, inner), dtype=torch.int8)
        b = torch.randint(-127, 128, (inner, outer), dtype=torch.int8)
        x, weight = a.float(), QuantizedWeight(b, torch.ones(outer))
        matmul = exact_matmul()
        runs = {"torch": partial(matmul, a, b), "deg": partial(int8_linear, x, weight)}
        for name, run in runs.items():
            run()  # what is arranged at the first call is not counted
            best[name] = max(best[name], 2 * rows * inner * outer / _least(run, seconds))
    return best


def _least(run: Callable[[], object], seconds: float) -> float:
    """The least time of a run, of as many as go into ``seconds``."""
    least, until = math.inf, perf_counter() + seconds
    while True:
        start = perf_counter()
        run()
        stop = perf_counter()
        least = min(least, stop - start)
        if stop >= until:
            return least


def resident_bytes() -> int:
    """Resident memory of this process now."""
    import psutil

    return int(psutil.Process().memory_info().rss)


def give_back() -> None:
    """Have the C library give free memory back to the system, so that what is taken next shows."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def reset_peak() -> bool:
    """Begin anew to note the highest resident memory; False where the system cannot, and the peak is that of the
    process so far."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def peak_bytes() -> int:
    """The highest resident memory since it was reset, or of the process."""
    try:
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
