"""Weight and tokenizer files of the Llama family: GGUF, and hub snapshots with safetensors.

GGUF stores q and k rows for interleaved rotary pairs; deg (like the hub's checkpoints) uses the half-split layout, so
rows are permuted back on reading.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from deg_backbones.common.bpe import BPETokenizer
from deg_backbones.llama.config import LlamaConfig, from_gguf, from_hub
from deg_core.errors import CheckpointError

_GGUF_LAYER = {
    "attn_norm": "attn_norm",
    "attn_q": "q",
    "attn_k": "k",
    "attn_v": "v",
    "attn_output": "o",
    "ffn_norm": "mlp_norm",
    "ffn_gate": "gate",
    "ffn_up": "up",
    "ffn_down": "down",
}
_HUB_LAYER = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "q",
    "self_attn.k_proj": "k",
    "self_attn.v_proj": "v",
    "self_attn.o_proj": "o",
    "post_attention_layernorm": "mlp_norm",
    "mlp.gate_proj": "gate",
    "mlp.up_proj": "up",
    "mlp.down_proj": "down",
}
_CONTROL = 3  # GGUF token type
_HUB_TOP = {"model.embed_tokens.weight": "embed", "model.norm.weight": "final_norm"}
_GGUF_TOP = {"token_embd.weight": "embed", "output_norm.weight": "final_norm"}


def _is_gguf(source: Path) -> bool:
    return source.is_file() and source.suffix == ".gguf"


def read_config(source: Path) -> LlamaConfig:
    """Configuration at ``source``: a ``.gguf`` file or a snapshot folder."""
    return from_gguf(_gguf_fields(source)) if _is_gguf(source) else from_hub(source)


def read_tokenizer(source: Path) -> BPETokenizer:
    """Tokenizer at ``source``: inside the GGUF file, or ``tokenizer.json`` of a snapshot."""
    if not _is_gguf(source):
        return BPETokenizer.from_file(source / "tokenizer.json")
    fields = _gguf_fields(source)
    if fields.get("tokenizer.ggml.model") != "gpt2" or fields.get("tokenizer.ggml.pre") != "smollm":
        raise CheckpointError(
            f"{source.name}: tokenizer {fields.get('tokenizer.ggml.model')!r} / {fields.get('tokenizer.ggml.pre')!r} "
            "is not supported; expected 'gpt2' / 'smollm'"
        )
    return BPETokenizer.from_vocabulary(
        tokens=fields["tokenizer.ggml.tokens"],
        merges=fields["tokenizer.ggml.merges"],
        controls=[
            token
            for token, kind in zip(fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.token_type"], strict=True)
            if kind == _CONTROL
        ],
    )


def read_weights(source: Path, config: LlamaConfig) -> dict[str, Tensor]:
    """All weights in fp32 under the family's names, q/k/v and gate/up fused. Raises CheckpointError."""
    raw = _read_gguf(source) if _is_gguf(source) else _read_hub(source)
    expected = _shapes(config)
    missing, extra = sorted(expected.keys() - raw.keys()), sorted(raw.keys() - expected.keys())
    if missing or extra:
        raise CheckpointError(f"{source.name}: missing tensors {missing[:5]}, unexpected tensors {extra[:5]}")
    wrong = [
        f"{name} is {tuple(raw[name].shape)}, expected {shape}"
        for name, shape in expected.items()
        if raw[name].shape != shape
    ]
    if wrong:
        raise CheckpointError(
            f"{source.name}: the weights are not of the configuration's sizes: {'; '.join(wrong[:5])}"
        )
    for i in range(config.num_layers):
        prefix = f"layers.{i}."
        if _is_gguf(source):
            for part, heads in (("q", config.num_heads), ("k", config.num_kv_heads)):
                raw[prefix + part] = _half_split(raw[prefix + part], heads)
        raw[prefix + "qkv"] = torch.cat([raw.pop(prefix + part) for part in ("q", "k", "v")])
        raw[prefix + "gate_up"] = torch.cat([raw.pop(prefix + part) for part in ("gate", "up")])
    return raw


def _shapes(config: LlamaConfig) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor before fusing."""
    d, f = config.hidden_size, config.intermediate_size
    q, kv = config.num_heads * config.head_dim, config.num_kv_heads * config.head_dim
    layer: dict[str, tuple[int, ...]] = {
        "attn_norm": (d,),
        "q": (q, d),
        "k": (kv, d),
        "v": (kv, d),
        "o": (d, q),
        "mlp_norm": (d,),
        "gate": (f, d),
        "up": (f, d),
        "down": (d, f),
    }
    layers = {f"layers.{i}.{part}": shape for i in range(config.num_layers) for part, shape in layer.items()}
    return {"embed": (config.vocab_size, d), "final_norm": (d,), **layers}


def _gguf_fields(source: Path) -> dict[str, Any]:
    from gguf import GGUFReader

    try:
        reader = GGUFReader(str(source))
    except (ValueError, OSError) as error:
        raise CheckpointError(f"{source.name} is not a readable GGUF file: {error}") from error
    return {key: field.contents() for key, field in reader.fields.items()}


def _read_gguf(source: Path) -> dict[str, Tensor]:
    from gguf import GGUFReader
    from gguf.quants import dequantize

    out: dict[str, Tensor] = {}
    for tensor in GGUFReader(str(source)).tensors:
        array = np.ascontiguousarray(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
        name = _own_name(tensor.name, _GGUF_TOP, "blk.", _GGUF_LAYER)
        # A tensor that is stored as fp32 is a view of the file, which torch may not write to.
        out[name] = torch.from_numpy(array if array.flags.writeable else array.copy())
    return out


def _read_hub(source: Path) -> dict[str, Tensor]:
    from safetensors.torch import load_file

    shards = sorted(source.glob("*.safetensors"))
    if not shards:
        raise CheckpointError(f"{source}: no .safetensors file; a snapshot holds config.json and safetensors weights")
    out: dict[str, Tensor] = {}
    for shard in shards:
        for name, value in load_file(str(shard)).items():
            if name != "lm_head.weight":  # tied with the embeddings
                out[_own_name(name, _HUB_TOP, "model.layers.", _HUB_LAYER)] = value.float()
    return out


def _own_name(name: str, top: dict[str, str], prefix: str, parts: dict[str, str]) -> str:
    """A foreign tensor name in the family's words; names that are not known come back unchanged."""
    if name in top:
        return top[name]
    layer, _, part = name.removeprefix(prefix).removesuffix(".weight").partition(".")
    return f"layers.{layer}.{parts[part]}" if name.startswith(prefix) and part in parts else name


def _half_split(weight: Tensor, heads: int) -> Tensor:
    """Rows of an interleaved-rotary projection [heads * K, D] in half-split order."""
    return weight.unflatten(0, (heads, -1, 2)).transpose(1, 2).flatten(0, 2).contiguous()
