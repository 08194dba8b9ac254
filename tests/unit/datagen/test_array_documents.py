"""Invented documents that hold lists: places, order, held-out ways of writing, and how often arrays are asked for."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from deg_core.contract.compiler import compile_schema
from deg_core.datagen.documents import KINDS, generate, generate_many
from deg_core.datagen.documents.facts import new_sheet
from deg_core.datagen.documents.goods import draw_goods
from deg_core.datagen.documents.lists.document import LISTS, lists_of
from deg_core.datagen.documents.lists.model import Entry, ListKind, draw_count, invent_entries, placed
from deg_core.datagen.documents.lists.money_lists import TRANSACTIONS
from deg_core.datagen.documents.lists.nested import NESTED, NESTED_HELD_OUT
from deg_core.datagen.documents.lists.writers import FORMS, HELD_OUT
from deg_core.datagen.generate import main
from deg_core.records.record import Record
from tests.unit.datagen.array_checks import arrays_in, problems_of

SEEDS = range(7)
FLAT = [kind for kind in LISTS if kind.child is None]
DEEP = [kind for kind in LISTS if kind.child is not None]


@pytest.fixture(scope="module")
def sample() -> list[Record]:
    return [
        generate(kind, seed, split=split, array=True) for kind in KINDS for seed in SEEDS for split in ("train", "test")
    ]


def form_of(record: Record) -> str:
    return record.uid.split("/")[2].rpartition(".")[2]


def test_every_record_holds_what_it_says(sample: list[Record]) -> None:
    assert {record.uid: found for record in sample if (found := problems_of(record))} == {}


def test_every_record_asks_for_an_array_and_some_for_nothing_else(sample: list[Record]) -> None:
    assert all(any(isinstance(value, list) for value in record.value.values()) for record in sample)
    alone = sum(len(record.schema["properties"]) == 1 for record in sample)
    assert 0.15 < alone / len(sample) < 0.5


def test_equal_arguments_give_equal_bytes_and_others_differ() -> None:
    for kind in ("invoice", "cv", "meeting"):
        once, again = (msgspec.json.encode(generate(kind, 5, array=True)) for _ in range(2))
        assert once == again
        assert once != msgspec.json.encode(generate(kind, 6, array=True))


def test_a_record_without_arrays_does_not_depend_on_those_with() -> None:
    plain = [record for record in generate_many(12, 3, arrays="none")]
    mixed = {record.uid: record for record in generate_many(12, 3, arrays="some")}
    same = [record for record in plain if record.uid in mixed]
    assert same
    assert all(mixed[record.uid] == record for record in same)


def test_ways_of_writing_that_are_held_out_are_never_in_train(sample: list[Record]) -> None:
    held = HELD_OUT | NESTED_HELD_OUT
    train = {form_of(record) for record in sample if record.split == "train"}
    test = {form_of(record) for record in sample if record.split == "test"}
    assert len(train) >= 8
    assert len(test) >= 6
    assert train.isdisjoint(held)
    assert test - {"layout"} <= held


@pytest.mark.parametrize("kind", LISTS, ids=lambda kind: kind.name)
def test_held_out_wordings_are_not_those_of_train(kind: ListKind) -> None:
    lead = {f"{{{key}}}" for key in kind.keys}
    assert not (set(kind.held_lines) - lead) & set(kind.lines)
    assert not (set(kind.held_sentences) - {f"{part}." for part in lead}) & set(kind.sentences)


def test_the_share_of_arrays_is_as_asked() -> None:
    def share(arrays: Any) -> float:
        records = list(generate_many(150, 8, arrays=arrays))
        return sum(any(isinstance(value, list) for value in record.value.values()) for record in records) / 150

    assert share("none") == 0
    assert 0.22 < share("some") < 0.48


def test_the_command_takes_arrays(tmp_path: Any) -> None:
    paths = [tmp_path / name for name in ("a.jsonl", "b.jsonl")]
    for path in paths:
        assert main(["--count", "4", "--out", str(path), "--kinds", "receipt", "cv", "--arrays", "only"]) == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()
    records = [msgspec.json.decode(line, type=Record) for line in paths[0].read_bytes().splitlines()]
    assert all(any(True for _ in arrays_in(record.value)) for record in records)


def test_counts_are_mostly_small_now_and_then_large_or_none(sample: list[Record]) -> None:
    rng = random.Random(4)
    drawn = sorted(draw_count(rng) for _ in range(2000))
    assert 1 <= drawn[0] <= 2
    assert drawn[1000] <= 6
    assert 40 < drawn[-1] <= 60
    sizes = [len(items) for record in sample for pointer, items in arrays_in(record.value) if pointer.count("/") == 1]
    assert 0 in sizes
    assert max(sizes) > 12


def test_arrays_of_values_and_arrays_in_arrays_occur(sample: list[Record]) -> None:
    arrays = [(pointer, items) for record in sample for pointer, items in arrays_in(record.value)]
    assert any(items and not isinstance(items[0], dict) for pointer, items in arrays if pointer.count("/") == 1)
    assert len({record.uid.split("/")[1] for record in sample if _is_deep(record)}) >= 2
    bounds = [node for record in sample for node in record.schema["properties"].values() if "items" in node]
    assert any("minItems" in node for node in bounds)
    assert any("maxItems" in node for node in bounds)


def _is_deep(record: Record) -> bool:
    return any(pointer.count("/") > 1 for pointer, _ in arrays_in(record.value))


def test_leaves_of_items_are_required_nullable_or_optional_and_some_are_decided() -> None:
    seen: set[str] = set()
    for seed in range(60):
        record = generate("invoice" if seed % 2 else "meeting", seed, array=True)
        for field in compile_schema(record.schema).fields:
            if len(field.path) == 3:
                seen.add("decided" if field.mode.decides else "copied")
                seen.add("nullable" if field.nullable else "required" if field.required else "optional")
    assert seen == {"decided", "copied", "nullable", "required", "optional"}


def test_items_may_lack_what_others_have() -> None:
    mixed = 0
    for seed in range(40):
        for _, items in arrays_in(generate("meeting", seed, array=True).value):
            rows = [item for item in items if isinstance(item, dict)]
            names = {name for row in rows for name in row}
            mixed += any(len({row.get(name) is None for row in rows}) == 2 for name in names)
    assert mixed > 5


def test_every_kind_of_document_has_a_list() -> None:
    assert all(lists_of(kind) for kind in KINDS)
    assert {home for kind in LISTS for home in (*kind.homes, *kind.alone)} <= set(KINDS)


def _sheet_with(kind: ListKind, count: int) -> tuple[Any, list[Entry]]:
    sheet = new_sheet(random.Random(f"{kind.name}/{count}"), labels={}, statements={})
    return sheet, invent_entries(sheet, kind, "lists", count)


def _firsts(places: dict[str, list[tuple[int, int]]], entry: Entry) -> list[tuple[str, tuple[int, int]]]:
    return [(key, found[0]) for key, found in places.items() if key.startswith(f"{entry.prefix}/")]


@pytest.mark.parametrize("kind", FLAT, ids=lambda kind: kind.name)
def test_every_way_of_writing_names_every_item_in_order(kind: ListKind) -> None:
    for write in FORMS.values():
        sheet, entries = _sheet_with(kind, 5)
        keys = [key for key in kind.keys if any(sheet.has(f"{entry.prefix}/{key}") for entry in entries)]
        write(sheet, kind, entries, keys)
        places = sheet.finish().places
        firsts = [
            min(places[f"{entry.prefix}/{key}"][0] for key in keys if f"{entry.prefix}/{key}" in places)
            for entry in entries
        ]
        assert all(before <= after for before, after in pairwise(firsts))


@pytest.mark.parametrize("kind", DEEP, ids=lambda kind: kind.name)
def test_inner_items_stand_within_their_outer_one(kind: ListKind) -> None:
    assert kind.child is not None
    for write in NESTED.values():
        sheet, entries = _sheet_with(kind, 3)
        inner = [part for entry in entries for part in entry.inner]
        keys, inner_keys = (
            [key for key in one.keys if any(sheet.has(f"{entry.prefix}/{key}") for entry in some)]
            for one, some in ((kind, entries), (kind.child, inner))
        )
        write(sheet, kind, entries, keys, inner_keys)
        places = sheet.finish().places
        spans = [
            [span for key, found in places.items() if key.startswith(f"{entry.prefix}/") for span in found]
            for entry in entries
        ]
        assert all(max(end for _, end in before) <= min(after)[0] for before, after in pairwise(spans))


def test_items_under_one_line_share_its_fact_and_keep_their_answers() -> None:
    shared = 0
    for seed in range(30):
        sheet = new_sheet(random.Random(seed), labels={}, statements={})
        entries = invent_entries(sheet, TRANSACTIONS, "lists", 9)
        before = dict(sheet.decisions)
        FORMS["grouped"](sheet, TRANSACTIONS, entries, ["date", "text", "amount", "side"])
        places = sheet.finish().places
        assert sheet.decisions == before
        for key in ("side", "text"):
            spans = [places[f"{entry.prefix}/{key}"][0] for entry in entries]
            shared += len(set(spans)) < len(spans)
        sides = [(places[f"{entry.prefix}/side"][0], sheet.decisions[f"{entry.prefix}/side"]) for entry in entries]
        assert len(dict(sides)) == len(set(sides))
    assert shared > 5


def test_relative_keys_become_those_of_an_item() -> None:
    assert placed("{name}: {price:bare}", "items/3") == "{items/3/name}: {items/3/price:bare}"


def test_more_goods_than_a_shop_has_are_all_different() -> None:
    goods = [name.lower() for name, _ in draw_goods(random.Random(2), "clothes", 60)]
    assert len(goods) == 60
    assert len(set(goods)) >= 58
