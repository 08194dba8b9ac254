"""Modes under which operations run that show what a GPU would refuse, and what is kept in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

COPIES = (torch.ops.aten.copy_.default, torch.ops.aten._to_copy.default)


class MixedDevicesError(RuntimeError):
    """One operation on tensors of two devices."""


class OneDevice(TorchDispatchMode):
    """Refuses operations on tensors of several devices, but for copies; scalars may lie anywhere, as on a GPU. With the
    ``meta`` device, whose tensors have no values, this also finds whatever waits for a value."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None) -> Any:
        given = [x for x in tree_iter((args, kwargs or {})) if isinstance(x, Tensor) and x.dim()]
        if func not in COPIES and len({x.device for x in given}) > 1:
            raise MixedDevicesError(f"{func} of {[(str(x.device), tuple(x.shape)) for x in given]}")
        return func(*args, **(kwargs or {}))


class Held(TorchDispatchMode):
    """Knows all memory that operations under it made; ``bytes`` is what of it is still there."""

    def __init__(self) -> None:
        super().__init__()
        self._made: dict[int, tuple[StorageWeakRef, int]] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for x in _tensors(out):
            ref = StorageWeakRef(x.untyped_storage())
            self._made[ref.cdata] = (ref, x.untyped_storage().nbytes())
        return out

    @property
    def bytes(self) -> int:
        return sum(size for ref, size in self._made.values() if not ref.expired())


def _tensors(out: Any) -> Iterator[Tensor]:
    return (x for x in tree_iter(out) if isinstance(x, Tensor))
