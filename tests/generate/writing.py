"""What the tests of generation share: fields from schemas, and one text written from given logits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch
from torch import Tensor

from deg_backbones.common.bpe import BPETokenizer
from deg_core import compile_schema
from deg_core.contract.plan import FieldPlan
from deg_core.contract.validate import value_problems
from deg_core.engine.constrain import MAX_SPACES, vocabulary_of
from deg_core.engine.sampling import Sampler
from deg_core.engine.writer import Writer, Written
from deg_core.errors import FillError
from tests.fixtures.tiny import tiny_tokenizer


@cache
def tokenizer() -> BPETokenizer:
    return tiny_tokenizer()


def end_of_turn() -> int:
    return tokenizer().control("<|im_end|>")


def generated(**keywords: Any) -> FieldPlan:
    """The plan of one generated field ``/x``."""
    schema = {"type": "object", "properties": {"x": {"type": "string", "x-generate": True, **keywords}}}
    return compile_schema(schema).fields[0]


def write(field: FieldPlan, budget: int, logits: Callable[[int], Tensor], sampler: Sampler | None = None) -> Any:
    """The outcome of a text whose logits at each place are given."""
    writer = Writer(field, budget, sampler or Sampler(pointer="/x"), vocabulary_of(tokenizer()), end_of_turn())
    place = 0
    while writer.result is None:
        writer.choose(logits(place))
        place += 1
        assert place <= budget + 1
    return writer.result


def random_logits(seed: int, end: float = 0.0) -> Callable[[int], Tensor]:
    """Normal logits for the tiny vocabulary; the end of turn gets ``end`` on top."""
    generator = torch.Generator().manual_seed(seed)

    def at(place: int) -> Tensor:
        drawn = torch.randn(tokenizer().vocab_size, generator=generator)
        drawn[end_of_turn()] += end
        return drawn

    return at


def wishes(*wanted: int | str | Sequence[int]) -> Callable[[int], Tensor]:
    """Logits of a model that wants these tokens one after another, and then the end of turn. A text stands for its
    first token; several ids are wanted in their order."""

    def at(place: int) -> Tensor:
        one = wanted[place] if place < len(wanted) else end_of_turn()
        if isinstance(one, str):
            one = tokenizer().encode(one)[0]
        ids = [one] if isinstance(one, int) else list(one)
        logits = torch.arange(tokenizer().vocab_size, 0, -1).float() / 1000
        logits[end_of_turn()] = 5.0
        for rank, token in enumerate(ids):
            logits[token] = 10.0 - rank
        return logits

    return at


def assert_valid(field: FieldPlan, budget: int, outcome: Written | FillError) -> None:
    """A text keeps to everything that is promised of it; an error names the field."""
    if isinstance(outcome, FillError):
        assert outcome.pointer == "/x"
        return
    schema = {"type": "string", **field.constraint}
    assert value_problems(schema, outcome.text) == []
    assert 0 <= outcome.tokens <= budget
    assert "\0" not in outcome.text
    assert "\ufffd" not in outcome.text
    outcome.text.encode()  # no lone surrogates
    if "pattern" not in field.constraint:
        assert outcome.text == outcome.text.strip()
        runs = "".join(" " if char.isspace() else "x" for char in outcome.text).split("x")
        assert max(map(len, runs)) <= MAX_SPACES
        assert not any(ord(char) < 32 and char not in "\t\n" for char in outcome.text)
