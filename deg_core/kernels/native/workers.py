"""Threads for kernels that are called outside of torch, as many as torch has, and none where there is little to do."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Lock

import torch

_PIECES = 4  # to a thread: one that is held up leaves its share to the others

_lock = Lock()
_pool: ThreadPoolExecutor | None = None
_size = 0


def _executor(threads: int) -> ThreadPoolExecutor:
    """A pool of at least so many threads. A smaller one before it ends once its work is done."""
    global _pool, _size
    with _lock:
        if _pool is None or _size < threads:
            _pool, _size = ThreadPoolExecutor(threads, thread_name_prefix="deg-kernel"), threads
        return _pool


def _forget() -> None:
    """A forked process has none of its parent's threads."""
    global _pool, _size, _lock
    _pool, _size, _lock = None, 0, Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def in_rows(work: Callable[[int, int], int | None], rows: int, *, parallel: bool) -> None:
    """Call ``work(from, to)`` for pieces that make up all rows. What it gives is as with ``in_tasks``."""
    threads = torch.get_num_threads() if parallel else 1
    pieces = [(0, rows)]
    if threads > 1:
        count = max(1, min(rows, threads * _PIECES))
        pieces = list(pairwise(rows * piece // count for piece in range(count + 1)))

    def some() -> int:
        failed = 0
        while pieces:
            try:
                begin, end = pieces.pop()
            except IndexError:  # another thread took the last
                break
            failed |= work(begin, end) or 0
        return failed

    in_tasks(some, parallel=threads > 1)


def in_tasks(work: Callable[[], int], *, parallel: bool) -> None:
    """Call ``work()``, which takes tasks off a counter until none is left, in each thread. A thread that has not begun
    when all are taken is not waited for. Raises MemoryError when a call gives a number other than 0: it had no room."""
    threads = torch.get_num_threads() if parallel else 1
    waiting = [_executor(threads - 1).submit(work) for _ in range(threads - 1)]
    given = [work()]
    given += [done.result() for done in waiting if not done.cancel()]
    if any(given):
        raise MemoryError("no memory for the working room of a kernel")
