"""Checks of row independence for kernels, families and heads; the conformance kit runs them on plugins too.

An op is row-independent when a row's result has the same bits whatever the other rows are, how many there are, where
the row stands among them, and how many threads work. Errors of arithmetic are allowed, differences are not: every
comparison is of bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Generator, Tensor

COUNTS = (1, 2, 3, 17, 63, 64, 65, 200)  # row counts around the edges of vectors and tiles
THREADS = (1, 2, 5, 7, 8)  # counts at which elementwise code was seen to cut its work at odd places


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Run with ``count`` threads inside an op, then with as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def poisoned_memory() -> Iterator[None]:
    """Fill fresh tensors with NaN (or the largest integer), so that a result that reads unwritten memory shows it."""
    was_on = torch.are_deterministic_algorithms_enabled()
    warned = torch.is_deterministic_algorithms_warn_only_enabled()
    filled = torch._C._get_deterministic_fill_uninitialized_memory()
    torch._C._set_deterministic_algorithms(True, warn_only=True)  # the public form imports the compiler first
    torch._C._set_deterministic_fill_uninitialized_memory(True)
    try:
        yield
    finally:
        torch._C._set_deterministic_algorithms(was_on, warn_only=warned)
        torch._C._set_deterministic_fill_uninitialized_memory(filled)


def relative_error(found: Tensor, expected: Tensor) -> float:
    """RMS of the difference over the RMS of ``expected``, in float64; infinite when only one of them is zero."""
    difference, size = found.double() - expected.double(), expected.double()
    if not difference.any():
        return 0.0
    return float((difference.square().mean() / size.square().mean()).sqrt())


def row_mismatches(
    function: Callable[[Tensor], Tensor],
    rows: Tensor,
    *,
    counts: Sequence[int] = COUNTS,
    thread_counts: Sequence[int] = THREADS,
    seed: int = 0,
) -> list[str]:
    """Every way in which ``function`` ([N, ...] to [N, ...]) is not row-independent on ``rows``, as a line each.

    For each number of threads and rows: the first ``n``, the last ``n``, ``n`` at random in another order, and the
    first ``n`` in front of strangers. The reference is one run over all rows with one thread. Counts above N are
    taken as N.
    """
    total = rows.shape[0]
    generator = Generator().manual_seed(seed)
    with threads(1):
        expected = function(rows)
    found: list[str] = []
    for workers in thread_counts:
        with threads(workers):
            for count in sorted({min(count, total) for count in counts}):
                drawn = torch.randperm(total, generator=generator)[:count]
                strangers = rows.flip(0).clone()
                strangers[:count] = rows[:count]
                cases = {
                    "first": (function(rows[:count]), expected[:count]),
                    "last": (function(rows[total - count :]), expected[total - count :]),
                    "moved": (function(rows[drawn]), expected[drawn]),
                    "among others": (function(strangers)[:count], expected[:count]),
                }
                for name, (result, wanted) in cases.items():
                    if not torch.equal(result, wanted):
                        bad = int((result != wanted).sum()) if result.shape == wanted.shape else -1
                        found.append(f"{name} {count} of {total} rows, {workers} threads: {bad} values differ")
    return found


def assert_row_independent(
    function: Callable[[Tensor], Tensor],
    rows: Tensor,
    *,
    counts: Sequence[int] = COUNTS,
    thread_counts: Sequence[int] = THREADS,
    seed: int = 0,
) -> None:
    """Raise AssertionError with the mismatches that ``row_mismatches`` finds."""
    found = row_mismatches(function, rows, counts=counts, thread_counts=thread_counts, seed=seed)
    if found:
        raise AssertionError(f"rows are not independent, {len(found)} cases:\n  " + "\n  ".join(found[:10]))
