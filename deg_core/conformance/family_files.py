"""Saving and loading: what deg keeps beside prepared weights comes back as it was."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
from torch import Tensor

from deg_core.conformance.family_case import FamilyCase, parts, same_bits
from deg_core.conformance.report import CheckFailed
from deg_core.engine.prepared import load_body
from deg_core.plugins.checkpoint import DegJson
from deg_core.protocols.family import Family
from deg_core.protocols.tokenizer import Tokenizer
from deg_core.runtime.body import Body
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import prefill

TEXT = "Order 7731, EUR 1,250.00 — naïve café 日本 🙂\n\tdue 3 May"


def reload(case: FamilyCase) -> None:
    """The configuration through JSON, the tokenizer through its file, and the whole body through prepared weights, made
    and read as ``load_model`` does."""
    _configuration(case)
    if case.own_tokenizer:
        _tokenizer(case)
    for compute in case.arithmetics():
        with _home(case.folder / "home"):
            body, tokenizer = _load(case, compute)
        expected = _outcome(case, case.body(compute, rounded=True))
        same_bits(_outcome(case, body), expected, "the bits of the weights that were prepared", compute)
        if tokenizer.encode(TEXT) != case.tokenizer.encode(TEXT):
            raise CheckFailed("prepared weights with the tokenizer of their source", "it encodes a text differently")


def _configuration(case: FamilyCase) -> None:
    config_type, config = case.family.config_type, case.config
    expectation = "a config_type whose values come back from JSON (a dataclass of plain fields)"
    if not dataclasses.is_dataclass(config_type) or not isinstance(config, config_type):
        raise CheckFailed(expectation, f"config_type is {config_type!r}, the configuration a {type(config).__name__}")
    try:
        text = json.dumps(dataclasses.asdict(cast("Any", config)))
        found = msgspec.convert(json.loads(text), config_type)
    except (TypeError, ValueError) as error:
        raise CheckFailed(expectation, f"{type(error).__name__}: {error}") from error
    if found != config:
        raise CheckFailed(expectation, f"{config} came back as {found}")


def _tokenizer(case: FamilyCase) -> None:
    path = case.folder / "tokenizer.json"
    case.tokenizer.save(path)
    loaded = case.family.load_tokenizer(path)
    expectation = "a tokenizer that load_tokenizer() brings back as save() wrote it"
    found, wanted = ((t.vocab_size, t.encode_with_offsets(TEXT), list(t.pieces())) for t in (loaded, case.tokenizer))
    for name, a, b in zip(("vocab_size", "encode_with_offsets", "pieces"), found, wanted, strict=True):
        if a != b:
            raise CheckFailed(expectation, f"{name} differs")
    system = "You fill fields."
    if case.family.chat_prefix(loaded, system) != case.family.chat_prefix(case.tokenizer, system):
        raise CheckFailed(expectation, "chat_prefix differs")


def _load(case: FamilyCase, compute: str) -> tuple[Body, Tokenizer]:
    spec = DegJson(model_id="conformance", backbone=case.name, heads={}, template_version=0)
    source = case.snapshot or case.folder
    return load_body(cast("Family", _FromMemory(case)), spec, None, source, compute)


def _outcome(case: FamilyCase, body: Body) -> list[Tensor]:
    trunk = prefill(body, case.ids(20))
    tensors = [part for layer in trunk.layers for part in parts(layer)]
    return [trunk.hidden_PD, *tensors, *run_forks(body, [(trunk, case.ids(5))])]


class _FromMemory:
    """The family under test, whose source is the case: its tiny weights, or the snapshot's that were read already."""

    def __init__(self, case: FamilyCase) -> None:
        self._case = case

    def __getattr__(self, name: str) -> Any:
        return getattr(self._case.family, name)

    def read_config(self, source: Path) -> Any:
        return self._case.config

    def read_weights(self, source: Path, config: Any) -> dict[str, Tensor]:
        return dict(self._case.weights)

    def read_tokenizer(self, source: Path) -> Tokenizer:
        return self._case.tokenizer

    def load_tokenizer(self, path: Path) -> Tokenizer:
        if self._case.own_tokenizer:
            return self._case.family.load_tokenizer(path)
        return type(self._case.tokenizer).load(path)  # type: ignore[attr-defined]  # the kit's own class


@contextmanager
def _home(folder: Path) -> Iterator[None]:
    """Another home for prepared weights."""
    before = os.environ.get("DEG_HOME")
    os.environ["DEG_HOME"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["DEG_HOME"]
        else:
            os.environ["DEG_HOME"] = before
