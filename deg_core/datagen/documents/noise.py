"""Typing and scanning noise for the free text of a page; the text of facts is never touched."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

_SCAN = {"l": "1", "O": "0", "m": "rn", "S": "5", "B": "8", "e": "c", "I": "l", "g": "q", "u": "ii"}
_WORD = re.compile(r"[A-Za-zÀ-ÿ]{4,}")


@dataclass(frozen=True, slots=True)
class Noise:
    """``rate`` is the share of words of four letters and more that get one fault; ``kind`` is scan or typing."""

    rng: random.Random
    rate: float
    kind: str

    def apply(self, text: str) -> str:
        return _WORD.sub(self._word, text) if self.rate else text

    def _word(self, match: re.Match[str]) -> str:
        word = match.group()
        if self.rng.random() >= self.rate:
            return word
        return self._scanned(word) if self.kind == "scan" else self._typed(word)

    def _scanned(self, word: str) -> str:
        sites = [index for index, letter in enumerate(word) if letter in _SCAN]
        if not sites:
            return word
        at = self.rng.choice(sites)
        return word[:at] + _SCAN[word[at]] + word[at + 1 :]

    def _typed(self, word: str) -> str:
        at = self.rng.randrange(1, len(word) - 1)
        fault = self.rng.randrange(3)
        if fault == 0:
            return word[:at] + word[at + 1 :]
        if fault == 1:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return word[:at] + word[at] + word[at:]


def draw_noise(rng: random.Random) -> Noise | None:
    """Most pages are clean, one in five has a few faults, one in twenty many."""
    roll = rng.random()
    if roll < 0.76:
        return None
    rate = 0.015 if roll < 0.95 else 0.06
    return Noise(rng, rate, rng.choice(("scan", "typing", "typing")))
