"""deg's own families and checkpoints, registered as any plugin's. Importing this loads no model code."""

from __future__ import annotations

from deg_core.plugins.hookspecs import RegisterCheckpoint, RegisterPath, hookimpl


@hookimpl
def deg_register_families(register: RegisterPath) -> None:
    register("llama", "deg_backbones.llama.model:LlamaFamily")
    register("smollm2-135m", "deg_backbones.smollm2.model:SmolLM2Family")


@hookimpl
def deg_register_checkpoints(register: RegisterCheckpoint) -> None:
    from deg_backbones import shipped

    shipped.register_all(register)
