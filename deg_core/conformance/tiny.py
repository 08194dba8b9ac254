"""A tiny random model of a family, so that it can be checked in seconds without its published weights.

A family offers what cannot be derived by methods of its own, all of them optional for deg but not for a check without
``--snapshot``::

    def tiny_config(self) -> Any: ...
    def random_weights(self, config: Any, generator: Generator) -> dict[str, Tensor]: ...
    def tiny_tokenizer(self) -> Tokenizer: ...

``tiny_config`` gives a configuration of a few small layers, with every kind of layer that the family knows, and grouped
heads if it can have them. ``random_weights`` gives what ``read_weights`` would for that configuration, in the scales
of trained weights, so that no part is negligible; without it the kit draws them from ``projections()`` and
``geometry()``, and a scale for every norm. ``tiny_tokenizer`` gives a small tokenizer of the family's own class;
without it the kit takes bytes, and leaves out what only an own tokenizer can show.
"""

from __future__ import annotations

import math
from typing import Any, NoReturn

import torch
from torch import Generator, Tensor

from deg_core.conformance.plain import causal, causal_rows
from deg_core.conformance.report import CheckFailed
from deg_core.conformance.traced import TracedWeights
from deg_core.protocols.family import Family
from deg_core.runtime.body import Body, run_layers

_PROBE = 3  # tokens of the pass that finds out which norms there are


def tiny_config(family: Family) -> Any:
    """The family's own tiny configuration. Raises CheckFailed when it has none."""
    own = getattr(family, "tiny_config", None)
    if own is None:
        raise CheckFailed(
            "a method tiny_config() that gives a configuration of a few small layers, or --snapshot with real weights",
            f"{type(family).__name__} has no tiny_config(), and no snapshot was given",
        )
    return own()


def tiny_weights(family: Family, config: Any, generator: Generator) -> dict[str, Tensor]:
    """The family's own random weights, or drawn ones. Raises CheckFailed when it has weights that only it can draw."""
    own = getattr(family, "random_weights", None)
    if own is not None:
        return dict(own(config, generator))
    geometry = family.geometry(config)
    weights = {"embed": torch.randn(geometry.vocab_size, geometry.hidden_size, generator=generator)}
    for name, projection in family.projections(config).items():
        noise = torch.randn(projection.rows, projection.columns, generator=generator)
        weights[name] = noise * (1.5 / math.sqrt(projection.columns))
    for name, size in _norms(family, config, weights).items():
        weights[name] = 1 + 0.2 * torch.randn(size, generator=generator)
    return weights


def _norms(family: Family, config: Any, weights: dict[str, Tensor]) -> dict[str, int]:
    """Name and size of every norm's scale, found by running a few tokens."""
    probe = _Probe(weights)
    body = Body(family, config, probe, family.geometry(config))
    with torch.no_grad():
        run_layers(body, torch.arange(_PROBE), torch.arange(_PROBE), causal((_PROBE,)), causal_rows(body, (_PROBE,)))
    return dict(sorted(probe.sizes.items()))


class _Probe(TracedWeights):
    """Weights whose vectors are not known yet: each is found to be a norm's scale when a norm is taken with it."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        super().__init__(weights)
        self.sizes: dict[str, int] = {}

    def vector(self, name: str) -> Tensor:
        return _Unknown(name)  # type: ignore[return-value]  # it stands for a tensor

    def rms_norm(self, x: Tensor, weight: Tensor, eps: float) -> Tensor:
        if isinstance(weight, _Unknown):
            self.sizes[weight.name] = x.shape[-1]
            weight = torch.ones(x.shape[-1])
        return super().rms_norm(x, weight, eps)


class _Unknown:
    """Stands for a vector of unknown size; anything but a norm that touches it cannot be guessed."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, attribute: str) -> NoReturn:
        raise _underivable(self.name)

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> NoReturn:
        raise _underivable(next(each.name for each in args if isinstance(each, cls)))


def _underivable(name: str) -> CheckFailed:
    return CheckFailed(
        "a method random_weights(config, generator) for a family with other vectors than the scales of norms",
        f"{name} is not only the scale of a norm, so its size cannot be derived",
    )
