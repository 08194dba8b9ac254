"""Where the GPU kernels run: on a GPU where there is one, else on the CPU in Triton's interpreter."""

from __future__ import annotations

import os

import pytest
import torch

if not torch.cuda.is_available():
    os.environ.setdefault("TRITON_INTERPRET", "1")  # read when kernels are declared


@pytest.fixture(params=["interpreter", pytest.param("cuda", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest) -> torch.device:
    """The two cannot be had in one process."""
    if request.param == "interpreter" and torch.cuda.is_available():
        pytest.skip("there is a GPU, so kernels are compiled for it")
    return torch.device("cuda" if request.param == "cuda" else "cpu")


@pytest.fixture(params=["full", "half"])
def dtype(request: pytest.FixtureRequest, device: torch.device) -> torch.dtype:
    """fp32, and bf16, for which the interpreter has no matrix product and takes fp16."""
    if request.param == "full":
        return torch.float32
    return torch.bfloat16 if device.type == "cuda" else torch.float16


@pytest.fixture
def served(device: torch.device) -> torch.dtype:
    """What is served on a GPU; in the interpreter, which is slow, one dtype for what does not hang on it."""
    return torch.bfloat16 if device.type == "cuda" else torch.float32


@pytest.fixture
def tolerance(dtype: torch.dtype) -> float:
    """Of the relative error, for results in ``dtype``."""
    return {torch.float32: 2e-6, torch.float16: 1e-3, torch.bfloat16: 8e-3}[dtype]
