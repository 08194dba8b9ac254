"""Sizes of an LFM2 or LFM2.5 backbone, from a snapshot's ``config.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deg_backbones.common.snapshot import demand, read_json, refuse, rotary_options
from deg_core.errors import CheckpointError
from deg_core.protocols.capabilities import LayerKind

_NEEDS = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "norm_eps",
    "conv_L_cache",
    "max_position_embeddings",
)
_KINDS: dict[str, LayerKind] = {"conv": "state", "full_attention": "attention"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lfm2Config:
    """Dense LFM2, no biases. ``tied_head``: the LM head is the embedding."""

    vocab_size: int
    hidden_size: int
    intermediate_size: int
    layers: tuple[LayerKind, ...]
    num_heads: int
    num_kv_heads: int
    head_dim: int
    rope_theta: float
    conv_taps: int
    norm_eps: float
    max_positions: int
    tied_head: bool


def from_hub(folder: Path) -> Lfm2Config:
    """Configuration from a snapshot folder. Options that this family lacks are refused by name.

    Raises CheckpointError.
    """
    file = folder / "config.json"
    raw = read_json(file)
    if raw.get("model_type") != "lfm2":
        raise CheckpointError(f"{file}: model_type is {raw.get('model_type')!r}, expected 'lfm2'")
    demand(raw, _NEEDS, str(file))
    rope, scaling = rotary_options(raw, str(file))
    options = {
        "rope_scaling": scaling,
        "conv_bias": raw.get("conv_bias") or None,
        "quantization_config": raw.get("quantization_config"),
    }
    refuse(options, "lfm2", str(file))
    return Lfm2Config(
        vocab_size=raw["vocab_size"],
        hidden_size=raw["hidden_size"],
        intermediate_size=_intermediate_size(raw, file),
        layers=_layers(raw, file),
        num_heads=raw["num_attention_heads"],
        num_kv_heads=raw["num_key_value_heads"],
        head_dim=raw.get("head_dim") or raw["hidden_size"] // raw["num_attention_heads"],
        rope_theta=float(rope["rope_theta"]),
        conv_taps=raw["conv_L_cache"],
        norm_eps=float(raw["norm_eps"]),
        max_positions=raw["max_position_embeddings"],
        tied_head=bool(raw.get("tie_embedding", raw.get("tie_word_embeddings", True))),
    )


def _intermediate_size(raw: Mapping[str, Any], file: Path) -> int:
    """The feed-forward width. Published configurations name the width before it is cut by a third (SwiGLU has three
    matrices where two were), scaled, and rounded up to a multiple."""
    width = raw.get("block_ff_dim") or raw.get("intermediate_size")
    if width is None:
        raise CheckpointError(f"{file} lacks intermediate_size")
    if not raw.get("block_auto_adjust_ff_dim", True):
        return int(width)
    width, multiplier = int(2 * width / 3), raw.get("block_ffn_dim_multiplier", 1.0)
    if multiplier is None:
        return width
    multiple = int(raw.get("block_multiple_of", 256))
    return -(-int(multiplier * width) // multiple) * multiple


def _layers(raw: Mapping[str, Any], file: Path) -> tuple[LayerKind, ...]:
    """Each layer's kind: listed, or attention where ``full_attn_idxs`` says so."""
    count = raw["num_hidden_layers"]
    named = raw.get("layer_types")
    if named is None:
        attention = raw.get("full_attn_idxs")
        if attention is None:
            raise CheckpointError(f"{file} lacks layer_types")
        named = ["full_attention" if index in attention else "conv" for index in range(count)]
    unknown = sorted({kind for kind in named if kind not in _KINDS})
    if unknown or len(named) != count:
        what = f"holds {', '.join(unknown)}" if unknown else f"has {len(named)} entries for {count} layers"
        raise CheckpointError(f"{file}: layer_types {what}; allowed: {', '.join(_KINDS)}, one a layer")
    return tuple(_KINDS[kind] for kind in named)
