"""The tokenizer surface that deg needs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol


class Tokenizer(Protocol):
    """Text to token ids. User text never becomes a control token: only ``control`` gives those (decisions 4.2)."""

    @property
    def vocab_size(self) -> int: ...

    def encode(self, text: str) -> list[int]:
        """Token ids of ``text``; nothing is added and nothing in ``text`` is special."""
        ...

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Token ids and, for each, its [start, end) code-point offsets in ``text``."""
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """Text of the ids; bytes that form no character become U+FFFD."""
        ...

    def pieces(self) -> Sequence[bytes | None]:
        """The bytes that each id adds to a text, by id: a character may be spread over several ids. None for control
        tokens, which add nothing."""
        ...

    def control(self, name: str) -> int:
        """Id of a control token by its spelling, such as ``<|im_end|>``. Raises KeyError."""
        ...

    def save(self, path: Path) -> None:
        """Write a file that the family's ``load_tokenizer`` reads back quickly."""
        ...
