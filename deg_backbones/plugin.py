"""deg's own families and checkpoints, registered as any plugin's. Importing this loads no model code."""

from __future__ import annotations

from deg_core.plugins.hookspecs import RegisterCheckpoint, RegisterPath, hookimpl


@hookimpl
def deg_register_families(register: RegisterPath) -> None:
    register("llama", "deg_backbones.llama.model:LlamaFamily")
    register("smollm2-135m", "deg_backbones.smollm2.model:SmolLM2Family")
    register("qwen3.5", "deg_backbones.qwen3_5.model:Qwen35Family")
    for size, name in (("0.8b", "0p8B"), ("2b", "2B"), ("4b", "4B"), ("9b", "9B"), ("27b", "27B")):
        register(f"qwen3.5-{size}", f"deg_backbones.qwen3_5.sizes:Qwen35Of{name}")
    register("lfm2", "deg_backbones.lfm2.model:Lfm2Family")
    register("lfm2.5-1.2b", "deg_backbones.lfm2.model:Lfm25Of1p2B")


@hookimpl
def deg_register_checkpoints(register: RegisterCheckpoint) -> None:
    from deg_backbones import shipped

    shipped.register_all(register)
