"""From records to targets: which tokens cover a span, what a window shows, and what is never trained."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from deg_backbones.llama.model import LlamaFamily
from deg_core.contract.plan import Mode
from deg_core.records.record import Record
from deg_core.rendering.layout import Renderer, cover
from deg_core.training.examples import ExampleBuilder, same_json
from deg_core.training.gold import Example, ForkExample
from tests.fixtures.tiny import tiny_tokenizer

RENDERER = Renderer(LlamaFamily(), tiny_tokenizer())
TEXT = "The invoice total is 12.50 EUR, due on 3 May 2024, paid by Ann."


def record(properties: dict[str, Any], value: dict[str, Any], context: str = TEXT, **parts: Any) -> Record:
    schema = {"type": "object", "properties": properties}
    return Record(uid="u", source="s", split="train", domain="d", context=context, schema=schema, value=value, **parts)


def build(one: Record, *, seed: int = 0, context: int = 1000, forks: int = 10_000) -> Example | None:
    builder = ExampleBuilder(RENDERER, max_context_tokens=context, record_fork_tokens=forks)
    return builder.build(one, random.Random(seed))


def by_pointer(example: Example | None) -> dict[str, ForkExample]:
    """The forks by the pointer that their first line shows."""
    forks = () if example is None else example.forks
    lines = [RENDERER.tokenizer.decode(fork.layout.ids).partition("\n")[0] for fork in forks]
    return {line.removeprefix("FIELD "): fork for line, fork in zip(lines, forks, strict=True)}


def span(words: str, text: str = TEXT) -> tuple[int, int]:
    return text.index(words), text.index(words) + len(words)


# Tokens of a span

OFFSETS = ((0, 3), (3, 7), (7, 8), (8, 12))


@pytest.mark.parametrize(
    ("start", "end", "tokens"),
    [
        (0, 3, (0, 0)),
        (0, 12, (0, 3)),
        (3, 7, (1, 1)),
        (4, 6, (1, 1)),
        (2, 4, (0, 1)),
        (6, 8, (1, 2)),
        (7, 8, (2, 2)),
        (11, 12, (3, 3)),
    ],
)
def test_cover(start: int, end: int, tokens: tuple[int, int]):
    assert cover(OFFSETS, start, end) == tokens


def test_tokens_of_one_characters_bytes_are_covered_together():
    offsets = ((0, 1), (1, 2), (1, 2), (1, 2), (2, 3))  # the middle character takes three tokens
    assert cover(offsets, 1, 2) == (1, 3)
    assert cover(offsets, 0, 2) == (0, 3)
    assert cover(offsets, 2, 3) == (4, 4)


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=40), st.data())
def test_a_cover_holds_the_span_and_no_token_too_many(text: str, data: st.DataObject):
    offsets = RENDERER.trunk(text).offsets
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    first, last = cover(offsets, start, end)
    assert offsets[first][0] <= start < offsets[first][1]
    assert offsets[last][0] < end <= offsets[last][1]
    touching = [t for t, (a, b) in enumerate(offsets) if a < end and b > start]
    assert (first, last) == (touching[0], touching[-1])


# Targets


def test_decided_values_are_one_hot_in_the_order_of_the_fork():
    properties = {
        "kind": {"enum": ["b", "a", True, 1, None]},
        "level": {"type": ["integer", "null"], "minimum": 1, "maximum": 3},
        "yes": {"type": "boolean"},
    }
    for value in ({"kind": 1, "level": 3, "yes": True}, {"kind": True, "level": None, "yes": False}):
        for seed in range(4):
            found = by_pointer(build(record(properties, value), seed=seed))
            kind = found["/kind"]
            gold = kind.layout.order[int(kind.target.probs.argmax())]
            assert repr(properties["kind"]["enum"][gold]) == repr(value["kind"])
            assert sorted(kind.target.probs.tolist()) == [0, 0, 0, 0, 1]
            assert found["/level"].target.probs.tolist() == ([0, 0, 1, 0] if value["level"] else [0, 0, 0, 1])
            assert found["/yes"].target.probs.tolist() == ([1, 0] if value["yes"] else [0, 1])


def test_training_shuffles_options():
    properties = {"kind": {"enum": list("abcdefgh")}}
    orders = {
        by_pointer(build(record(properties, {"kind": "a"}), seed=seed))["/kind"].layout.order for seed in range(5)
    }
    assert len(orders) == 5


def test_soft_targets_follow_the_shuffle():
    properties = {"kind": {"enum": ["b", "a", "c"]}, "yes": {"type": "boolean"}}
    probs = {"/kind": [0.5, 0.3, 0.2], "/yes": [0.8, 0.2]}
    found = by_pointer(build(record(properties, {"kind": "b", "yes": True}, decide_probs=probs), seed=3))
    kind = found["/kind"]
    assert kind.target.probs.tolist() == pytest.approx([probs["/kind"][index] for index in kind.layout.order])
    assert found["/yes"].target.probs.tolist() == pytest.approx([0.8, 0.2])


def test_spans_become_tokens_of_the_text():
    properties = {"total": {"type": "number"}, "who": {"type": "string"}}
    one = record(
        properties,
        {"total": 12.5, "who": "Ann"},
        spans={"/total": span("12.50"), "/who": span("Ann")},
        span_alternatives={"/total": [span("3")]},
    )
    example = build(one)
    found = by_pointer(example)
    assert example is not None
    offsets = example.trunk.offsets
    for pointer, texts in (("/total", ["12.50", "3"]), ("/who", ["Ann"])):
        target = found[pointer].target
        assert target.probs.numel() == 0
        for first, last, words in zip(target.starts, target.ends, texts, strict=True):
            assert TEXT[offsets[first][0] : offsets[last][1]].strip(" .,") == words


def test_span_probabilities_are_kept():
    one = record(
        {"total": {"type": "number"}},
        {"total": 12.5},
        spans={"/total": span("12.50")},
        span_alternatives={"/total": [span("3")]},
        span_probs={"/total": [0.75, 0.25]},
    )
    target = by_pointer(build(one))["/total"].target
    assert target.probs.tolist() == [0.75, 0.25]
    assert len(target.starts) == len(target.ends) == 2


def test_what_has_no_span_trains_null_only_if_it_has_no_value():
    properties = {name: {"type": ["string", "null"]} for name in ("null", "missing", "odd")}
    found = by_pointer(build(record(properties, {"null": None, "odd": "not located"})))
    assert set(found) == {"/null", "/missing"}
    assert all(fork.target.starts == fork.target.ends == () for fork in found.values())


def test_what_cannot_be_trained_here_is_left_out():
    properties = {
        "reply": {"type": "string", "x-generate": True},
        "kind": {"enum": ["a", "b"]},
        "level": {"type": "integer", "minimum": 1, "maximum": 3},
        "yes": {"type": "boolean"},
    }
    value = {"reply": "y", "kind": "elsewhere", "level": 9, "yes": 1}
    assert build(record(properties, value)) is None
    assert set(by_pointer(build(record(properties, value | {"yes": False})))) == {"/yes"}
    assert build(record(properties, {})) is None  # a decision without a gold value


def test_nested_values_are_found():
    properties = {
        "a": {"type": "object", "properties": {"b": {"type": "object", "properties": {"yes": {"type": "boolean"}}}}}
    }
    assert set(by_pointer(build(record(properties, {"a": {"b": {"yes": True}}})))) == {"/a/b/yes"}
    assert build(record(properties, {"a": {"b": "no object"}})) is None


@pytest.mark.parametrize(
    ("a", "b", "same"), [(1, 1.0, True), (True, 1, False), (0, False, False), ("1", 1, False), (None, None, True)]
)
def test_same_json(a: Any, b: Any, same: bool):
    assert same_json(a, b) == same


# Limits


def test_forks_beyond_their_room_are_left_out_at_random():
    properties = {f"f{n}": {"type": "boolean"} for n in range(12)}
    one = record(properties, {name: True for name in properties})
    whole = build(one)
    assert whole is not None
    size = max(len(fork.layout.ids) for fork in whole.forks)
    drawn = [build(one, seed=seed, forks=4 * size) for seed in range(6)]
    for example in drawn:
        assert sum(len(fork.layout.ids) for fork in example.forks) <= 4 * size
        assert len(example.forks) >= 4
    assert len({frozenset(by_pointer(example)) for example in drawn}) > 1
    assert len(build(one, forks=1).forks) == 1  # the first is kept whatever its length


LONG = (
    "".join(f"line {n} has number {n * 7 + 1000}; " for n in range(60)) + "Ann paid \U0001f642. " + "tail words " * 40
)
PROPERTIES = {
    "who": {"type": ["string", "null"]},
    "first": {"type": "number"},
    "absent": {"type": ["string", "null"]},
    "yes": {"type": "boolean"},
}
SPANS = {"/who": span("Ann", LONG), "/first": span("1000", LONG)}


def test_a_long_text_is_cut_to_a_window_around_a_gold_span():
    one = record(PROPERTIES, {"who": "Ann", "first": 1000, "yes": True}, LONG, spans=SPANS)
    seen, windows = set(), set()
    for seed in range(30):
        example = build(one, seed=seed, context=100)
        assert example is not None
        assert len(example.trunk.offsets) <= 100
        assert example.trunk.text in LONG
        windows.add(example.trunk.text)
        for pointer, fork in by_pointer(example).items():
            first, last = fork.target.starts[0], fork.target.ends[0]
            start, end = example.trunk.offsets[first][0], example.trunk.offsets[last][1]
            words = LONG[slice(*SPANS[pointer])]
            assert words in example.trunk.text[start:end]
            seen.add(pointer)
    assert seen == set(SPANS)
    assert len(windows) > 10


def test_a_window_never_trains_what_it_may_not_show():
    """Neither fields whose gold lies outside nor absent ones, nor decisions, whose evidence has no span."""
    one = record(PROPERTIES, {"who": "Ann", "first": 1000, "yes": True}, LONG, spans=SPANS)
    for seed in range(30):
        example = build(one, seed=seed, context=100)
        for pointer, fork in by_pointer(example).items():
            assert fork.target.starts, pointer
            assert fork.query.extracts
        assert len(by_pointer(example)) == 1  # the two spans are further apart than a window is long
    whole = by_pointer(build(one, context=5000))
    assert set(whole) == {"/who", "/first", "/absent", "/yes"}


def test_probabilities_of_alternatives_do_not_outlive_a_cut():
    one = record(
        {"who": {"type": "string"}},
        {"who": "Ann"},
        LONG,
        spans={"/who": SPANS["/who"]},
        span_alternatives={"/who": [SPANS["/first"]]},
        span_probs={"/who": [0.5, 0.5]},
    )
    for seed in range(10):
        target = by_pointer(build(one, seed=seed, context=100))["/who"].target
        assert len(target.starts) == 1
        assert target.probs.numel() == 0


def test_a_text_that_is_dense_in_tokens_is_cut_too():
    """Characters do not bound tokens: here each takes several."""
    text = "\u65e5\u672c\u8a9e" * 40 + "Ann"
    one = record({"who": {"type": "string"}}, {"who": "Ann"}, text, spans={"/who": (len(text) - 3, len(text))})
    for seed in range(5):
        example = build(one, seed=seed, context=60)
        assert example is not None
        assert len(example.trunk.offsets) <= 60
        assert set(by_pointer(example)) == {"/who"}


def test_a_cut_text_without_spans_trains_nothing():
    assert (
        build(record({"yes": {"type": "boolean"}, "n": {"type": ["number", "null"]}}, {"yes": True}, LONG), context=50)
        is None
    )


def test_a_span_longer_than_the_window_trains_nothing():
    one = record({"who": {"type": "string"}}, {"who": LONG[10:600]}, LONG, spans={"/who": (10, 600)})
    assert build(one, context=50) is None


def test_the_same_seed_draws_the_same_example():
    one = record(PROPERTIES, {"who": "Ann", "first": 1000, "yes": True}, LONG, spans=SPANS)
    first, second = (build(one, seed=5, context=100) for _ in range(2))
    assert first.trunk == second.trunk
    assert [fork.layout for fork in first.forks] == [fork.layout for fork in second.forks]
    assert all(torch.equal(a.target.probs, b.target.probs) for a, b in zip(first.forks, second.forks, strict=True))


def test_modes_have_targets_of_their_kind():
    one = record(PROPERTIES, {"who": "Ann", "first": 1000, "yes": True}, LONG, spans=SPANS)
    for fork in build(one, context=5000).forks:
        assert (fork.target.probs.numel() == 2) == (fork.query is Mode.NOUL)
