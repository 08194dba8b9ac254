"""Arrays against their gold, on cases small enough to count by hand."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.evaluate.assignment import best_assignment
from deg_core.evaluate.metrics import summarise
from deg_core.evaluate.outcome import ArrayOutcome, LeafCounts
from deg_core.evaluate.paired import compare
from deg_core.evaluate.report import ARRAY_COLUMNS, DECODER_COLUMNS, array_rows, decoder_rows
from tests.unit.evaluate.making import record, scored

TEXT = "2 pears at 1.20, 3 plums at 0.80 and 1 melon at 4.00, all ripe; tags: fresh, cheap, local"
ROWS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "price": {"type": ["number", "null"]},
            "ripe": {"type": "boolean"},
        },
        "required": ["name", "price", "ripe"],
    },
}
TAGS = {"type": "array", "items": {"type": "string"}}


def row(name: str, price: float | None, ripe: bool = True) -> dict[str, Any]:
    return {"name": name, "price": price, "ripe": ripe}


PEARS, PLUMS, MELON = row("pears", 1.2), row("plums", 0.8), row("melon", 4.0)
GOLD = [PEARS, PLUMS, MELON]


def array(gold: Any, answer: Any, schema: dict[str, Any] = ROWS, **more: Any) -> ArrayOutcome:
    made = record("1", TEXT, {"a": schema}, {"a": gold})
    (found,) = scored(made, None if answer is None else {"a": answer}, **more).arrays
    return found


def counts(found: ArrayOutcome) -> tuple[int, int, int, int]:
    own = found.counts
    return own.gold, own.answer, own.by_position, own.aligned


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (GOLD, (9, 9, 9, 9)),
        ([MELON, PEARS, PLUMS], (9, 9, 3, 9)),  # all are ripe, whatever the place
        ([PLUMS, MELON], (9, 6, 2, 6)),  # one is missing: all that follow are at the wrong position
        ([PEARS, PEARS, PLUMS, MELON], (9, 12, 5, 9)),  # one too many
        ([row("pears", None), PLUMS, MELON], (9, 9, 8, 8)),
        ([], (9, 0, 0, 0)),
        ([{"name": "plums"}], (9, 3, 0, 1)),
        (["pears"], (9, 3, 0, 0)),
        ({"name": "pears"}, (9, 0, 0, 0)),
        (None, (9, 0, 0, 0)),
    ],
)
def test_leaves_by_position_and_aligned(answer: Any, expected: tuple[int, int, int, int]):
    assert counts(array(GOLD, answer)) == expected


def test_numbers_of_items():
    for answer, exact, near in [(GOLD, True, True), (GOLD[:2], False, True), (GOLD[:1], False, False)]:
        found = array(GOLD, answer)
        assert (found.exact, found.near, found.right) == (exact, near, exact)
    assert not array(GOLD, [MELON, PEARS, PLUMS]).right
    silent = array(GOLD, None)
    assert (silent.gold, silent.answer, silent.exact, silent.near) == (3, None, False, False)
    empty = array([], [])
    assert empty.exact
    assert empty.right
    assert not array([], "nothing").exact  # what is no list is no empty list


def test_leaves_by_mode():
    found = array(GOLD, [row("pears", 1.2, False), row("prunes", 0.8)])
    assert found.leaves == {
        "extract.span": LeafCounts(3, 2, 1, 1),
        "extract.number": LeafCounts(3, 2, 2, 2),
        "decide.noul": LeafCounts(3, 2, 1, 1),
    }


def test_plain_items():
    found = array(["fresh", "cheap", "local"], ["cheap", "local", "ripe"], TAGS)
    assert found.leaves == {"extract.span": LeafCounts(3, 3, 0, 2)}


def test_the_gold_of_an_item_may_stand_in_several_places():
    made = record(
        "1",
        TEXT,
        {"a": TAGS},
        {"a": ["fresh"]},
        spans={"/a/0": (70, 75)},
        span_alternatives={"/a/0": [(77, 82)]},
    )
    assert TEXT[77:82] == "cheap"
    assert scored(made, {"a": ["cheap"]}).arrays[0].counts.aligned == 1
    by_place = scored(made, {"a": ["other", "Fresh!"]}, spans={"/a/1": (70, 75)})
    assert by_place.arrays[0].counts.aligned == 1
    assert by_place.arrays[0].counts.by_position == 0


def test_a_null_that_is_right_counts_and_a_decide_leaf_without_gold_does_not():
    gold = [{"name": "pears", "price": None}]
    made = record("1", TEXT, {"a": {**ROWS, "items": {**ROWS["items"], "required": ["name"]}}}, {"a": gold})
    (found,) = scored(made, {"a": [row("pears", None)]}).arrays
    assert counts(found) == (2, 2, 2, 2)
    (found,) = scored(made, {"a": [row("pears", None), row("plums", None)]}).arrays
    assert counts(found) == (2, 5, 2, 2)


def test_an_array_that_the_gold_leaves_out_is_empty():
    made = record("1", TEXT, {"a": TAGS, "b": {"type": "boolean"}}, {"b": True}, required=["b"])
    assert scored(made, {"a": [], "b": True}).arrays[0].exact
    wrong = scored(made, {"a": ["fresh"], "b": True})
    assert (wrong.arrays[0].gold, wrong.arrays[0].answer, counts(wrong.arrays[0])) == (0, 1, (0, 1, 0, 0))
    assert [field.pointer for field in wrong.fields] == ["/b"]


def test_written_texts_in_items_are_not_scored():
    items = {"type": "object", "properties": {"n": {"type": "number"}, "t": {"type": "string", "x-generate": True}}}
    schema = {"type": "array", "items": items}
    found = array([{"n": 2, "t": "x"}], [{"n": 2, "t": "y"}], schema)
    assert counts(found) == (1, 1, 1, 1)
    written = {"type": "array", "items": {"type": "string", "x-generate": True}}
    assert scored(record("1", TEXT, {"a": written}, {"a": ["x"]}), {"a": []}).arrays == ()


# Nested arrays

BOXES = {
    "type": "array",
    "items": {"type": "object", "properties": {"box": {"type": "string"}, "tags": TAGS}, "required": ["box", "tags"]},
}


def box(name: str, *tags: str) -> dict[str, Any]:
    return {"box": name, "tags": list(tags)}


def nested(gold: Any, answer: Any) -> dict[str, ArrayOutcome]:
    made = record("1", TEXT, {"a": BOXES}, {"a": gold})
    return {found.pointer: found for found in scored(made, {"a": answer}).arrays}


def test_children_are_aligned_within_aligned_parents():
    found = nested([box("A", "fresh", "cheap"), box("B", "local")], [box("B", "local"), box("A", "cheap", "fresh")])
    assert list(found) == ["/a", "/a/0/tags", "/a/1/tags"]
    assert [one.depth for one in found.values()] == [0, 1, 1]
    assert counts(found["/a"]) == (2, 2, 0, 2)
    assert found["/a/0/tags"].exact
    assert counts(found["/a/0/tags"]) == (2, 2, 0, 2)
    assert counts(found["/a/1/tags"]) == (1, 1, 0, 1)


def test_parents_are_known_by_their_children_too():
    """Neither box has its name right, so their tags decide."""
    found = nested([box("A", "fresh"), box("B", "local")], [box("X", "local"), box("Y", "fresh", "cheap")])
    assert counts(found["/a"]) == (2, 2, 0, 0)
    assert (found["/a/0/tags"].gold, found["/a/0/tags"].answer) == (1, 2)
    assert counts(found["/a/1/tags"]) == (1, 1, 0, 1)


def test_children_of_missing_and_of_extra_parents():
    missing = nested([box("A", "fresh"), box("B", "local")], [box("B", "local")])
    assert missing["/a/0/tags"].answer is None
    assert not missing["/a/0/tags"].exact
    assert counts(missing["/a/0/tags"]) == (1, 0, 0, 0)
    made = record("1", TEXT, {"a": BOXES}, {"a": [box("B", "local")]})
    extra = scored(made, {"a": [box("A", "fresh", "cheap"), box("B", "local")]}).arrays
    spurious = [one for one in extra if one.gold is None]
    assert [(one.pointer, one.depth, counts(one)) for one in spurious] == [("/a/0/tags", 1, (0, 2, 0, 0))]


def test_arrays_of_arrays():
    grid = {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}
    made = record("1", TEXT, {"a": grid}, {"a": [[1.2, 2], [3]]})
    found = {one.pointer: counts(one) for one in scored(made, {"a": [[3], [2, 1.2]]}).arrays}
    assert found == {"/a": (0, 0, 0, 0), "/a/0": (2, 2, 0, 2), "/a/1": (1, 1, 0, 1)}


# The assignment


@given(
    st.integers(0, 5).flatmap(
        lambda columns: st.lists(st.lists(st.integers(-3, 9), min_size=columns, max_size=columns), max_size=5)
    )
)
def test_no_pairing_is_better(weights: list[list[int]]):
    rows, columns = len(weights), len(weights[0]) if weights else 0
    found = best_assignment(weights)
    used = [column for column in found if column is not None]
    assert len(found) == rows
    assert len(used) == len(set(used)) == min(rows, columns)
    total = sum(weights[row][column] for row, column in enumerate(found) if column is not None)
    if rows <= columns:
        options = ([(r, c) for r, c in enumerate(chosen)] for chosen in itertools.permutations(range(columns), rows))
    else:
        options = ([(r, c) for c, r in enumerate(chosen)] for chosen in itertools.permutations(range(rows), columns))
    assert total == max(sum(weights[r][c] for r, c in pairs) for pairs in options)


@given(st.permutations(range(6)), st.integers(0, 6))
def test_the_order_of_items_does_not_count_but_what_is_missing_does(order: list[int], kept: int):
    items = [row(name, price) for name, price in zip("abcdef", (1, 2, 3, 4, 5, 6), strict=True)]
    found = array(items, [items[index] for index in order[:kept]])
    assert counts(found)[3] == 3 * kept
    assert found.exact == (kept == 6)


@given(st.lists(st.sampled_from(["x", "y", "z"]), max_size=6), st.lists(st.sampled_from(["x", "y", "z"]), max_size=6))
def test_bounds(gold: list[str], answer: list[str]):
    found = array(gold, answer, TAGS)
    both = sum(min(gold.count(word), answer.count(word)) for word in "xyz")
    assert counts(found) == (len(gold), len(answer), sum(a == b for a, b in zip(gold, answer, strict=False)), both)
    assert found.right == (gold == answer)


# Figures


def outcomes() -> list[Any]:
    made = [record(str(k), TEXT, {"a": ROWS}, {"a": GOLD}, source=source) for k, source in enumerate("xxy")]
    answers = [GOLD, GOLD[:2], [*GOLD, MELON]]
    return [scored(one, {"a": answer}) for one, answer in zip(made, answers, strict=True)]


def test_figures_by_source_and_depth():
    summary = summarise(outcomes(), resamples=50)
    top = summary["sources"]["x"]["arrays"]["top-level"]
    assert top["count_exact"]["value"] == 0.5
    assert top["count_within_1"]["value"] == 1.0
    assert top["right"]["value"] == 0.5
    leaves = top["leaves"]["all"]
    assert leaves["em_aligned"]["value"] == pytest.approx(15 / 18)
    assert leaves["precision"]["value"] == 1.0
    assert leaves["f1"]["value"] == pytest.approx(2 * 15 / (18 + 15))
    assert leaves["f1"]["n"] == 18
    assert 0 < leaves["f1"]["low"] < leaves["f1"]["value"] <= leaves["f1"]["high"]
    assert set(top["leaves"]) == {"all", "decide", "extract", "noul", "span", "number"}
    assert summary["micro"]["arrays"]["all"]["leaves"]["all"]["precision"]["value"] == pytest.approx(24 / 27)
    macro = summary["macro"]["arrays"]["top-level"]["count_exact"]
    assert (macro["value"], macro["n"]) == (0.25, 2)
    assert "nested" not in summary["micro"]["arrays"]
    # Nothing stands outside the arrays, so nothing is counted there.
    assert summary["micro"]["modes"] == {}


def test_fields_outside_arrays_keep_their_figures():
    properties = {"a": ROWS, "b": {"type": "boolean"}}
    with_arrays = [record(str(k), TEXT, properties, {"a": GOLD, "b": k % 2 == 0}) for k in range(6)]
    without = [record(str(k), TEXT, {"b": properties["b"]}, {"b": k % 2 == 0}) for k in range(6)]
    first = summarise([scored(one, {"a": [], "b": True}) for one in with_arrays])
    second = summarise([scored(one, {"b": True}) for one in without])
    assert first["micro"]["modes"] == second["micro"]["modes"]
    assert first["micro"]["modes"]["all"]["records_right"]["value"] == 0.5


def test_extra_nested_arrays_cost_precision_and_nothing_else():
    made = record("1", TEXT, {"a": BOXES}, {"a": [box("B", "local")]})
    summary = summarise([scored(made, {"a": [box("A", "fresh"), box("B", "local")]})], resamples=10)
    inner = summary["micro"]["arrays"]["nested"]
    assert inner["count_exact"] == {**inner["count_exact"], "value": 1.0, "n": 1}
    assert inner["leaves"]["all"]["em_aligned"]["value"] == 1.0
    assert inner["leaves"]["all"]["precision"]["value"] == 0.5


def test_a_comparison_of_arrays_is_paired():
    found = compare(outcomes(), outcomes()[::-1])
    assert found["micro"]["array count"]["difference"] == 0
    better = [scored(record(str(k), TEXT, {"a": ROWS}, {"a": GOLD}), {"a": GOLD}) for k in range(12)]
    worse = [scored(record(str(k), TEXT, {"a": ROWS}, {"a": GOLD}), {"a": GOLD[:2]}) for k in range(12)]
    found = compare(better, worse)["micro"]
    assert found["array count"]["difference"] == 1
    assert found["array leaves"]["difference"] == pytest.approx(1 / 3)
    assert found["array leaves"]["above_zero"]
    assert found["array leaf F1"]["difference"] == pytest.approx(1 - 2 * 6 / (9 + 6))
    assert found["array leaf F1"]["n"] == 12 * 9


def test_more_items_than_there_are_do_not_win():
    """An answer that has every item, and as many that are none, finds all leaves, and is worse for it."""
    made = [record(str(k), TEXT, {"a": TAGS}, {"a": ["fresh", "cheap"]}) for k in range(12)]
    many = [scored(one, {"a": ["fresh", "ripe", "cheap", "melon", "plums"]}) for one in made]
    few = [scored(one, {"a": ["fresh", "local"]}) for one in made]
    found = compare(many, few)["micro"]
    assert found["array leaves"]["difference"] == 0.5
    assert found["array leaf F1"]["difference"] == pytest.approx(2 * 2 / 7 - 2 * 1 / 4)


def test_tables():
    summary = summarise(outcomes(), resamples=20)
    body = array_rows(summary)
    assert all(len(line) == len(ARRAY_COLUMNS) for line in body)
    assert [line[:3] for line in body] == [
        ("x", "top-level", "2"),
        ("y", "top-level", "1"),
        ("all arrays", "top-level", "3"),
        ("all arrays", "decide leaves", ""),
        ("all arrays", "extract leaves", ""),
        ("mean of sources", "top-level", "2"),
    ]
    both = nested_summary()
    assert [line[1] for line in array_rows(both) if line[0] == "made"] == ["top-level", "nested", "all"]
    decoders = {"one": {"micro": both["micro"]["arrays"]}, "two": {"micro": both["micro"]["arrays"]}}
    lines = decoder_rows(decoders)
    assert all(len(line) == len(DECODER_COLUMNS) for line in lines)
    assert [line[0] for line in lines] == ["one"] * 3 + ["two"] * 3
    assert lines[2][-1] == "0.00"
    assert array_rows(summarise([])) == []


def nested_summary() -> dict[str, Any]:
    made = record("1", TEXT, {"a": BOXES}, {"a": [box("B", "local")]})
    return summarise([scored(made, {"a": [box("B", "local")]})], resamples=10)
