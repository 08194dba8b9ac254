"""Beam search over answers that copy: the likeliest ways through a trie.

Each way that may end is a finished answer with the log-probability of its tokens and of the end behind them. It is not
divided by their number: after an opened quotation mark a model ends its answers of itself, and what is left is a
probability.
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

KEPT: Final = 32  # finished answers
_HOPELESS: Final = 6.0  # nats: a way that is so much less likely than a finished answer is left


@dataclass(frozen=True, slots=True)
class Finished:
    """An answer: the places that hold it in text order, and its log-probability (nats)."""

    places: tuple[Span, ...]
    log_p: float


@dataclass(frozen=True, slots=True)
class _Way:
    state: Any
    log_p: float
    heard: Heard


Searching: TypeAlias = Generator[list[Step], Sequence[Heard], list[Finished]]


def search(heard: Heard, trie: Trie, closing_E: Tensor, *, width: int) -> Searching:
    """The best ``KEPT`` finished answers behind ``heard``, best first. ``closing_E`` are the tokens that end an answer,
    whichever of them comes; at most ``width`` ways are followed at a time."""
    finished: list[Finished] = []
    live = [_Way(trie.root, 0.0, heard)]
    while live:
        finished += [
            Finished(tuple(places), way.log_p + _closing(way.heard, closing_E))
            for way in live
            if (places := trie.ends(way.state))
        ]
        grown = _grown(live, trie, width, max((one.log_p for one in finished), default=None))
        if not grown:
            break
        told = yield [Step(way.heard.row, token) for way, token in grown]
        live = [_Way(way.state, way.log_p, after) for (way, _), after in zip(grown, told, strict=True)]
    return sorted(finished, key=lambda one: (-one.log_p, one.places))[:KEPT]


def _grown(live: Sequence[_Way], trie: Trie, width: int, best: float | None) -> list[tuple[_Way, int]]:
    """The likeliest ways one token on (their ``heard`` still that of before), with that token; ties in the order of the
    ways. One that cannot come near the ``best`` finished answer, even if all that follows were certain, is left."""
    found: list[tuple[_Way, int]] = []
    for way in live:
        children = trie.children(way.state)
        tokens = list(children)
        for token, gain in zip(tokens, at(way.heard, tokens), strict=True):
            log_p = way.log_p + gain
            if best is None or log_p > best - _HOPELESS:
                found.append((_Way(children[token], log_p, way.heard), token))
    found.sort(key=lambda pair: -pair[0].log_p)
    return found[:width]


def _closing(heard: Heard, closing_E: Tensor) -> float:
    """Log-probability that the answer ends here."""
    return float(torch.logsumexp(heard.log_p_V[closing_E].double(), dim=0))
