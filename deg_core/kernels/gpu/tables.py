"""What kernels look up about rows: where each begins, which blocks it is cut into, where its states lie.

Tables are made on the host and copied without waiting for the device. Those that depend on lengths alone are kept,
since every layer of a pass asks for the same ones.

Shapes: R rows, B blocks, G key/value heads, K head dim, P tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final, overload

import torch
from torch import Tensor

from deg_core.kernels.gpu.launch import ALIGNMENT
from deg_core.protocols.kernels import Keys
from deg_core.protocols.state import Recurrent

SEGMENT: Final = 7
"""Numbers that describe a stretch of keys and values: their addresses, the steps from head to head and from token to
token of the keys, the same of the values, and how many tokens there are."""

_STEP: Final = 8  # elements; steps are multiples of it, which lets the kernel load 16 bytes at once


def to_device(numbers: Sequence[int], columns: int, device: torch.device) -> Tensor:
    """Int64 [len / columns, columns] on the device."""
    host = torch.tensor(numbers, dtype=torch.int64).view(-1, columns)
    return host if device.type == "cpu" else host.pin_memory().to(device, non_blocking=True)


@lru_cache(maxsize=32)
def row_table(lengths: tuple[int, ...], device: torch.device) -> Tensor:
    """[R, 2]: where each row begins among the tokens laid end to end, and its length."""
    starts = accumulate(lengths, initial=0)
    return to_device([number for pair in zip(starts, lengths, strict=False) for number in pair], 2, device)


@lru_cache(maxsize=64)
def block_table(lengths: tuple[int, ...], size: int, device: torch.device) -> Tensor:
    """[B, 2]: every block of ``size`` tokens of every row, counted from the row's own first token: row and token."""
    blocks = [(row, first) for row, length in enumerate(lengths) for first in range(0, length, size)]
    return to_device([number for block in blocks for number in block], 2, device)


@lru_cache(maxsize=32)
def index_table(indices: tuple[int, ...], device: torch.device) -> Tensor:
    """[R, 1]: a number a row."""
    return to_device(indices, 1, device)


def segment(keys: Keys | None) -> tuple[int, ...]:
    """``SEGMENT`` numbers of keys and values, each [G, P, K], that are read where they lie. None: an empty stretch."""
    if keys is None:
        return (0,) * SEGMENT
    k, v = keys
    (k_head, k_token, k_step), (v_head, v_token, v_step) = k.stride(), v.stride()
    odd = (k.data_ptr() | v.data_ptr()) % ALIGNMENT or (k_head | k_token | v_head | v_token) % _STEP
    if odd or k_step != 1 or v_step != 1 or k.dtype != v.dtype or k.shape != v.shape:
        raise ValueError(
            f"keys {tuple(k.shape)} {k.dtype} with steps {k.stride()} and values {tuple(v.shape)} {v.dtype} with steps "
            f"{v.stride()} cannot be read in place: head dims lie side by side, every step is a multiple of {_STEP}"
        )
    return (k.data_ptr(), v.data_ptr(), k_head, k_token, v_head, v_token, k.shape[1])


@dataclass(frozen=True, slots=True, eq=False)
class AddressedStates(Sequence[Recurrent]):
    """States of one layer that kernels find by address and write back to where they were: ``matrices`` and ``tails``
    are int64 [R] on the device, ``rows`` and ``blocks`` the tables of R rows of one token each. There is nothing to see
    of them here: each looks like an empty state."""

    matrices: Tensor
    tails: Tensor
    rows: Tensor
    blocks: Tensor

    def __len__(self) -> int:
        return self.matrices.shape[0]

    @overload
    def __getitem__(self, place: int) -> Recurrent: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Recurrent]: ...
    def __getitem__(self, place: int | slice) -> Recurrent | Sequence[Recurrent]:
        return self._blank()[place]

    def __iter__(self) -> Iterator[Recurrent]:
        return iter(self._blank())

    def nothing(self) -> list[Tensor]:
        """What a kernel gives for each row that it wrote back."""
        return [state.matrix for state in self._blank()]

    def _blank(self) -> list[Recurrent]:
        empty = self.matrices.new_empty(0)
        return [Recurrent(empty, empty)] * len(self)
