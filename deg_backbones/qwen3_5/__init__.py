"""Qwen3.5: three gated delta-rule layers to every attention layer. Read the llama family first, then ``delta_rule``."""
