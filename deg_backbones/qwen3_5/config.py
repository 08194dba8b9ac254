"""Sizes of a Qwen3.5 backbone, from a snapshot's ``config.json``: the text part of a multimodal model, or text only."""

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
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "linear_num_key_heads",
    "linear_num_value_heads",
    "linear_key_head_dim",
    "linear_value_head_dim",
    "linear_conv_kernel_dim",
    "rms_norm_eps",
    "max_position_embeddings",
)
_KINDS: dict[str, LayerKind] = {"linear_attention": "state", "full_attention": "attention"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Qwen35Config:
    """Dense Qwen3.5. ``rotary_dim`` of each attention head's dimensions are rotated; ``tied_head``: the LM head is
    the embedding."""

    vocab_size: int
    hidden_size: int
    intermediate_size: int
    layers: tuple[LayerKind, ...]
    num_heads: int
    num_kv_heads: int
    head_dim: int
    rotary_dim: int
    rope_theta: float
    state_key_heads: int
    state_value_heads: int
    state_key_dim: int
    state_value_dim: int
    conv_taps: int
    norm_eps: float
    max_positions: int
    tied_head: bool

    @property
    def key_width(self) -> int:
        """Queries, and likewise keys, of one token in a state layer, all heads."""
        return self.state_key_heads * self.state_key_dim

    @property
    def value_width(self) -> int:
        """Values of one token in a state layer, all heads."""
        return self.state_value_heads * self.state_value_dim

    @property
    def conv_width(self) -> int:
        """Channels of a state layer's convolution: queries, keys and values."""
        return 2 * self.key_width + self.value_width


def from_hub(folder: Path) -> Qwen35Config:
    """Configuration from a snapshot folder. Options that this family lacks are refused by name.

    Raises CheckpointError.
    """
    file = folder / "config.json"
    whole = read_json(file)
    text = whole.get("text_config") if whole.get("model_type") == "qwen3_5" else whole
    if not isinstance(text, dict) or text.get("model_type") != "qwen3_5_text":
        raise CheckpointError(
            f"{file}: model_type is {whole.get('model_type')!r}; expected 'qwen3_5' with a text_config, "
            "or 'qwen3_5_text'"
        )
    demand(text, _NEEDS, str(file))
    rope, scaling = rotary_options(text, str(file))
    options = {
        "rope_scaling": scaling,
        "attention_bias": text.get("attention_bias") or None,
        "attn_output_gate": None if text.get("attn_output_gate", True) else "false",
        "hidden_act": None if text.get("hidden_act", "silu") == "silu" else text["hidden_act"],
        "quantization_config": whole.get("quantization_config") or text.get("quantization_config"),
        "linear_num_value_heads": _uneven(text),
    }
    refuse(options, "qwen3.5", str(file))
    head_dim = text["head_dim"]
    partial = rope.get("partial_rotary_factor", text.get("partial_rotary_factor", 0.25))
    return Qwen35Config(
        vocab_size=text["vocab_size"],
        hidden_size=text["hidden_size"],
        intermediate_size=text["intermediate_size"],
        layers=_layers(text, file),
        num_heads=text["num_attention_heads"],
        num_kv_heads=text["num_key_value_heads"],
        head_dim=head_dim,
        rotary_dim=int(head_dim * partial),
        rope_theta=float(rope["rope_theta"]),
        state_key_heads=text["linear_num_key_heads"],
        state_value_heads=text["linear_num_value_heads"],
        state_key_dim=text["linear_key_head_dim"],
        state_value_dim=text["linear_value_head_dim"],
        conv_taps=text["linear_conv_kernel_dim"],
        norm_eps=float(text["rms_norm_eps"]),
        max_positions=text["max_position_embeddings"],
        tied_head=bool(whole.get("tie_word_embeddings", text.get("tie_word_embeddings", False))),
    )


def _uneven(text: Mapping[str, Any]) -> str | None:
    """Value heads share key heads evenly, or the numbers are refused."""
    values, keys = text["linear_num_value_heads"], text["linear_num_key_heads"]
    return f"{values} (not a multiple of linear_num_key_heads = {keys})" if values % keys else None


def _layers(text: Mapping[str, Any], file: Path) -> tuple[LayerKind, ...]:
    """Each layer's kind: listed, or attention at every ``full_attention_interval``-th layer."""
    count, interval = text["num_hidden_layers"], text.get("full_attention_interval") or 4
    named = text.get("layer_types") or [
        "linear_attention" if (index + 1) % interval else "full_attention" for index in range(count)
    ]
    unknown = sorted({kind for kind in named if kind not in _KINDS})
    if unknown or len(named) != count:
        what = f"holds {', '.join(unknown)}" if unknown else f"has {len(named)} entries for {count} layers"
        raise CheckpointError(f"{file}: layer_types {what}; allowed: {', '.join(_KINDS)}, one a layer")
    return tuple(_KINDS[kind] for kind in named)
