"""Invented documents: spans by construction, determinism, honest absence, layouts held out for the test split."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from deg_core.contract.compiler import compile_schema
from deg_core.contract.parsers import decimal_mark, read_span
from deg_core.datagen.documents import KINDS, generate, generate_many, get_kind, shapes
from deg_core.datagen.documents.builder import Page
from deg_core.datagen.documents.noise import Noise
from deg_core.datagen.generate import main
from deg_core.errors import UnknownNameError
from deg_core.records.check import check_record
from deg_core.records.record import Record

MAIN_KINDS = ("invoice", "receipt", "support", "job_ad")
SEEDS = range(4)


def leaves(schema: dict[str, Any], value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Pointer, schema and value (None for a missing key) of every leaf."""
    for name, node in schema["properties"].items():
        pointer = f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
        if "properties" in node:
            yield from leaves(node, value.get(name, {}), pointer)
        else:
            yield pointer, node, value.get(name)


@pytest.fixture(scope="module")
def sample() -> list[Record]:
    return [generate(kind, seed, split=split) for kind in KINDS for seed in SEEDS for split in ("train", "test")]


def test_every_record_holds_what_it_says(sample: list[Record]) -> None:
    problems = {record.uid: found for record in sample if (found := check_record(record))}
    assert problems == {}


@pytest.mark.parametrize("kind", KINDS)
def test_spans_read_to_the_value_and_alternatives_to_the_same(kind: str) -> None:
    for seed in range(20, 23):
        record = generate(kind, seed)
        plan = compile_schema(record.schema)
        values = {pointer: value for pointer, _, value in leaves(record.schema, record.value)}
        for field in plan.fields:
            if field.pointer not in record.spans:
                continue
            for start, end in (record.spans[field.pointer], *record.span_alternatives.get(field.pointer, ())):
                text = record.context[start:end]
                assert text == text.strip()
                assert read_span(field, text, decimal=decimal_mark(record.context)).value == values[field.pointer]


@pytest.mark.parametrize("kind", KINDS)
def test_equal_arguments_give_equal_bytes_and_others_differ(kind: str) -> None:
    once, again = (msgspec.json.encode(generate(kind, 5)) for _ in range(2))
    assert once == again
    assert msgspec.json.encode(generate(kind, 6)) != once
    assert generate(kind, 5, split="val").context != generate(kind, 5).context


def test_a_record_does_not_depend_on_the_global_random_state() -> None:
    random.seed(1)
    first = generate("invoice", 3)
    random.seed(2)
    assert generate("invoice", 3) == first


def test_field_counts_and_absence(sample: list[Record]) -> None:
    asked = [list(leaves(record.schema, record.value)) for record in sample]
    assert all(3 <= len(fields) <= 16 for fields in asked)
    assert 7 <= sum(map(len, asked)) / len(asked) <= 12
    absent = [value is None for fields in asked for _, _, value in fields]
    assert 0.22 <= sum(absent) / len(absent) <= 0.32


def test_nullability_does_not_give_absence_away(sample: list[Record]) -> None:
    """Most extracted fields that may be null are filled."""
    filled = missing = 0
    for record in sample:
        for field in compile_schema(record.schema).fields:
            if field.mode.extracts and field.nullable:
                values = {pointer: value for pointer, _, value in leaves(record.schema, record.value)}
                filled += values[field.pointer] is not None
                missing += values[field.pointer] is None
    assert filled > missing


def test_an_absent_extracted_field_may_be_null_or_missing(sample: list[Record]) -> None:
    for record in sample:
        values = {pointer: value for pointer, _, value in leaves(record.schema, record.value)}
        for field in compile_schema(record.schema).fields:
            if values[field.pointer] is None:
                assert field.on_null != "forbid" or field.nullable
                assert field.pointer not in record.spans


def test_right_options_are_spread_over_all_places() -> None:
    first = total = 0
    for seed in range(60):
        record = generate("support", seed)
        for field in compile_schema(record.schema).fields:
            values = {pointer: value for pointer, _, value in leaves(record.schema, record.value)}
            if field.mode == "decide.choice" and field.json_type == "enum" and len(field.options) > 3:
                total += 1
                first += field.options[0] == values[field.pointer]
    assert total > 30
    assert first / total < 0.4


