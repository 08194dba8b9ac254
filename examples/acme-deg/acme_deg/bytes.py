"""A tokenizer without a vocabulary file: one id for each byte of UTF-8, and four control tokens behind them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

CONTROLS: Final = ("<begin>", "<system>", "<user>", "<assistant>", "<end>")
VOCABULARY: Final = 256 + len(CONTROLS)


class ByteTokenizer:
    """``deg_core.protocols.tokenizer.Tokenizer``. No text gives an id above 255, so none becomes a control token."""

    vocab_size = VOCABULARY

    def encode(self, text: str) -> list[int]:
        return list(text.encode("utf-8", "replace"))

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """All bytes of a character have its place."""
        sizes = (len(character.encode("utf-8", "replace")) for character in text)
        return self.encode(text), [(at, at + 1) for at, size in enumerate(sizes) for _ in range(size)]

    def decode(self, ids: Sequence[int]) -> str:
        parts = (bytes([token]) if token < 256 else CONTROLS[token - 256].encode() for token in ids)
        return b"".join(parts).decode("utf-8", "replace")

    def pieces(self) -> Sequence[bytes | None]:
        return [*(bytes([token]) for token in range(256)), *(None for _ in CONTROLS)]

    def control(self, name: str) -> int:
        if name not in CONTROLS:
            raise KeyError(f"no control token {name!r}; known: {', '.join(CONTROLS)}")
        return 256 + CONTROLS.index(name)

    def save(self, path: Path) -> None:
        """There is nothing to keep, but deg expects a file."""
        path.write_text("{}\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> ByteTokenizer:
        """The same tokenizer whatever is in the file, as long as there is one."""
        path.read_text(encoding="utf-8")
        return cls()
