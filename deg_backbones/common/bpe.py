"""Byte-level BPE through the ``tokenizers`` library, without any special token in user text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers
from tokenizers.decoders import ByteLevel as ByteLevelDecoder

from deg_core.errors import CheckpointError


class BPETokenizer:
    """``deg_core.protocols.Tokenizer`` over a byte-level BPE vocabulary.

    Control tokens stay in the vocabulary but are not registered with the encoder: merges cannot produce them, so text
    that spells ``<|im_end|>`` is encoded as ordinary characters.
    """

    def __init__(self, tokenizer: Tokenizer, controls: dict[str, int]) -> None:
        self._tokenizer = tokenizer
        self._controls = controls
        self._pieces: tuple[bytes | None, ...] = ()

    @classmethod
    def from_vocabulary(cls, *, tokens: Sequence[str], merges: Sequence[str], controls: Iterable[str]) -> BPETokenizer:
        """SmolLM's pre-tokenizer: single digits, then the GPT-2 split."""
        vocabulary = {token: index for index, token in enumerate(tokens)}
        pairs = [(left, right) for left, _, right in (merge.partition(" ") for merge in merges)]
        tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=pairs))
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
        )
        tokenizer.decoder = ByteLevelDecoder()
        return cls(tokenizer, {name: vocabulary[name] for name in controls})

    @classmethod
    def from_file(cls, path: Path) -> BPETokenizer:
        """From a hub ``tokenizer.json``; its added tokens become controls only."""
        if not path.is_file():
            raise CheckpointError(f"{path} is missing; a snapshot needs its tokenizer.json")
        raw = json.loads(path.read_text(encoding="utf-8"))
        controls = {entry["content"]: entry["id"] for entry in raw.get("added_tokens", [])}
        raw["added_tokens"], raw["post_processor"] = [], None
        return cls(Tokenizer.from_str(json.dumps(raw)), controls)

    def save(self, path: Path) -> None:
        """Write the tokenizer so that ``load`` maps it back without rebuilding the merges."""
        saved = {"tokenizer": json.loads(self._tokenizer.to_str()), "controls": self._controls}
        path.write_text(json.dumps(saved, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> BPETokenizer:
        """Read back what ``save`` wrote."""
        saved = json.loads(path.read_text(encoding="utf-8"))
        return cls(Tokenizer.from_str(json.dumps(saved["tokenizer"])), saved["controls"])

    @property
    def vocab_size(self) -> int:
        """Ids below this, control tokens included: a hub's tokenizer may keep those outside its vocabulary."""
        return max(int(self._tokenizer.get_vocab_size()), 1 + max(self._controls.values(), default=-1))

    def encode(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        offsets = list(encoding.offsets)
        composed = self._tokenizer.normalizer is not None
        return list(encoding.ids), _without_gaps(offsets, len(text)) if composed else offsets

    def decode(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=False))

    def pieces(self) -> Sequence[bytes | None]:
        if not self._pieces:
            byte_of, controls = _byte_of_letter(), set(self._controls.values())
            tokens = (self._tokenizer.id_to_token(index) for index in range(self.vocab_size))
            self._pieces = tuple(
                None
                if index in controls or token is None or not byte_of.keys() >= set(token)
                else bytes(byte_of[letter] for letter in token)
                for index, token in enumerate(tokens)
            )
        return self._pieces

    def control(self, name: str) -> int:
        return self._controls[name]


def _without_gaps(offsets: list[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """Offsets of a text that was normalised. A letter and its accents become one character, whose offsets are those of
    the letter alone: each token is stretched over what nothing covers behind it (the first one to the beginning)."""
    gaps: dict[int, int] = {}
    reach = 0
    for start, end in [*offsets, (length, length)]:
        if start > reach:
            gaps[reach] = start
        reach = max(reach, end)
    if not gaps:
        return offsets
    first = gaps.pop(0, 0)
    return [(0 if start == first else start, gaps.get(end, end)) for start, end in offsets]


def _byte_of_letter() -> dict[str, int]:
    """The byte that each letter of a byte-level vocabulary stands for (Radford et al. 2019): printable Latin-1
    characters stand for themselves, the other bytes in order for the letters from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    other = (byte for byte in range(256) if byte not in printable)
    return {chr(byte): byte for byte in printable} | {chr(0x100 + rank): byte for rank, byte in enumerate(other)}