@pytest.mark.parametrize("kind", MAIN_KINDS)
def test_main_kinds_have_many_layouts_and_hold_some_out(kind: str) -> None:
    found = get_kind(kind)
    assert len(found.layouts) >= 10
    assert len(found.held_out) >= 2
    assert found.held_out <= set(found.layouts)
    train = {generate(kind, seed).uid.split("/")[2] for seed in range(60)}
    test = {generate(kind, seed, split="test").uid.split("/")[2] for seed in range(20)}
    assert train.isdisjoint(found.held_out)
    assert test <= found.held_out
    assert len(train) >= 8


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in MAIN_KINDS])
def test_other_kinds_have_at_least_three_layouts(kind: str) -> None:
    assert len(get_kind(kind).layouts) >= 3


@pytest.mark.parametrize("kind", KINDS)
def test_every_layout_can_be_written(kind: str) -> None:
    found = get_kind(kind)
    for name, write in found.layouts.items():
        for lang in dict.fromkeys(found.langs.get(name, ("en",))):
            sheet = found.world(random.Random(f"{name}/{lang}"), lang, name in found.wordy)
            write(sheet)
            assert sheet.finish().context


@pytest.mark.parametrize("kind", KINDS)
def test_pools_are_wide(kind: str) -> None:
    pool = get_kind(kind).pool
    assert len(pool.fields) >= 15
    assert {one.group for one in pool.fields if one.group} <= set(pool.groups)
    for one in pool.fields:
        assert one.names
        assert one.extracted or one.type == "boolean" or len(one.options or one.levels) >= 2


def test_the_other_party_is_asked_about() -> None:
    pool = {one.key: one for one in get_kind("invoice").pool.fields}
    assert pool["buyer_email"].other_party
    assert not pool["seller_email"].other_party


def test_names_and_descriptions_vary(sample: list[Record]) -> None:
    names = {pointer.rsplit("/", 1)[-1] for record in sample for pointer, _, _ in leaves(record.schema, record.value)}
    assert any("_" in name for name in names)
    assert any(" " in name for name in names)
    assert any(name[0].islower() and any(letter.isupper() for letter in name) for name in names)
    fields = [node for record in sample for _, node, _ in leaves(record.schema, record.value)]
    bare = sum("description" not in node and "title" not in node for node in fields) / len(fields)
    assert 0.25 <= bare <= 0.55


def test_generate_many_takes_the_kinds_in_turn() -> None:
    records = list(generate_many(6, 1, "train", ("receipt", "news", "news")))
    assert [record.uid.split("/")[1] for record in records] == ["receipt", "news", "news", "receipt", "news", "news"]
    assert len({record.uid for record in records}) == 6


def test_an_unknown_kind_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"'memoir'.*invoice"):
        generate("memoir", 1)


