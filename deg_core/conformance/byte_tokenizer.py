"""A tokenizer for tiny models: an id a byte, and control tokens that come into being when they are asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

BYTES = 256


class ByteTokenizer:
    """``deg_core.protocols.Tokenizer`` over UTF-8 bytes. Ids from 256 on are control tokens, ``size`` ids in all.

    The kit uses it for a family that brings no tokenizer of its own, whatever control tokens its turns are made of.
    """

    def __init__(self, size: int, controls: Sequence[str] = ()) -> None:
        self._size = size
        self._controls = {name: BYTES + index for index, name in enumerate(controls)}

    @property
    def vocab_size(self) -> int:
        return self._size

    def encode(self, text: str) -> list[int]:
        return list(text.encode("utf-8", "replace"))

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        sizes = [len(character.encode("utf-8", "replace")) for character in text]
        return self.encode(text), [(at, at + 1) for at, size in enumerate(sizes) for _ in range(size)]

    def decode(self, ids: Sequence[int]) -> str:
        names = {index: name.encode() for name, index in self._controls.items()}
        return b"".join(bytes([i]) if i < BYTES else names.get(i, b"") for i in ids).decode("utf-8", "replace")

    def pieces(self) -> Sequence[bytes | None]:
        return [bytes([index]) if index < BYTES else None for index in range(self._size)]

    def control(self, name: str) -> int:
        """The id of ``name``, given out now if it has none. Raises KeyError when the vocabulary is full."""
        if name not in self._controls:
            index = BYTES + len(self._controls)
            if index >= self._size:
                raise KeyError(
                    f"no room for the control token {name!r}: tiny_config() has a vocabulary of {self._size}"
                )
            self._controls[name] = index
        return self._controls[name]

    def save(self, path: Path) -> None:
        path.write_text(json.dumps({"size": self._size, "controls": list(self._controls)}), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> ByteTokenizer:
        """Read back what ``save`` wrote."""
        saved = json.loads(path.read_text(encoding="utf-8"))
        return cls(saved["size"], saved["controls"])
