"""Weights of a Qwen3.5 snapshot under the family's names, projections that share an input fused.

The hub's norms are stored as their distance from one; they become ordinary scales here. The decay is stored as its
logarithm; it becomes the rate itself.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from deg_backbones.common.snapshot import check_tensors, read_tensors
from deg_backbones.qwen3_5.config import Qwen35Config

# The published models see pictures and guess several tokens ahead; deg does neither.
_UNUSED = ("model.visual.", "visual.", "mtp.", "model.mtp.")
_PREFIXES = ("model.language_model.", "language_model.model.", "model.")
_HEAD = "lm_head.weight"


def read_weights(folder: Path, config: Qwen35Config) -> dict[str, Tensor]:
    """All weights: matrices in their stored type, vectors in fp32. Raises CheckpointError."""
    raw = read_tensors(folder, lambda name: None if name == _HEAD and config.tied_head else _text_name(name))
    check_tensors(folder, raw, expected_shapes(config))
    return assemble(raw, config)


def assemble(raw: dict[str, Tensor], config: Qwen35Config) -> dict[str, Tensor]:
    """The family's weights from the hub's (without prefix); takes them out of ``raw``. Differentiable."""
    names = list(raw)
    out = {"embed": raw.pop("embed_tokens.weight"), "final_norm": _scale(raw.pop("norm.weight"))}
    if not config.tied_head:
        out["lm_head"] = raw.pop(_HEAD)
    for index, kind in enumerate(config.layers):
        prefix = f"layers.{index}."
        layer = {name.removeprefix(prefix): raw.pop(name) for name in names if name.startswith(prefix)}
        mixer = _state_layer(layer) if kind == "state" else _attention_layer(layer, config)
        out |= {prefix + name: weight for name, weight in (mixer | _feed_forward(layer)).items()}
    return out


def _text_name(name: str) -> str | None:
    """A tensor's name inside the text model, or None when this family does not use it."""
    if name.startswith(_UNUSED):
        return None
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name


def _scale(distance: Tensor) -> Tensor:
    return 1 + distance.float()


def _state_layer(layer: dict[str, Tensor]) -> dict[str, Tensor]:
    part = {name.removeprefix("linear_attn."): weight for name, weight in layer.items()}
    return {
        "in_qkvz": torch.cat([part["in_proj_qkv.weight"], part["in_proj_z.weight"]]),
        "in_ba": torch.cat([part["in_proj_b.weight"], part["in_proj_a.weight"]]),
        "conv": part["conv1d.weight"].squeeze(1).t().contiguous(),
        "decay_rate": part["A_log"].float().exp(),
        "decay_bias": part["dt_bias"].float(),
        "gated_norm": part["norm.weight"].float(),
        "out": part["out_proj.weight"],
    }


def _attention_layer(layer: dict[str, Tensor], config: Qwen35Config) -> dict[str, Tensor]:
    """The hub stacks each head's query on its gate; here all queries come first and all gates last."""
    part = {name.removeprefix("self_attn."): weight for name, weight in layer.items()}
    query, gate = part["q_proj.weight"].unflatten(0, (config.num_heads, 2, config.head_dim)).unbind(1)
    stacked = [query.flatten(0, 1), part["k_proj.weight"], part["v_proj.weight"], gate.flatten(0, 1)]
    return {
        "qkvg": torch.cat(stacked),
        "q_norm": _scale(part["q_norm.weight"]),
        "k_norm": _scale(part["k_norm.weight"]),
        "o": part["o_proj.weight"],
    }


def _feed_forward(layer: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        "mixer_norm": _scale(layer["input_layernorm.weight"]),
        "mlp_norm": _scale(layer["post_attention_layernorm.weight"]),
        "gate_up": torch.cat([layer["mlp.gate_proj.weight"], layer["mlp.up_proj.weight"]]),
        "down": layer["mlp.down_proj.weight"],
    }


def expected_shapes(config: Qwen35Config) -> dict[str, tuple[int, ...]]:
    """Name (without the hub's prefix) and shape of every tensor that is read."""
    d, f, k = config.hidden_size, config.intermediate_size, config.head_dim
    heads, groups = config.num_heads, config.num_kv_heads
    shared: dict[str, tuple[int, ...]] = {
        "input_layernorm.weight": (d,),
        "post_attention_layernorm.weight": (d,),
        "mlp.gate_proj.weight": (f, d),
        "mlp.up_proj.weight": (f, d),
        "mlp.down_proj.weight": (d, f),
    }
    attention: dict[str, tuple[int, ...]] = {
        "self_attn.q_proj.weight": (2 * heads * k, d),
        "self_attn.k_proj.weight": (groups * k, d),
        "self_attn.v_proj.weight": (groups * k, d),
        "self_attn.o_proj.weight": (d, heads * k),
        "self_attn.q_norm.weight": (k,),
        "self_attn.k_norm.weight": (k,),
    }
    state: dict[str, tuple[int, ...]] = {
        "linear_attn.in_proj_qkv.weight": (config.conv_width, d),
        "linear_attn.in_proj_z.weight": (config.value_width, d),
        "linear_attn.in_proj_b.weight": (config.state_value_heads, d),
        "linear_attn.in_proj_a.weight": (config.state_value_heads, d),
        "linear_attn.conv1d.weight": (config.conv_width, 1, config.conv_taps),
        "linear_attn.dt_bias": (config.state_value_heads,),
        "linear_attn.A_log": (config.state_value_heads,),
        "linear_attn.norm.weight": (config.state_value_dim,),
        "linear_attn.out_proj.weight": (d, config.value_width),
    }
    layers = {
        f"layers.{index}.{part}": shape
        for index, kind in enumerate(config.layers)
        for part, shape in (shared | (state if kind == "state" else attention)).items()
    }
    head = {} if config.tied_head else {_HEAD: (config.vocab_size, d)}
    return {"embed_tokens.weight": (config.vocab_size, d), "norm.weight": (d,), **head, **layers}