def test_the_command_writes_the_same_file_twice(tmp_path: Any) -> None:
    paths = [tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"]
    for path in paths:
        assert main(["--count", "4", "--seed", "9", "--out", str(path), "--kinds", "review"]) == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()
    lines = gzip.decompress(paths[0].read_bytes()).splitlines()
    assert [msgspec.json.decode(line, type=Record).source for line in lines] == ["generated"] * 4
    assert main(["--count", "1", "--out", str(paths[0]), "--kinds", "memoir"]) == 2


@pytest.mark.parametrize("kind", MAIN_KINDS)
def test_a_row_has_each_value_under_its_label(kind: str) -> None:
    marks = set()
    for seed in range(60):
        sheet = get_kind(kind).world(random.Random(seed), "en", False)
        keys = [key for key in sheet.labels if sheet.has(key)]
        shapes.row(sheet, keys)
        page = sheet.finish()
        head, *below = page.context.split("\n")
        start = page.context.rindex(below[-1])
        mark = next((each for each in ("\t", '","', '";"', " | ", "|", " ; ", ";") if each in head), "")
        marks.add(mark)
        names = head.split(mark) if mark else []
        for at, key in enumerate(keys):
            found = [first - start for first, _ in page.places[key] if first >= start]
            assert found, (kind, seed, key)
            label = re.sub(r"\W|_", "", sheet.label(key)).lower()
            before = len(sheet.facts[key].before)
            if mark:
                assert {below[-1][:first].count(mark) for first in found} >= {at}, page.context
                assert re.sub(r"\W|_", "", names[at]).lower() == label
            else:
                assert any(re.sub(r"\W|_", "", head[first - before :]).lower().startswith(label) for first in found)
    assert len(marks) > 5, marks


@pytest.mark.parametrize("kind", MAIN_KINDS)
def test_the_layout_of_a_row_can_be_asked_for(kind: str) -> None:
    record = generate(kind, 3, layout="table_row")
    assert record.uid.split("/")[2] == "table_row"
    assert check_record(record) == []


def test_a_layout_that_a_kind_does_not_have_is_refused_with_those_it_has(tmp_path: Any) -> None:
    with pytest.raises(UnknownNameError, match=r"has no layout 'sonnet' in the train split; it has .*table_row"):
        generate("invoice", 1, layout="sonnet")
    with pytest.raises(UnknownNameError, match="'export_row' in the train split"):
        list(generate_many(2, 1, kinds=["invoice"], arrays="none", layout="export_row"))
    out = str(tmp_path / "no.gz")
    assert main(["--count", "2", "--kinds", "news", "--layout", "table_row", "--arrays", "none", "--out", out]) == 2
    assert list(tmp_path.iterdir()) == []


class TestPage:
    def page(self, seed: int = 0) -> Page:
        return Page(rng=random.Random(seed))

    def test_places_are_those_of_the_written_facts(self) -> None:
        page = self.page()
        page.set("total", "12.50", 12.5, before="€ ")
        page.put("Total {total}, again {total:bare}.")
        rendered = page.finish()
        assert rendered.context == "Total € 12.50, again 12.50."
        assert [rendered.context[start:end] for start, end in rendered.places["total"]] == ["12.50", "12.50"]

    def test_a_composite_fact_holds_the_places_of_its_parts(self) -> None:
        page = self.page()
        page.set("street", "4 Mill Lane")
        page.set("city", "Lornby")
        page.set("address", "{street}, {city}", composite=True)
        page.put("\n  Come to {address}!")
        rendered = page.finish()
        (start, end) = rendered.places["address"][0]
        assert rendered.context[start:end] == "4 Mill Lane, Lornby"
        assert rendered.context[slice(*rendered.places["city"][0])] == "Lornby"

    def test_alternatives_nest_and_templates_without_their_facts_are_skipped(self) -> None:
        page = self.page()
        page.set("name", "Ada")
        assert {page.choose("<a|b<c|d>>") for _ in range(40)} == {"a", "bc", "bd"}
        assert page.any("by {nobody}", "by {name}")
        assert not page.any("by {nobody}")
        assert page.finish().context == "by Ada"

    def test_noise_and_upper_case_keep_spans_right(self) -> None:
        page = self.page()
        page.set("name", "Groß & Söhne")
        page.put("supplier beneath following something {name} afterwards everybody")
        noisy = page.finish(noise=Noise(random.Random(1), 1.0, "typing"))
        assert noisy.context[slice(*noisy.places["name"][0])] == "Groß & Söhne"
        assert noisy.context != page.finish().context
        loud = page.finish(upper=True)
        assert loud.context[slice(*loud.places["name"][0])] == "GROSS & SÖHNE"

    def test_a_statement_counts_only_when_it_was_made(self) -> None:
        page = Page(rng=random.Random(0), statements={"paid": {True: {"en": ("Paid by {who}.",)}}})
        page.decisions["paid"] = True
        assert not page.say("paid")
        page.set("who", "Ada")
        assert page.say("paid")
        assert page.stated == {"paid"}


@pytest.mark.parametrize("kind", KINDS)
def test_no_template_mark_is_left_in_a_text(kind: str) -> None:
    for seed in range(40, 60):
        record = generate(kind, seed)
        if record.uid.split("/")[2] not in ("data", "export_row"):
            left = re.findall(r"<[^<>@/]*>|\{[a-z_/0-9]+\}", record.context)
            assert left == [], record.uid


@pytest.mark.parametrize("kind", KINDS)
def test_keys_that_tempt_or_imply_are_keys_of_facts_or_decisions(kind: str) -> None:
    found = get_kind(kind)
    known = {one.key for one in found.pool.fields}
    for name in found.layouts:
        for seed in range(15):
            sheet = found.world(random.Random(seed), found.langs.get(name, ("en",))[0], False)
            known |= {*sheet.facts, *sheet.decisions}
    named = {key for one in found.pool.fields for key in (*one.near, *one.implied_by)}
    assert named <= known
