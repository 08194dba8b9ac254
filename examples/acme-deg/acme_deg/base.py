"""What both families have in common: bytes, turns, and where weights are."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import torch
from torch import Generator, Tensor

from acme_deg import snapshot
from acme_deg.bytes import ByteTokenizer
from deg_core.protocols.capabilities import Projection
from deg_core.protocols.family import Weights
from deg_core.protocols.tokenizer import Tokenizer


class ByteFamily(ABC):
    """The part of ``deg_core.protocols.family.Family`` that is not the architecture."""

    protocol_version = (1, 1)
    config_type: ClassVar[type[Any]]

    @abstractmethod
    def projections(self, config: Any) -> Mapping[str, Projection]:
        """The matrices by name, with what deg may do to them."""

    @abstractmethod
    def vectors(self, config: Any) -> dict[str, int]:
        """Names and sizes of the small weights."""

    def shapes(self, config: Any) -> dict[str, tuple[int, ...]]:
        """The shape of every tensor of a snapshot."""
        matrices = {name: (each.rows, each.columns) for name, each in self.projections(config).items()}
        vectors = {name: (size,) for name, size in self.vectors(config).items()}
        return {"embed": (config.vocab_size, config.hidden_size), **matrices, **vectors}

    def default_source(self) -> Path | None:
        return None  # nobody has published weights; --base-model names a folder

    def read_config(self, source: Path) -> Any:
        return snapshot.read_config(source, self.config_type)

    def read_weights(self, source: Path, config: Any) -> dict[str, Tensor]:
        return snapshot.read_weights(source, self.shapes(config))

    def read_tokenizer(self, source: Path) -> Tokenizer:
        return ByteTokenizer()

    def load_tokenizer(self, path: Path) -> Tokenizer:
        return ByteTokenizer.load(path)

    def chat_prefix(self, tokenizer: Tokenizer, system: str) -> list[int]:
        """``<begin> <system> ... <end> <user>``: what follows is the user's text."""
        begin, opened, end, user = map(tokenizer.control, ("<begin>", "<system>", "<end>", "<user>"))
        return [begin, opened, *tokenizer.encode(system), end, user]

    def chat_answer(self, tokenizer: Tokenizer) -> tuple[list[int], int]:
        """``<end> <assistant>``, and the id that ends what is written then."""
        end = tokenizer.control("<end>")
        return [end, tokenizer.control("<assistant>")], end

    def final_norm(self, weights: Weights, config: Any, h_ND: Tensor) -> Tensor:
        return weights.rms_norm(h_ND, weights.vector("final_norm"), config.norm_eps)

    # For the conformance kit, and for trying things out without trained weights.

    def tiny_tokenizer(self) -> Tokenizer:
        return ByteTokenizer()

    def random_weights(self, config: Any, generator: Generator) -> dict[str, Tensor]:
        """Matrices that keep the size of what they multiply; norms around one."""

        def draw(shape: tuple[int, ...]) -> Tensor:
            noise = torch.randn(shape, generator=generator)
            return noise * (1.5 / math.sqrt(shape[1])) if len(shape) > 1 else 1 + 0.2 * noise

        return {name: draw(shape) for name, shape in self.shapes(config).items()}
