"""The order in which next tokens are tried: by logit, or drawn at a temperature from a field's own stream (SPEC 7).

A draw without replacement is a sort of logits with Gumbel noise (Kool, van Hoof and Welling 2019, arXiv:1903.06059).
The noise is a pure function of the seed, the field's pointer and the place in the text, so no other field and no other
request can change it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from torch import Tensor

TOP: Final = 256
"""Likeliest tokens that are drawn among; the others follow by logit."""


@dataclass(frozen=True, slots=True)
class Sampler:
    """``temperature`` 0 is greedy. ``seed`` and the concrete ``pointer`` name the stream."""

    temperature: float = 0.0
    seed: int | None = None
    pointer: str = ""

    def order(self, logits_V: Tensor, place: int) -> Iterator[int]:
        """All token ids, the one to try first first, for the ``place``-th token of a text. Of equal logits the lower
        id comes first. Lazy: the first candidate is nearly always taken."""
        scores: npt.NDArray[np.float32] = logits_V.numpy()
        if self.temperature == 0:
            first = int(scores.argmax())
            yield first
            yield from (token for token in _top(scores).tolist() if token != first)
        else:
            top = _top(scores)
            yield from top[_descending(self._perturbed(scores[top], place))].tolist()
        if len(scores) > TOP:
            yield from _descending(scores)[TOP:].tolist()

    def _perturbed(self, scores: npt.NDArray[np.float32], place: int) -> npt.NDArray[np.float64]:
        noise, wide = _gumbel(self._key(), place, len(scores)), scores.astype(np.float64)
        # Either way round the order is the same; neither temperature near nothing nor a huge one may overflow.
        return wide + self.temperature * noise if self.temperature < 1 else wide / self.temperature + noise

    def _key(self) -> int:
        digest = hashlib.sha256(f"{self.seed}\n{self.pointer}".encode()).digest()
        return int.from_bytes(digest[:16], "big")


def _descending(scores: npt.NDArray[np.floating]) -> npt.NDArray[np.intp]:
    return np.argsort(-scores, kind="stable")


def _top(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.intp]:
    """Ids of the ``TOP`` highest scores, highest first."""
    if len(scores) <= TOP:
        return _descending(scores)
    least = np.partition(scores, -TOP)[-TOP]
    chosen = np.flatnonzero(scores >= least)
    return chosen[_descending(scores[chosen])][:TOP]


def _gumbel(key: int, place: int, count: int) -> npt.NDArray[np.float64]:
    """Standard Gumbel noise from a counter-based generator (Philox; Salmon et al. 2011)."""
    bits = np.random.Philox(key=key, counter=place << 64).random_raw(count)
    uniform = ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return -np.log(-np.log(uniform))
