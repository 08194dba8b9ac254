"""A family under test: configuration, weights and tokenizer, tiny and random or from a snapshot, and bodies of it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import torch
from torch import Generator, Tensor

from deg_core.conformance.byte_tokenizer import ByteTokenizer
from deg_core.conformance.report import CheckFailed
from deg_core.conformance.tiny import tiny_config, tiny_weights
from deg_core.conformance.traced import TracedWeights
from deg_core.kernels.int8 import QuantizedWeight, quantize_weight
from deg_core.protocols.capabilities import Geometry, Projection
from deg_core.protocols.family import Family
from deg_core.protocols.state import KV, LayerState
from deg_core.protocols.tokenizer import Tokenizer
from deg_core.runtime.body import Body
from deg_core.runtime.weights import ServingWeights

CLOSE: Final = 1e-4  # relative error of fp32 against fp32, another order of additions
SERVED: Final = ("fp32", "int8")  # arithmetics in which a checkpoint is served on a processor
MANY_LAYERS: Final = 3  # of more layers the first of each kind and the last stand for all


class FamilyCase:
    """What the checks of a family share. ``snapshot`` holds real weights; None means a tiny random configuration."""

    def __init__(self, family_class: type[Any], name: str, snapshot: Path | None) -> None:
        self.name = name
        self.snapshot = snapshot
        self.family: Family = family_class()
        self._body = cache(self._make_body)

    @cached_property
    def config(self) -> Any:
        """The configuration. Raises CheckFailed when there is neither a snapshot nor a tiny one."""
        return tiny_config(self.family) if self.snapshot is None else self.family.read_config(self.snapshot)

    @cached_property
    def weights(self) -> dict[str, Tensor]:
        """All weights in fp32 under the family's own names."""
        if self.snapshot is None:
            found = tiny_weights(self.family, self.config, Generator().manual_seed(0))
        else:
            found = self.family.read_weights(self.snapshot, self.config)
        return {name: weight.float() for name, weight in found.items()}

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The snapshot's, the family's own tiny one, or bytes."""
        if self.snapshot is not None:
            return self.family.read_tokenizer(self.snapshot)
        own = getattr(self.family, "tiny_tokenizer", None)
        return ByteTokenizer(self.geometry.vocab_size) if own is None else own()

    @property
    def own_tokenizer(self) -> bool:
        """Whether the tokenizer is of the family's own class."""
        return self.snapshot is not None or hasattr(self.family, "tiny_tokenizer")

    @cached_property
    def geometry(self) -> Geometry:
        return self.family.geometry(self.config)

    @cached_property
    def projections(self) -> dict[str, Projection]:
        return dict(self.family.projections(self.config))

    @cached_property
    def layers(self) -> tuple[int, ...]:
        """The layers that are looked at one by one."""
        kinds = self.geometry.layers
        if len(kinds) <= MANY_LAYERS:
            return tuple(range(len(kinds)))
        return tuple(sorted({*(kinds.index(kind) for kind in set(kinds)), len(kinds) - 1}))

    @cached_property
    def folder(self) -> Path:
        """A folder of the case's own; ``close`` removes it."""
        return Path(tempfile.mkdtemp(prefix="deg-conform-"))

    def close(self) -> None:
        if "folder" in self.__dict__:
            shutil.rmtree(self.folder, ignore_errors=True)

    def arithmetics(self) -> tuple[str, ...]:
        """Those of the family's arithmetics that serve on a processor."""
        return tuple(name for name in SERVED if name in self.family.capabilities.compute)

    def body(self, compute: str, *, rounded: bool = False) -> Body:
        """The family in serving arithmetic, "fp32" or "int8"; ``rounded`` holds the embedding in bf16, as prepared
        weights do."""
        return self._body(compute, rounded)

    def plain_body(self) -> Body:
        """The family in plain differentiable arithmetic."""
        return Body(self.family, self.config, TracedWeights(self.weights), self.geometry)

    def ids(self, count: int, seed: int = 0) -> list[int]:
        """Random tokens."""
        generator = Generator().manual_seed(1000 * seed + count)
        return torch.randint(self.geometry.vocab_size, (count,), generator=generator).tolist()

    def hidden(self, count: int, seed: int = 0) -> Tensor:
        """Random hidden states [count, D] as they come into a layer."""
        generator = Generator().manual_seed(seed)
        return torch.randn(count, self.geometry.hidden_size, generator=generator)

    def _make_body(self, compute: str, rounded: bool) -> Body:
        vectors = dict(self.weights)
        embedding, head = vectors.pop("embed"), vectors.pop("lm_head", None)
        if rounded:
            embedding, head = embedding.bfloat16(), head.bfloat16() if head is not None else None
        matrices: dict[str, Tensor | QuantizedWeight] = {}
        for name, projection in self.projections.items():
            weight = vectors.pop(name)
            matrices[name] = quantize_weight(weight) if compute == "int8" and projection.quantize else weight
        return Body(self.family, self.config, ServingWeights(matrices, vectors, embedding, head), self.geometry)


def parts(state: LayerState) -> tuple[Tensor, Tensor]:
    """The two tensors of a layer's state."""
    return (state.k_GPK, state.v_GPK) if isinstance(state, KV) else (state.matrix, state.conv_tail)


def same_bits(found: Sequence[Tensor], expected: Sequence[Tensor], expectation: str, where: str) -> None:
    """Raise CheckFailed unless all pairs have the same bits."""
    for index, (a, b) in enumerate(zip(found, expected, strict=True)):
        if a.shape != b.shape:
            raise CheckFailed(expectation, f"{where}, row {index}: shape {tuple(a.shape)} and not {tuple(b.shape)}")
        if not torch.equal(a, b):
            differing = int((a != b).sum())
            size = float((a.double() - b.double()).abs().nan_to_num(float("inf")).max())
            raise CheckFailed(
                expectation, f"{where}, row {index}: {differing} of {a.numel()} values differ, by up to {size:.2g}"
            )
