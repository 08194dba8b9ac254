"""Weights of an LFM2 snapshot under the family's names, projections that share an input fused."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from deg_backbones.common.snapshot import check_tensors, read_tensors
from deg_backbones.lfm2.config import Lfm2Config

_PREFIX = "model."
_HEAD = "lm_head.weight"


def read_weights(folder: Path, config: Lfm2Config) -> dict[str, Tensor]:
    """All weights: matrices in their stored type, vectors in fp32. Raises CheckpointError."""
    raw = read_tensors(folder, lambda name: None if name == _HEAD and config.tied_head else name.removeprefix(_PREFIX))
    check_tensors(folder, raw, expected_shapes(config))
    return assemble(raw, config)


def assemble(raw: dict[str, Tensor], config: Lfm2Config) -> dict[str, Tensor]:
    """The family's weights from the hub's (without prefix); takes them out of ``raw``. Differentiable."""
    names = list(raw)
    out = {"embed": raw.pop("embed_tokens.weight"), "final_norm": raw.pop("embedding_norm.weight").float()}
    if not config.tied_head:
        out["lm_head"] = raw.pop(_HEAD)
    for index, kind in enumerate(config.layers):
        prefix = f"layers.{index}."
        layer = {name.removeprefix(prefix): raw.pop(name) for name in names if name.startswith(prefix)}
        mixer = _conv_layer(layer) if kind == "state" else _attention_layer(layer)
        out |= {prefix + name: weight for name, weight in (mixer | _feed_forward(layer)).items()}
    return out


def _conv_layer(layer: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        "in_bcx": layer["conv.in_proj.weight"],
        "conv": layer["conv.conv.weight"].squeeze(1).t().contiguous(),
        "out": layer["conv.out_proj.weight"],
    }


def _attention_layer(layer: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        "qkv": torch.cat([layer[f"self_attn.{part}_proj.weight"] for part in "qkv"]),
        "q_norm": layer["self_attn.q_layernorm.weight"].float(),
        "k_norm": layer["self_attn.k_layernorm.weight"].float(),
        "o": layer["self_attn.out_proj.weight"],
    }


def _feed_forward(layer: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        "mixer_norm": layer["operator_norm.weight"].float(),
        "mlp_norm": layer["ffn_norm.weight"].float(),
        "gate_up": torch.cat([layer["feed_forward.w1.weight"], layer["feed_forward.w3.weight"]]),
        "down": layer["feed_forward.w2.weight"],
    }


def expected_shapes(config: Lfm2Config) -> dict[str, tuple[int, ...]]:
    """Name (without the hub's prefix) and shape of every tensor that is read."""
    d, f, k = config.hidden_size, config.intermediate_size, config.head_dim
    shared: dict[str, tuple[int, ...]] = {
        "operator_norm.weight": (d,),
        "ffn_norm.weight": (d,),
        "feed_forward.w1.weight": (f, d),
        "feed_forward.w3.weight": (f, d),
        "feed_forward.w2.weight": (d, f),
    }
    attention: dict[str, tuple[int, ...]] = {
        "self_attn.q_proj.weight": (config.num_heads * k, d),
        "self_attn.k_proj.weight": (config.num_kv_heads * k, d),
        "self_attn.v_proj.weight": (config.num_kv_heads * k, d),
        "self_attn.out_proj.weight": (d, config.num_heads * k),
        "self_attn.q_layernorm.weight": (k,),
        "self_attn.k_layernorm.weight": (k,),
    }
    conv: dict[str, tuple[int, ...]] = {
        "conv.in_proj.weight": (3 * d, d),
        "conv.conv.weight": (d, 1, config.conv_taps),
        "conv.out_proj.weight": (d, d),
    }
    layers = {
        f"layers.{index}.{part}": shape
        for index, kind in enumerate(config.layers)
        for part, shape in (shared | (conv if kind == "state" else attention)).items()
    }
    head = {} if config.tied_head else {_HEAD: (config.vocab_size, d)}
    return {"embed_tokens.weight": (config.vocab_size, d), "embedding_norm.weight": (d,), **head, **layers}
