"""Compiles every GPU kernel for one architecture, with the shapes of real backbones and without a GPU, and prints what
came out as JSON lines. Run as a program: the kernels must not have been declared for the interpreter.

    python compiling.py 90
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from triton.backends.compiler import GPUTarget
from triton.runtime import driver
from triton.runtime.jit import JITFunction

from deg_core.kernels.gpu.attention.triton import fork_attention
from deg_core.kernels.gpu.conv.triton import causal_conv
from deg_core.kernels.gpu.decode_attention.triton import append_keys, decode_attention
from deg_core.kernels.gpu.delta_rule.triton import fork_delta_rule
from deg_core.kernels.gpu.linear.triton import bi_linear
from deg_core.kernels.gpu.linear_small.triton import bi_linear_small
from deg_core.kernels.gpu.norm.triton import gated_rms_norm, rms_norm
from deg_core.kernels.gpu.pointer.triton import row_dots


class NoDevice:
    """A driver that has a target to compile for and nothing to run on."""

    def __init__(self, target: GPUTarget) -> None:
        self._target = target

    def get_current_target(self) -> GPUTarget:
        return self._target

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int) -> int:
        return 0


def compiled_instead_of_run(run: Callable[..., Any]) -> Callable[..., Any]:
    """A launch that stops after the compiler and says what it made."""

    def compile_only(self: Any, *args: Any, grid: Any, warmup: bool, **options: Any) -> Any:
        kernel = run(self, *args, grid=grid, warmup=True, **options)
        ptx = kernel.asm["ptx"]
        print(  # noqa: T201
            json.dumps(
                {
                    "name": self.__name__,
                    "module": self.__module__,
                    "shared": kernel.metadata.shared,
                    "products": "mma" in ptx,
                    "atomics": re.findall(r"\b(?:atom|red)\.[\w.]+", ptx),
                }
            )
        )
        return kernel

    return compile_only


def half(*shape: int) -> Tensor:
    return torch.zeros(*shape, dtype=torch.bfloat16)


def full(*shape: int) -> Tensor:
    return torch.zeros(*shape)


def attention(heads: int, groups: int, dim: int) -> None:
    q, k, v = half(70, heads + 2 * groups, dim).split([heads, groups, groups], 1)
    prefix, own = (half(groups, 500, dim),) * 2, (half(groups, 64, dim),) * 2
    fork_attention(q, k, v, (70,), [prefix])
    decode_attention(q[:1], [own], [prefix])
    append_keys(k[:1], v[:1], torch.zeros(1, 14, dtype=torch.int64))


def main() -> None:
    driver.set_active(NoDevice(GPUTarget("cuda", int(sys.argv[1]), 32)))
    JITFunction.run = compiled_instead_of_run(JITFunction.run)
    bi_linear(half(600, 3584), half(1024, 3584), full(600, 1024))
    bi_linear_small(half(4, 1024), half(1024, 1024), full(4, 1024))
    attention(8, 2, 256)
    q, k, v = (x.unflatten(1, (16, 128)) for x in full(70, 6144).split(2048, 1))
    fork_delta_rule(q, k, v, full(70, 16), full(70, 16), [None], (70,), 1e-6)
    causal_conv(half(70, 8192)[:, :6144], full(4, 6144), [None], (70,))
    rms_norm(full(70, 1024), full(1024), 1e-6, torch.bfloat16)
    gated_rms_norm(full(70, 16, 128), half(70, 16, 128), full(128), 1e-6, torch.bfloat16)
    row_dots(half(70, 1024), full(1024))


if __name__ == "__main__":
    main()
