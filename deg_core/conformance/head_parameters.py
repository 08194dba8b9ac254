"""A head's parameters: where they start, and that they are all there is to save."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from deg_core.conformance.head_case import HeadCase, all_logits, answers
from deg_core.conformance.language_head import same_answers
from deg_core.conformance.report import CheckFailed, NotApplicable
from deg_core.protocols.head import Head, load_head
from deg_core.protocols.language import speaks


def start(case: HeadCase) -> None:
    """Two heads from the same generator are alike, whatever else has drawn random numbers in between; all parameters
    are fp32 and finite."""
    torch.manual_seed(1)
    first = case.make(seed=3).state_dict()
    torch.manual_seed(2)
    torch.rand(5)
    second = case.make(seed=3).state_dict()
    for name, value in first.items():
        if not torch.equal(value, second[name]):
            raise CheckFailed("a start that HeadInit.generator alone decides", f"{name} differs between two heads")
        if value.dtype != torch.float32 or not value.isfinite().all():
            raise CheckFailed("finite fp32 parameters", f"{name} is {value.dtype} or not finite")


def reload(case: HeadCase) -> None:
    """A trained head's tensors, written as a checkpoint writes them, in a fresh head of another seed; and too few of
    them, which is an error."""
    head = case.make(trained=True)
    fresh = case.make(seed=9)
    load_head(fresh, _saved(head))
    loaded = fresh.state_dict()
    for name, value in head.state_dict().items():
        if not torch.equal(loaded[name], value):
            raise CheckFailed("tensors that load as they were saved", f"{name} differs")
    _refuses_too_few(case, head)
    if speaks(head) and speaks(fresh):
        if not same_answers(case, head, fresh):
            raise CheckFailed("a head that its saved tensors bring back", "it answers otherwise")
        return
    asks = case.asks(context=40)
    for ask, a, b in zip(asks, answers(fresh, asks), answers(head, asks), strict=True):
        if not torch.equal(all_logits(a), all_logits(b)):
            raise CheckFailed("a head that its saved tensors bring back", f"other logits for {ask}")


def _refuses_too_few(case: HeadCase, head: Head) -> None:
    tensors = _saved(head)
    needed = [name for name in tensors if name not in head.optional]
    if not needed:
        return
    del tensors[needed[0]]
    try:
        load_head(case.make(), tensors)
    except RuntimeError:
        return
    raise CheckFailed("a RuntimeError when a needed tensor is missing", f"none when {needed[0]} was missing")


def _saved(head: Head) -> dict[str, Tensor]:
    """The head's tensors through a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "head.safetensors"
        save_file({name: value.detach().contiguous() for name, value in head.state_dict().items()}, path)
        return load_file(path)


def optional(case: HeadCase) -> None:
    """``optional`` names tensors of the head. Each starts at zero, so that a checkpoint without them gives the head it
    had before they were thought of."""
    names = sorted(case.head.optional)
    if not names:
        raise NotApplicable("the head has no optional tensors")
    strangers = [name for name in names if name not in case.head.state_dict()]
    if strangers:
        raise CheckFailed("optional to name tensors of state_dict()", f"it has no {', '.join(strangers)}")
    trained = _saved(case.make(trained=True))
    without, zeroed = case.make(seed=4), case.make(seed=5)
    load_head(without, {name: value for name, value in trained.items() if name not in names})
    load_head(zeroed, trained | {name: torch.zeros_like(trained[name]) for name in names})
    asks = case.asks(context=40)
    for ask, a, b in zip(asks, answers(without, asks), answers(zeroed, asks), strict=True):
        if not torch.equal(all_logits(a), all_logits(b)):
            raise CheckFailed(f"a head without {', '.join(names)} as if they were zero", f"other logits for {ask}")
