"""Which route reads a body how, and which names of models each accepts (SPEC 9.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from deg_serve.engine import Engine
from deg_serve.wire import decisions, decisions_route, fill, systemone, systemone_route
from deg_serve.wire.ask import Ask

Reader: TypeAlias = Callable[[bytes], Ask]


class Readers:
    """The readers of one server. ``aliases`` are names that every route accepts besides its own; ``names`` holds what
    each path accepts."""

    def __init__(self, engine: Engine, aliases: Sequence[str] = ()) -> None:
        own = (*engine.names, *aliases)
        arrays, model_id = engine.array_decoders, engine.model_id
        names = _distinct(own), _distinct((*own, *decisions.ALIASES)), _distinct((*own, *systemone.ALIASES))
        self.names = dict(zip(("/v1/fill", "/v1/decisions", "/v1/systemone"), names, strict=True))
        self.every_name = _distinct(name for accepted in names for name in accepted)
        self.fill: Reader = partial(fill.read, names=names[0], array_decoders=arrays)
        self.decisions: Reader = partial(decisions_route.read, names=names[1], array_decoders=arrays, model_id=model_id)
        self.systemone: Reader = partial(systemone_route.read, names=names[2], array_decoders=arrays, model_id=model_id)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
