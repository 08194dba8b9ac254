"""Beam search over answers that copy: the likeliest ways through a trie, and the answer that there is nothing.

Each way that may end is a finished answer with the log-probability of its tokens and of the end behind them, divided by
a power of their number: longer answers are not punished for being long (Wu et al. 2016, arXiv:1609.08144, section 7).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import torch
from torch import Tensor

from deg_core.protocols.language import Heard, Step
from deg_heads.readout.sources import Span, Trie
from deg_heads.readout.spelling import at

LENGTH_POWER: Final = 0.5
KEPT: Final = 32  # finished answers
_AHEAD: Final = 8  # tokens that an unfinished answer is given the benefit of
_HOPELESS: Final = 6.0  # nats below the best finished answer


@dataclass(frozen=True, slots=True)
class Finished:
    """An answer: the places that hold it in text order, and its score (nats; see the module)."""

    places: tuple[Span, ...]
    score: float


@dataclass(frozen=True, slots=True)
class _Way:
    state: Any
    log_p: float
    tokens: int
    heard: Heard


Searching: TypeAlias = Generator[list[Step], Sequence[Heard], list[Finished]]


def score(log_p: float, tokens: int) -> float:
    """The normalised log-probability of so many tokens."""
    return float(log_p / tokens**LENGTH_POWER)


def search(heard: Heard, trie: Trie, closing_E: Tensor, *, width: int) -> Searching:
    """The best ``KEPT`` finished answers behind ``heard``, best first. ``closing_E`` are the tokens that end an answer,
    whichever of them comes; at most ``width`` ways are followed at a time."""
    finished: list[Finished] = []
    live = [_Way(trie.root, 0.0, 0, heard)]
    while live:
        finished += [
            Finished(tuple(places), score(way.log_p + _closing(way.heard, closing_E), way.tokens + 1))
            for way in live
            if (places := trie.ends(way.state))
        ]
        grown = _grown(live, trie, width, max((one.score for one in finished), default=None))
        if not grown:
            break
        told = yield [Step(way.heard.row, token) for way, token in grown]
        live = [_Way(way.state, way.log_p, way.tokens, after) for (way, _), after in zip(grown, told, strict=True)]
    return sorted(finished, key=lambda one: (-one.score, one.places))[:KEPT]


def _grown(live: Sequence[_Way], trie: Trie, width: int, best: float | None) -> list[tuple[_Way, int]]:
    """The likeliest ways one token on (their ``heard`` still that of before), with that token; ties in the order of the
    ways. A way that could not come near the ``best`` finished answer even if what follows were certain is left."""
    found: list[tuple[_Way, int]] = []
    for way in live:
        children = trie.children(way.state)
        tokens = list(children)
        for token, gain in zip(tokens, at(way.heard, tokens), strict=True):
            log_p = way.log_p + gain
            if best is None or score(log_p, way.tokens + 1 + _AHEAD) > best - _HOPELESS:
                found.append((_Way(children[token], log_p, way.tokens + 1, way.heard), token))
    found.sort(key=lambda pair: -pair[0].log_p)
    return found[:width]


def _closing(heard: Heard, closing_E: Tensor) -> float:
    """Log-probability that the answer ends here."""
    return float(torch.logsumexp(heard.log_p_V[closing_E].double(), dim=0))
