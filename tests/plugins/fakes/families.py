"""Families that break one promise each. Sound in everything else: deg's own of state and attention layers, or of
attention layers alone, with one change."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor

from deg_backbones.lfm2.model import Lfm2Family
from deg_backbones.llama.config import LlamaConfig
from deg_backbones.llama.model import LlamaFamily
from deg_core.protocols.capabilities import Capabilities, Geometry, Projection
from deg_core.protocols.tokenizer import Tokenizer
from tests.plugins.fakes.broken import broken

family = partial(broken, "family")

# What fails when rows leak into one another, wherever they are run together.
LEAK = ("layer-rows", "whole-text", "forks", "neighbours", "steps")


@family(*LEAK, "chunks", "steps-are-forks", "adapters")
class LeaksBetweenRows(LlamaFamily):
    """Centres each layer's output over all tokens of the pass."""

    def attn_out(self, *call: Any) -> Tensor:
        out = super().attn_out(*call)
        return out - 0.1 * out.mean(dim=0)


@family("layer-rows", "forks", "neighbours", "steps")
class RoundsByNeighbours(LlamaFamily):
    """Adds and takes away the largest value of the pass: in exact numbers nothing, in bits not."""

    def final_norm(self, weights: Any, config: Any, h_ND: Tensor) -> Tensor:
        shift = 3 * h_ND.abs().amax()
        return super().final_norm(weights, config, (h_ND + shift) - shift)


@family("trunk-unchanged", "inputs-unchanged", "forks", "neighbours", "steps", "steps-are-forks", "unwritten-memory")
class WritesToItsTrunk(Lfm2Family):
    """Uses up the state that it continues."""

    def rec_layer(self, weights: Any, config: Any, layer: int, h_ND: Tensor, states: Any, lengths: Any) -> Any:
        out = super().rec_layer(weights, config, layer, h_ND, states, lengths)
        for state in states:
            if state is not None and not state.conv_tail.requires_grad:
                state.conv_tail.mul_(0.5)
        return out


@family("inputs-unchanged", "layer-rows")
class WritesToItsInput(Lfm2Family):
    """Adds to the hidden states in place; today's runtime happens not to use them again."""

    def final_norm(self, weights: Any, config: Any, h_ND: Tensor) -> Tensor:
        out = super().final_norm(weights, config, h_ND)
        if not h_ND.requires_grad:
            h_ND.zero_()
        return out


@family("chunks", "whole-text", "steps-are-forks", "adapters")
class ForgetsItsState(Lfm2Family):
    """Starts every piece of a text anew."""

    def rec_layer(self, weights: Any, config: Any, layer: int, h_ND: Tensor, states: Any, lengths: Any) -> Any:
        return super().rec_layer(weights, config, layer, h_ND, [None] * len(lengths), lengths)


@family("chunks", "whole-text", "steps-are-forks", "adapters", "layer-rows", "forks", "steps")
class CountsFromTheChunk(LlamaFamily):
    """Positions that begin at zero in every pass."""

    def positions(self, config: Any, positions: Tensor, reach: Tensor | None = None) -> Any:
        return super().positions(config, positions - positions.min(), reach)


@family("forks", perhaps=("layer-rows", "neighbours", "trunk-threads", "steps", "unwritten-memory", "reload"))
class NotTwiceTheSame(LlamaFamily):
    """Is a little different in every pass."""

    passes = 0

    def final_norm(self, weights: Any, config: Any, h_ND: Tensor) -> Tensor:
        NotTwiceTheSame.passes += 1
        return super().final_norm(weights, config, h_ND) * (1 + NotTwiceTheSame.passes * 1e-7)


@family("trunk-threads", "layer-rows", "forks", "steps")
class CutsByThreads(LlamaFamily):
    """Stands for arithmetic that is cut by the number of threads."""

    def final_norm(self, weights: Any, config: Any, h_ND: Tensor) -> Tensor:
        return super().final_norm(weights, config, h_ND) * (1 + torch.get_num_threads() * 1e-6)


# What fresh memory holds is up to the allocator, so every check that compares two passes may fail.
PASSES = ("whole-text", "chunks", "forks", "neighbours", "trunk-threads", "steps", "steps-are-forks", "reload")


@family("unwritten-memory", perhaps=PASSES)
class ReadsFreshMemory(LlamaFamily):
    """Multiplies what nobody wrote by zero."""

    def final_norm(self, weights: Any, config: Any, h_ND: Tensor) -> Tensor:
        fresh = torch.empty(h_ND.shape)
        return super().final_norm(weights, config, h_ND) + torch.where(fresh.isnan(), 1.0, 0.0)


@family("sizes")
class WrongStateSize(Lfm2Family):
    """Declares the state of one layer too few."""

    def geometry(self, config: Any) -> Geometry:
        return dataclasses.replace(super().geometry(config), state_floats_per_row=2 * config.hidden_size)


@family("sizes")
class PacksStates(Lfm2Family):
    """Says that trunk and forks may share a sequence."""

    capabilities = Capabilities(packed_training=True)


@family("weights")
class WrongShape(LlamaFamily):
    """Declares a projection the other way round."""

    def projections(self, config: Any) -> Mapping[str, Projection]:
        found = dict(super().projections(config))
        down = found["layers.0.down"]
        return found | {"layers.0.down": dataclasses.replace(down, rows=down.columns, columns=down.rows)}


