"""Texts that were read, kept for the next schema: least recently used go first, bounded in bytes (SPEC 7.1)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, Generic, TypeVar

DEFAULT_BYTES: Final = 256 * 2**20

Value = TypeVar("Value")


class TrunkCache(Generic[Value]):
    """What was read, by key. One entry larger than the bound is not kept. Safe to share between threads."""

    def __init__(self, limit: int, size_of: Callable[[Value], int]) -> None:
        """``limit`` is in bytes, 0 keeps nothing; ``size_of`` tells an entry's."""
        self.limit = limit
        self.bytes = 0
        self.hits = self.misses = 0
        self._size_of = size_of
        self._kept: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, read: Callable[[], Value]) -> Value:
        """The entry of ``key``, read now if it is not there."""
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                self.hits += 1
                return known[0]
            self.misses += 1
        value = read()
        self._keep(key, value)
        return value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def _keep(self, key: Hashable, value: Value) -> None:
        size = self._size_of(value)
        if size > self.limit:
            return
        with self._lock:
            if key in self._kept:
                return
            self._kept[key] = (value, size)
            self.bytes += size
            while self.bytes > self.limit:
                _, (_, freed) = self._kept.popitem(last=False)
                self.bytes -= freed
