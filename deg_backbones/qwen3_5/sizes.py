"""The published dense sizes of Qwen3.5 by registry name. They are one family: sizes come from the snapshot."""

from __future__ import annotations

from typing import Any

from deg_backbones.qwen3_5.model import Qwen35Family


class Qwen35Of0p8B(Qwen35Family):
    """18 state and 6 attention layers, hidden size 1024."""

    name = "qwen3.5-0.8b"
    hub_id = "Qwen/Qwen3.5-0.8B"

    def published_shape(self) -> dict[str, Any]:
        """The text part of the published ``config.json``: this shape is measured without its weights."""
        return {
            "model_type": "qwen3_5_text",
            "vocab_size": 248_320,
            "hidden_size": 1024,
            "intermediate_size": 3584,
            "num_hidden_layers": 24,
            "num_attention_heads": 8,
            "num_key_value_heads": 2,
            "head_dim": 256,
            "linear_num_key_heads": 16,
            "linear_num_value_heads": 16,
            "linear_key_head_dim": 128,
            "linear_value_head_dim": 128,
            "linear_conv_kernel_dim": 4,
            "layer_types": [*["linear_attention"] * 3, "full_attention"] * 6,
            "hidden_act": "silu",
            "attention_bias": False,
            "rms_norm_eps": 1e-6,
            "max_position_embeddings": 262_144,
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 10_000_000.0,
                "partial_rotary_factor": 0.25,
                "mrope_interleaved": True,
                "mrope_section": [11, 11, 10],
            },
            "tie_word_embeddings": True,
        }


class Qwen35Of2B(Qwen35Family):
    """The layout of the 0.8B, hidden size 2048."""

    name = "qwen3.5-2b"
    hub_id = "Qwen/Qwen3.5-2B"


class Qwen35Of4B(Qwen35Family):
    """Two value heads to a key head in state layers."""

    name = "qwen3.5-4b"
    hub_id = "Qwen/Qwen3.5-4B"


class Qwen35Of9B(Qwen35Family):
    """Two value heads to a key head in state layers."""

    name = "qwen3.5-9b"
    hub_id = "Qwen/Qwen3.5-9B"


class Qwen35Of27B(Qwen35Family):
    """The largest dense size."""

    name = "qwen3.5-27b"
    hub_id = "Qwen/Qwen3.5-27B"