@family("weights")
class UnknownVectors(LlamaFamily):
    """Has a vector that is no norm's, and does not say how to draw it."""

    def final_norm(self, weights: Any, config: Any, h_ND: Tensor) -> Tensor:
        return super().final_norm(weights, config, h_ND + weights.vector("offset"))


@family("weights")
class NothingTiny(LlamaFamily):
    """Offers no configuration to be checked on."""

    tiny_config = None  # type: ignore[assignment]


@family("transformers")
class OtherRotation(LlamaFamily):
    """Turns twice as fast as the published model: sound in itself, but not that model."""

    def positions(self, config: Any, positions: Tensor, reach: Tensor | None = None) -> Any:
        return super().positions(config, 2 * positions, reach)


@family("projections", "gradients")
class DeadProjection(LlamaFamily):
    """Declares a matrix that no layer multiplies by."""

    def projections(self, config: Any) -> Mapping[str, Projection]:
        d = config.hidden_size
        return {**super().projections(config), "layers.0.unused": Projection(rows=d, columns=d, layer=0)}


@family("projections", "gradients")
class AroundLinear(LlamaFamily):
    """Takes the last layer's output matrix as it is, so that no adapter reaches it."""

    def attn_out(self, weights: Any, config: Any, layer: int, h_ND: Tensor, attended: Tensor, extra: Any) -> Tensor:
        if layer < config.num_layers - 1:
            return super().attn_out(weights, config, layer, h_ND, attended, extra)
        h_ND = h_ND + attended.flatten(1)[:, : config.hidden_size]
        norm = weights.vector(f"layers.{layer}.mlp_norm")
        return weights.feed_forward(f"layers.{layer}.gate_up", f"layers.{layer}.down", h_ND, norm, config.norm_eps)


@family("gradients")
class DetachesKeys(LlamaFamily):
    """No gradient goes from a fork back into its trunk."""

    def attn_qkv(self, *call: Any) -> Any:
        q, k, v, extra = super().attn_qkv(*call)
        return q, k.detach(), v.detach(), extra


@dataclasses.dataclass(frozen=True)
class UnplainConfig(LlamaConfig):
    dtype: torch.dtype = torch.float32


@family("reload")
class ConfigOfTensors(LlamaFamily):
    """Keeps in its configuration what JSON cannot hold."""

    config_type = UnplainConfig

    def tiny_config(self) -> UnplainConfig:
        return UnplainConfig(**dataclasses.asdict(super().tiny_config()))


class Around:
    """A tokenizer with one change."""

    def __init__(self, whole: Any) -> None:
        self._whole = whole

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)


@family("reload")
class LosesItsTurns(LlamaFamily):
    """Loads a tokenizer with other control tokens than it saved."""

    def load_tokenizer(self, path: Any) -> Tokenizer:
        loaded: Any = super().load_tokenizer(path)
        loaded._controls["<|im_start|>"] = loaded._controls["<|endoftext|>"]
        return loaded


@family("chat-turns", "user-text")
class EndsLikeText(LlamaFamily):
    """Ends the assistant's turn with a line break, which a text may hold."""

    def chat_answer(self, tokenizer: Tokenizer) -> tuple[list[int], int]:
        ids, _ = super().chat_answer(tokenizer)
        return ids, tokenizer.encode("\n")[0]


@family("chat-turns")
class ForgetsTheSystem(LlamaFamily):
    """Leaves the system's text out."""

    def chat_prefix(self, tokenizer: Tokenizer, system: str) -> list[int]:
        return super().chat_prefix(tokenizer, "")


class Trusting(Around):
    """Reads control tokens wherever somebody writes them."""

    def encode(self, text: str) -> list[int]:
        return self.encode_with_offsets(text)[0]

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        name = "<|im_end|>"
        at = text.find(name)
        if at < 0:
            return self._whole.encode_with_offsets(text)
        before, offsets = self._whole.encode_with_offsets(text[:at])
        after, later = self.encode_with_offsets(text[at + len(name) :])
        shift = at + len(name)
        moved = [(start + shift, end + shift) for start, end in later]
        return [*before, self.control(name), *after], [*offsets, (at, shift), *moved]


@family("user-text")
class BelievesTheText(LlamaFamily):
    """A text that spells the end of its turn ends it."""

    def tiny_tokenizer(self) -> Tokenizer:
        return Trusting(super().tiny_tokenizer())  # type: ignore[return-value]


class Shifted(Around):
    """Offsets in bytes."""

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, _ = self._whole.encode_with_offsets(text)
        return ids, [(at, at + 1) for at in range(len(ids))]


@family("tokenizer", "reload")
class CountsBytes(LlamaFamily):
    """Gives offsets in bytes where code points are wanted."""

    def tiny_tokenizer(self) -> Tokenizer:
        return Shifted(super().tiny_tokenizer())  # type: ignore[return-value]


@family("interface")
class NoFork(LlamaFamily):
    """Was written before turns could be answered."""

    chat_answer = None  # type: ignore[assignment]


@family("interface")
class OldPositions(LlamaFamily):
    """Takes one argument less than deg gives."""

    def positions(self, config: Any, positions: Tensor) -> Any:  # type: ignore[override]
        return super().positions(config, positions)


@family("protocol-version")
class FromThePast(LlamaFamily):
    protocol_version = (0, 9)
