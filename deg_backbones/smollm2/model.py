"""SmolLM2-135M-Instruct (Allal et al. 2025, arXiv:2502.02737): the embedded backbone, a Llama with its own weights."""

from __future__ import annotations

from pathlib import Path

from deg_backbones.llama.model import LlamaFamily


class SmolLM2Family(LlamaFamily):
    """The llama family with the published weights that ``deg models pull embedded`` fetches."""

    name = "smollm2-135m"

    def default_source(self) -> Path:
        from deg_backbones.smollm2.fetch import gguf_path

        return gguf_path()
