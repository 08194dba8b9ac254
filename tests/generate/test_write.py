"""Writing fields with a whole model: the text of a naive loop, each text its own, and errors in their places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from deg_core.contract.plan import FieldPlan
from deg_core.engine import write as write_module
from deg_core.engine.constrain import MAX_SPACES
from deg_core.engine.engine import Model
from deg_core.engine.write import Outcome, WriteTask, write_many
from deg_core.engine.writer import Written
from deg_core.errors import FillError
from deg_core.kernels.testing import threads
from deg_core.rendering.writing import WritingRenderer
from deg_core.runtime.body import Body
from deg_core.runtime.decode import token_logits
from deg_core.runtime.prefill import extend, prefill
from tests.generate.writing import assert_valid, generated

TEXT = "Order 7731, paid by Ann Lee. The boxes came broken. "
FIELDS: list[dict[str, Any]] = [
    {"description": "a reply"},
    {"title": "Word", "maxLength": 9},
    {"minLength": 12, "maxLength": 40},
    {"pattern": r"^[a-z]{4,}( [a-z]+)*$", "maxLength": 30},
    {"pattern": "^(?=.*a)[a-z]+$", "maxLength": 8},
    {"maxLength": 0},
]


class Desk:
    """A model, one read text, and tasks on it."""

    def __init__(self, model: Model) -> None:
        self.body: Body = model.body
        self.family, self.tokenizer = model.body.family, model.renderer.tokenizer
        self.renderer = WritingRenderer(self.family, self.tokenizer)
        self.trunk = list(model.renderer.trunk(TEXT).ids)
        self.known = self.renderer.known_values([("/order", 7731), ("/paid", True)])
        self.state = extend(self.body, prefill(self.body, self.trunk, reserve=len(self.known)), self.known)

    def task(self, number: int, **changes: Any) -> WriteTask:
        field = generated(**FIELDS[number])
        header = self.renderer.header(field, f"/x/{number}")
        return replace(WriteTask(self.state, header, field, f"/x/{number}", 18), **changes)

    def write(self, tasks: list[WriteTask]) -> list[Outcome]:
        return write_many(self.body, self.tokenizer, self.family, tasks)


@pytest.fixture(params=["int8", "fp32"])
def compute(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def desk(compute: str, tiny_models: Mapping[str, Model]) -> Desk:
    return Desk(tiny_models[compute])


def shown(outcomes: list[Outcome]) -> list[str]:
    return [repr(outcome) for outcome in outcomes]


def naive_text(desk: Desk, task: WriteTask) -> str:
    """Greedy writing without constraints, cache or steps: a full pass over everything for every token, and of its
    logits the best token that leaves a text."""
    ids, end = [*desk.trunk, *desk.known, *task.header], desk.renderer.end
    pieces = desk.tokenizer.pieces()
    data = b""
    for left in range(task.budget - 1, -1, -1):
        logits = token_logits(desk.body, prefill(desk.body, ids).hidden_PD[-1:])[0]
        for token in logits.argsort(descending=True, stable=True).tolist():
            if token == end and is_text(data, 0):
                return data.decode().rstrip()
            if pieces[token] is not None and is_text(data + pieces[token], left):
                break
        data += pieces[token]
        ids.append(token)
    return data.decode().rstrip()


def is_text(data: bytes, left: int) -> bool:
    """Whether bytes are a text so far, in no more need of bytes than there are tokens left."""
    for missing in range(min(left, 3) + 1):
        for filler in {0: [b""], 1: [b"\x80", b"\x9f", b"\xbf"]}.get(missing, [b"\x90", b"\xa0", b"\x80"]):
            try:
                text = (data + filler + b"\x80" * (missing - len(filler))).decode()
            except UnicodeDecodeError:
                continue
            runs = "".join(" " if char.isspace() else "x" for char in text).split("x")
            control = any((ord(c) < 32 and c not in "\t\n") or 0x7F <= ord(c) < 0xA0 for c in text)
            return not (text[:1].isspace() or control or "\ufffd" in text or max(map(len, runs)) > MAX_SPACES)
    return False


def test_greedy_is_the_naive_loop(tiny_models: Mapping[str, Model]):
    desk = Desk(tiny_models["fp32"])
    tasks = [desk.task(0, header=desk.renderer.header(generated(title=title), "/x")) for title in ("a", "b", "c")]
    outcomes = desk.write(tasks)
    assert len({repr(outcome) for outcome in outcomes}) == 3
    for task, outcome in zip(tasks, outcomes, strict=True):
        assert isinstance(outcome, Written)
        assert outcome.text == naive_text(desk, task)


def test_a_text_is_its_own(desk: Desk):
    """The same alone, with others, in another order, with any threads, in any number of live rows."""
    tasks = [desk.task(number) for number in range(len(FIELDS))]
    tasks += [desk.task(0, temperature=0.8, seed=1), desk.task(3, temperature=2.0, seed=1)]
    tasks += [desk.task(0, temperature=0.8, seed=1, pointer="/y"), desk.task(0, budget=3)]
    with threads(1):
        expected = shown(desk.write(tasks))
    assert len(set(expected)) >= len(tasks) - 2
    assert shown(desk.write(tasks[::-1])) == expected[::-1]
    for number, task in enumerate(tasks):
        assert shown(desk.write([task])) == [expected[number]]
    some = (0, 2, 6)
    for workers in (2, 5, 7, 8):
        with threads(workers):
            assert shown(desk.write([tasks[number] for number in some])) == [expected[number] for number in some]


@pytest.mark.parametrize("rows", [1, 3])
def test_texts_take_turns(desk: Desk, rows: int, monkeypatch: pytest.MonkeyPatch):
    tasks = [desk.task(number) for number in (0, 1, 2, 3, 0)]
    expected = shown(desk.write(tasks))
    monkeypatch.setattr(write_module, "LIVE_ROWS", rows)
    assert shown(desk.write(tasks)) == expected


def test_requests_on_other_texts_write_along(desk: Desk):
    other = prefill(desk.body, desk.trunk[:-9] + desk.trunk[5:50])
    tasks = [desk.task(0), desk.task(2, prefix=other), desk.task(3), desk.task(0, prefix=other)]
    assert shown(desk.write(tasks)) == [shown(desk.write([task]))[0] for task in tasks]
    assert shown(desk.write([desk.task(0)])) != shown(desk.write([desk.task(0, prefix=other)]))


def test_all_constraints_hold(desk: Desk):
    for seed in range(3):
        tasks = [desk.task(number, temperature=1.0, seed=seed, pointer="/x") for number in range(len(FIELDS))]
        for task, outcome in zip(tasks, desk.write(tasks), strict=True):
            assert_valid(task.field, task.budget, outcome)


def test_errors_are_in_their_places(desk: Desk):
    never: FieldPlan = generated(pattern="^a{9}$", maxLength=8)
    first, impossible, last = desk.write([desk.task(0), desk.task(1, field=never), desk.task(3)])
    assert isinstance(first, Written)
    assert isinstance(impossible, FillError)
    assert str(impossible) == "DEG-C003 /x/1: no text meets its constraints: maxLength 8, pattern '^a{9}$'"
    assert [repr(first), repr(last)] == shown(desk.write([desk.task(0), desk.task(3)]))
    assert desk.write([]) == []


def test_the_empty_text_is_written_without_a_step(desk: Desk):
    assert desk.write([desk.task(5)]) == [Written("", 0, "max_length")]
