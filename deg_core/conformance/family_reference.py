"""A snapshot's hidden states against ``transformers``, where that is installed and knows the architecture."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import torch
from torch import Tensor

from deg_core.conformance.family_case import FamilyCase
from deg_core.conformance.report import CheckFailed, NotApplicable
from deg_core.kernels.testing import relative_error
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import prefill

CLOSE: Final = 1e-3  # relative error in fp32 (SPEC 12.1)
_OTHER_KERNELS: Final = ("fla", "causal_conv1d")  # transformers would call these, and they want a GPU


def transformers(case: FamilyCase) -> None:
    """A trunk of 70 tokens and forks on it, in fp32, against one uncached forward pass in ``transformers``."""
    if case.snapshot is None:
        raise NotApplicable("tiny random weights are nobody's; give --snapshot")
    if not case.snapshot.is_dir():
        raise NotApplicable(f"{case.snapshot.name} is a file; transformers reads snapshot folders")
    with _own_kernels():
        model = _load(case)
    body = case.body("fp32")
    trunk_ids = case.ids(70)
    trunk = prefill(body, trunk_ids)
    forks = [case.ids(count, seed=1) for count in (1, 17)]
    found = [trunk.hidden_PD, *run_forks(body, [(trunk, fork) for fork in forks])]
    for hidden, fork in zip(found, [[], *forks], strict=True):
        wanted = _hidden(model, trunk_ids + fork)[-len(hidden) :]
        what = f"a fork of {len(fork)} tokens" if fork else "the trunk"
        if hidden.shape != wanted.shape:
            raise CheckFailed("the published hidden states", f"{what}: {list(hidden.shape)}, not {list(wanted.shape)}")
        error = relative_error(hidden, wanted)
        if not error < CLOSE:
            raise CheckFailed(
                "the published hidden states", f"{what}: a relative error of {error:.2g}, above {CLOSE:g}"
            )


@contextmanager
def _own_kernels() -> Iterator[None]:
    """``transformers`` with its own arithmetic even where faster kernels are installed."""
    before = {name: sys.modules.get(name) for name in _OTHER_KERNELS}
    sys.modules.update(dict.fromkeys(_OTHER_KERNELS))  # type: ignore[arg-type]  # None: the import fails
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module


def _load(case: FamilyCase) -> Any:
    try:
        from transformers import AutoConfig, AutoModelForCausalLM
    except ImportError:
        raise NotApplicable("transformers is not installed") from None
    folder = str(case.snapshot)
    try:
        AutoConfig.from_pretrained(folder, local_files_only=True)
    except Exception as error:  # noqa: BLE001 - of whichever kind: a configuration that it cannot read is not compared
        first = str(error).strip().splitlines()[:1]
        raise NotApplicable(f"transformers cannot read this snapshot: {''.join(first)}") from None
    model = AutoModelForCausalLM.from_pretrained(
        folder, local_files_only=True, attn_implementation="eager", dtype=torch.float32
    )
    return model.eval().base_model


@torch.no_grad()
def _hidden(model: Any, ids: Sequence[int]) -> Tensor:
    found: Tensor = model(torch.tensor([list(ids)]), use_cache=False).last_hidden_state[0]
    return found.float()
