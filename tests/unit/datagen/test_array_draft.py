"""Rows of marked text become arrays: typed leaves, nulls, order by place, rows that cannot be told apart."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.datagen.array_draft import Cell, Column, read_cell
from deg_core.datagen.draft import Draft
from deg_core.datagen.sources import SOURCES, load_source
from deg_core.datagen.wording import slot
from deg_core.records.record import Record
from deg_core.records.split import split_of
from tests.unit.datagen.array_checks import arrays_in, problems_of
from tests.unit.datagen.array_set_files import ARRAY_WRITERS

NAME = slot("name|thing", "name of the thing")
COUNT = slot("count|number of pieces", "how many", kind="integer")
MOOD = slot("mood|feeling", "what is thought of it")
THINGS = slot("things|list of things", "all things")


def draft_of(rows: list[tuple[str, int | None]], uid: str = "1") -> tuple[Draft, list[list[Cell]]]:
    """A list of lines and the places of name and count in each."""
    text, cells = "", []
    for name, count in rows:
        start = len(text)
        text += name
        row: list[Cell] = [(start, len(text))]
        if count is not None:
            text += ": "
            row.append((len(text), len(text) + len(str(count))))
            text += str(count)
        else:
            row.append(None)
        text += "\n"
        cells.append(row)
    return Draft("made", uid, uid, "list", text, "list"), cells


def finished(draft: Draft) -> Record:
    record = draft.record()
    assert record is not None
    return record


@given(
    rows=st.lists(
        st.tuples(st.from_regex(r"[a-z]{3,8}( [a-z]{2,6})?", fullmatch=True), st.none() | st.integers(2, 999)),
        min_size=1,
        max_size=30,
    ),
    turned=st.randoms(use_true_random=False),
    uid=st.integers(0, 50),
)
def test_any_rows_become_items_in_document_order(rows: list[tuple[str, int | None]], turned: Any, uid: int) -> None:
    draft, cells = draft_of(rows, str(uid))
    turned.shuffle(cells)
    assert draft.array(THINGS, [Column(NAME), Column(COUNT)], cells)
    record = finished(draft)
    assert problems_of(record) == []
    ((_, items),) = arrays_in(record.value)
    assert len(items) == len(rows)
    names = [next(value for value in item.values() if isinstance(value, str) and not value.isdigit()) for item in items]
    assert names == [name for name, _ in rows]


@pytest.mark.parametrize("uid", [str(number) for number in range(12)])
def test_a_missing_count_is_null_or_left_out(uid: str) -> None:
    draft, cells = draft_of([("mill", 4), ("barn", None)], uid)
    assert draft.array(THINGS, [Column(NAME), Column(COUNT)], cells)
    record = finished(draft)
    ((_, items),) = arrays_in(record.value)
    assert 4 in items[0].values() or "4" in items[0].values()
    assert None in items[1].values() or len(items[1]) == 1
    assert problems_of(record) == []


def test_values_instead_of_objects() -> None:
    draft, cells = draft_of([("mill", None), ("barn", None), ("mill", None)])
    assert draft.array(THINGS, [Column(NAME)], [row[:1] for row in cells], plain=True)
    assert [items for _, items in arrays_in(finished(draft).value)] == [["mill", "barn", "mill"]]


def test_answers_that_are_decided_stand_beside_copied_ones() -> None:
    draft, cells = draft_of([("mill", None), ("barn", None)])
    columns = [Column(NAME), Column(MOOD, (("good", "liked"), ("bad", None)))]
    assert draft.array(THINGS, columns, [[cells[0][0], "bad"], [cells[1][0], "good"]])
    record = finished(draft)
    ((_, items),) = arrays_in(record.value)
    assert [sorted(item.values()) for item in items] == [["bad", "mill"], ["barn", "good"]]
    assert problems_of(record) == []


def test_rows_that_share_their_only_place_are_refused() -> None:
    draft, cells = draft_of([("mill", None)])
    assert not draft.array(THINGS, [Column(NAME)], [cells[0][:1], cells[0][:1]])
    assert not draft.array(THINGS, [Column(MOOD, (("good", None), ("bad", None)))], [["good"], ["bad"]])
    assert draft.record() is None


def test_a_number_with_two_readings_is_read_as_its_page_writes_numbers() -> None:
    text = "1,234 and 12.50 and 3.75"
    assert read_cell(text, (0, 5), "integer") == (1234, (0, 5))
    assert read_cell(text, (0, 5), "number") == (1234, (0, 5))
    assert read_cell("1,234 apples", (0, 5), "integer") == (1234, (0, 5))
    assert read_cell("1,234 apples", (0, 5), "number") is None
    assert read_cell("1,234 apples", (0, 12), "number") is None


@pytest.mark.parametrize("source", sorted(ARRAY_WRITERS))
def test_invented_rows_give_arrays_that_hold(source: str, tmp_path: Path) -> None:
    ARRAY_WRITERS[source](tmp_path)
    records = list(load_source(source, tmp_path))
    assert {record.uid: found for record in records if (found := problems_of(record))} == {}
    assert all(any(True for _ in arrays_in(record.value)) for record in records)


def test_a_total_below_a_table_is_no_item(tmp_path: Path) -> None:
    ARRAY_WRITERS["wikitables"](tmp_path)
    for record in load_source("wikitables", tmp_path):
        for _, items in arrays_in(record.value):
            assert "Total" not in items
            assert all("Total" not in item.values() for item in items if isinstance(item, dict))


def test_ordered_drinks_keep_their_own_options(tmp_path: Path) -> None:
    ARRAY_WRITERS["taskmaster4"](tmp_path)
    pairs: set[tuple[Any, ...]] = set()
    for record in load_source("taskmaster4", tmp_path):
        for _, items in arrays_in(record.value):
            pairs |= {tuple(sorted(filter(None, item.values()))) for item in items if isinstance(item, dict)}
    assert {("mocha", "oat milk"), ("decaf", "latte")} <= pairs


@pytest.mark.parametrize("source", ["ingredients_lists", "grobid_lists"])
def test_array_sources_share_the_split_of_their_parent(source: str, tmp_path: Path) -> None:
    """A line or document that the parent set holds too is in the same split in both."""
    ARRAY_WRITERS[source](tmp_path)
    singles = {record.context.lower(): record.split for record in load_source(SOURCES[source].folder, tmp_path)}
    found = 0
    for record in load_source(source, tmp_path):
        for line in re.split(r"\n|; | \| |, then ", record.context.lower()):
            text = re.sub(r"^([-*•]|[(\[]?\d+[.)\]]) ", "", line).strip()
            found += text in singles
            assert singles.get(text, record.split) == record.split
    assert found


def test_mams_texts_are_split_as_in_the_aspect_categories(tmp_path: Path) -> None:
    ARRAY_WRITERS["mams_terms"](tmp_path)
    for record in load_source("mams_terms", tmp_path):
        assert record.split == split_of(f"mams_absa:{record.context.strip().lower()}")


@pytest.mark.parametrize("source", sorted(ARRAY_WRITERS))
def test_samples_of_the_real_sets_hold(source: str, shared: Path) -> None:
    folder = shared / "data" / SOURCES[source].folder
    if not folder.is_dir():
        pytest.skip(f"the data set {source} is not on this machine")
    records = [record for record, _ in zip(load_source(source, folder), range(25), strict=False)]
    assert {record.uid: found for record in records if (found := problems_of(record))} == {}
