"""Sizes of a Llama-family backbone, from a GGUF file or from a hub-style ``config.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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


_GGUF_NEEDS = (
    "llama.vocab_size",
    "llama.embedding_length",
    "llama.feed_forward_length",
    "llama.block_count",
    "llama.attention.head_count",
    "llama.attention.head_count_kv",
    "llama.attention.layer_norm_rms_epsilon",
    "llama.rope.freq_base",
    "llama.context_length",
)
_HUB_NEEDS = (
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "rms_norm_eps",
    "max_position_embeddings",
)


def _demand(found: Mapping[str, Any], names: Sequence[str], where: str) -> None:
    missing = [name for name in names if found.get(name) is None]
    if missing:
        raise CheckpointError(f"{where} lacks {', '.join(missing)}")


def from_gguf(fields: dict[str, Any]) -> LlamaConfig:
    """Configuration from GGUF metadata (key -> value). Raises CheckpointError."""
    if fields.get("general.architecture") != "llama":
        found = fields.get("general.architecture")
        raise CheckpointError(f"the GGUF file holds architecture {found!r}; the llama family reads 'llama'")
    _demand(fields, _GGUF_NEEDS, "the GGUF file's metadata")
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
    """Configuration from a snapshot folder's ``config.json``. Options that this family lacks are refused by name.

    Raises CheckpointError.
    """
    file = path / "config.json"
    try:
        raw = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{file} cannot be read, and a snapshot needs it: {error}") from error
    if not isinstance(raw, dict) or raw.get("model_type") != "llama":
        found = raw.get("model_type") if isinstance(raw, dict) else None
        raise CheckpointError(f"{file}: model_type is {found!r}, expected 'llama'")
    _demand(raw, _HUB_NEEDS, str(file))
    rope = raw.get("rope_parameters") or {}
    theta = raw.get("rope_theta", rope.get("rope_theta", 10000.0))
    scaling = raw.get("rope_scaling") or (rope if rope.get("rope_type", "default") != "default" else None)
    refused = {
        "rope_scaling": scaling,
        "attention_bias": raw.get("attention_bias"),
        "mlp_bias": raw.get("mlp_bias"),
        "tie_word_embeddings": None if raw.get("tie_word_embeddings") else "false",
        "hidden_act": None if raw.get("hidden_act", "silu") == "silu" else raw["hidden_act"],
    }
    bad = [f"{key} = {value}" for key, value in refused.items() if value]
    if bad:
        raise CheckpointError(f"{file}: not supported by the llama family: {', '.join(bad)}")
    heads = int(raw["num_attention_heads"])
    return LlamaConfig(
        vocab_size=raw["vocab_size"],
        hidden_size=raw["hidden_size"],
        intermediate_size=raw["intermediate_size"],
        num_layers=raw["num_hidden_layers"],
        num_heads=heads,
        num_kv_heads=int(raw.get("num_key_value_heads") or heads),
        head_dim=raw.get("head_dim") or raw["hidden_size"] // heads,
        rope_theta=float(theta),
        norm_eps=float(raw["rms_norm_eps"]),
        max_positions=raw["max_position_embeddings"],
    )
