"""Threads for kernels that are called outside of torch, as many as torch has, and none where there is little to do."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Lock

import torch

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
    """Call ``work(from, to)`` over all rows, in one piece a thread. What it gives is as with ``in_tasks``."""
    threads = max(1, min(torch.get_num_threads(), rows)) if parallel else 1
    edges = [rows * part // threads for part in range(threads + 1)]
    waiting = [_executor(threads - 1).submit(work, *piece) for piece in pairwise(edges[1:])]
    _check([work(edges[0], edges[1]), *(done.result() for done in waiting)])


def in_tasks(work: Callable[[], int], *, parallel: bool) -> None:
    """Call ``work()``, which takes tasks off a counter until none is left, in each thread. Raises MemoryError when one
    gives a number other than 0: it had no room to work in."""
    threads = torch.get_num_threads() if parallel else 1
    waiting = [_executor(threads - 1).submit(work) for _ in range(threads - 1)]
    _check([work(), *(done.result() for done in waiting)])


def _check(given: Sequence[int | None]) -> None:
    if any(given):
        raise MemoryError("no memory for the working room of a kernel")
