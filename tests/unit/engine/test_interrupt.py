"""Work that is given up on the way leaves nothing behind that changes a later answer."""

from __future__ import annotations

from typing import Any

import pytest

from deg_core.engine import memory
from deg_core.engine.load import load_model
from deg_core.errors import RuntimeLimitError
from deg_core.runtime.interrupt import Interrupted, give_up_if_unwanted, interruptible
from tests.fixtures.tiny import Tiny

TEXT = "The invoice total is due on the first of May. " * 30
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "total": {"type": ["number", "null"]},
        "urgent": {"type": "boolean"},
        "reply": {"type": "string", "x-generate": True, "x-max-tokens": 9},
    },
}


class After:
    """Says no so many times, and then yes."""

    def __init__(self, times: int) -> None:
        self.times = times

    def __call__(self) -> bool:
        self.times -= 1
        return self.times < 0


def test_nothing_is_asked_outside():
    give_up_if_unwanted()
    with interruptible(lambda: True):
        with pytest.raises(Interrupted):
            give_up_if_unwanted()
        with interruptible(lambda: False):
            give_up_if_unwanted()
    give_up_if_unwanted()


def test_wherever_a_fill_is_given_up_the_next_one_is_as_if_nothing_had_been(tiny: Tiny, deg_home):
    fresh = load_model(tiny.checkpoint, base_model=tiny.snapshot)
    expected = fresh.fill(TEXT, SCHEMA)
    whole = After(10**9)
    with interruptible(
        whole
    ):  # on a model that has filled before: a first fill prepares what writes, and asks more often
        fresh.cache.clear()
        assert fresh.fill(TEXT, SCHEMA) == expected
    asked = 10**9 - whole.times
    assert asked > 20  # in reading, asking and writing
    model = load_model(tiny.checkpoint, base_model=tiny.snapshot)
    for times in range(0, asked, max(1, asked // 12)):
        model.cache.clear()
        with interruptible(After(times)), pytest.raises(Interrupted):
            model.fill(TEXT, SCHEMA)
    assert model.fill(TEXT, SCHEMA) == expected


def test_a_field_whose_own_text_does_not_fit_is_refused_by_name(tiny_models, monkeypatch: pytest.MonkeyPatch):
    model = tiny_models["int8"]
    described = {"type": "object", "properties": {"a": {"type": "boolean", "description": "word " * 60_000}}}
    monkeypatch.setattr(memory, "free_for", lambda body: 350 * 2**20)
    with pytest.raises(RuntimeLimitError, match=r"the field /a is described in [\d,]+ tokens"):
        model.fill("x", described)
    described["properties"]["a"]["description"] = "word " * 60
    assert model.fill("x", described).value["a"] in (True, False)


def test_a_text_that_cannot_fit_is_refused_before_it_is_counted_to_its_end(
    tiny_models, monkeypatch: pytest.MonkeyPatch
):
    model, counted = tiny_models["int8"], []

    def count(text: str) -> int:
        counted.append(len(text))
        return model.renderer.count(text)

    text = "word " * 4000
    monkeypatch.setattr(memory, "PIECE", 1000)
    monkeypatch.setattr(memory, "free_for", lambda body: memory.context_bytes(body, 3000))
    with pytest.raises(RuntimeLimitError, match=r"the text has at least [\d,]+ tokens, which take"):
        memory.check_text(model.body, text, count)
    assert sum(counted) < len(text) / 2
    monkeypatch.setattr(memory, "free_for", lambda body: memory.context_bytes(body, 10**7))
    memory.check_text(model.body, text, count)
    assert counted[-1] == len(text)
