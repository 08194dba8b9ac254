"""Sizes of a Llama-family backbone, from a GGUF file or from a hub-style ``config.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deg_core.errors import CheckpointError


@dataclass(frozen=True, slots=True, kw_only=True)
class LlamaConfig:
    """Plain Llama: no biases, no scaling of the rotary base, embeddings tied with the LM head."""

    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_layers: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    rope_theta: float
    norm_eps: float
    max_positions: int


def from_gguf(fields: dict[str, Any]) -> LlamaConfig:
    """Configuration from GGUF metadata (key -> value)."""
    if fields.get("general.architecture") != "llama":
        found = fields.get("general.architecture")
        raise CheckpointError(f"the GGUF file holds architecture {found!r}; the llama family reads 'llama'")
    heads, hidden = int(fields["llama.attention.head_count"]), int(fields["llama.embedding_length"])
    return LlamaConfig(
        vocab_size=int(fields["llama.vocab_size"]),
        hidden_size=hidden,
        intermediate_size=int(fields["llama.feed_forward_length"]),
        num_layers=int(fields["llama.block_count"]),
        num_heads=heads,
        num_kv_heads=int(fields["llama.attention.head_count_kv"]),
        head_dim=int(fields.get("llama.rope.dimension_count", hidden // heads)),
        rope_theta=float(fields["llama.rope.freq_base"]),
        norm_eps=float(fields["llama.attention.layer_norm_rms_epsilon"]),
        max_positions=int(fields["llama.context_length"]),
    )


def from_hub(path: Path) -> LlamaConfig:
    """Configuration from a snapshot folder's ``config.json``. Options that this family lacks are refused by name."""
    raw = json.loads((path / "config.json").read_text(encoding="utf-8"))
    if raw.get("model_type") != "llama":
        raise CheckpointError(f"{path / 'config.json'}: model_type is {raw.get('model_type')!r}, expected 'llama'")
    rope = raw.get("rope_parameters") or {}
    theta = raw.get("rope_theta", rope.get("rope_theta", 10000.0))
    scaling = raw.get("rope_scaling") or (rope if rope.get("rope_type", "default") != "default" else None)
    refused = {
        "rope_scaling": scaling,
        "attention_bias": raw.get("attention_bias"),
        "mlp_bias": raw.get("mlp_bias"),
        "tie_word_embeddings": None if raw.get("tie_word_embeddings") else "false",
    }
    bad = [f"{key} = {value}" for key, value in refused.items() if value]
    if bad or raw.get("hidden_act", "silu") != "silu":
        raise CheckpointError(f"{path / 'config.json'}: not supported by the llama family: {', '.join(bad)}")
    heads = raw["num_attention_heads"]
    return LlamaConfig(
        vocab_size=raw["vocab_size"],
        hidden_size=raw["hidden_size"],
        intermediate_size=raw["intermediate_size"],
        num_layers=raw["num_hidden_layers"],
        num_heads=heads,
        num_kv_heads=raw.get("num_key_value_heads", heads),
        head_dim=raw.get("head_dim") or raw["hidden_size"] // heads,
        rope_theta=float(theta),
        norm_eps=float(raw["rms_norm_eps"]),
        max_positions=raw["max_position_embeddings"],
    )
