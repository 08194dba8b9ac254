"""The published dense sizes of Qwen3.5 by registry name. They are one family: sizes come from the snapshot."""

from __future__ import annotations

from deg_backbones.qwen3_5.model import Qwen35Family


class Qwen35Of0p8B(Qwen35Family):
    """18 state and 6 attention layers, hidden size 1024."""

    name = "qwen3.5-0.8b"
    hub_id = "Qwen/Qwen3.5-0.8B"


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
