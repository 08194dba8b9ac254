"""deg: fill a JSON Schema from a text by deciding, extracting and generating, on one read of the text.

The names below are the public interface. Each is imported when it is first used, so that importing ``deg_core`` costs
milliseconds and does not import torch.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deg_core.contract.compiler import compile_schema
    from deg_core.contract.plan import FieldPlan, FillPlan, Mode
    from deg_core.engine.engine import Job, fill_many
    from deg_core.engine.load import load_model
    from deg_core.errors import DegError, FillError, RequestError, SchemaError
    from deg_core.plugins import hookimpl

_HOMES = {
    "DegError": "deg_core.errors",
    "FieldPlan": "deg_core.contract.plan",
    "FillError": "deg_core.errors",
    "FillPlan": "deg_core.contract.plan",
    "Job": "deg_core.engine.engine",
    "Mode": "deg_core.contract.plan",
    "RequestError": "deg_core.errors",
    "SchemaError": "deg_core.errors",
    "compile_schema": "deg_core.contract.compiler",
    "fill_many": "deg_core.engine.engine",
    "hookimpl": "deg_core.plugins",
    "load_model": "deg_core.engine.load",
}

__all__ = [
    "DegError",
    "FieldPlan",
    "FillError",
    "FillPlan",
    "Job",
    "Mode",
    "RequestError",
    "SchemaError",
    "compile_schema",
    "fill_many",
    "hookimpl",
    "load_model",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'deg_core' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
