"""Which items exist and under which pointers their values stand (SPEC 4 and 12.6)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from deg_core.engine.rounds import SPECULATED
from deg_core.engine.settle import Settled
from deg_core.errors import FillError
from tests.unit.engine.scripted import Fork, Scripted, array, document, scripted

TEXT = "Orders. Ann buys 3 tea, 4 milk. Bob buys 1 salt. Cleo buys 5 figs, 6 nuts."
NAMES = ["Ann", "Bob", "Cleo"]
WORD, YES = {"type": "string"}, {"type": "boolean"}
GOODS = document(what=WORD, many={"type": "integer"})
SCHEMA = document(day={"type": ["string", "null"]}, rows=array(document(goods=array(GOODS), name=WORD)), ok=YES)
SAYS = {
    "/day": None,
    "/ok": True,
    "anchor /rows": NAMES,
    "/rows/*/name": lambda fork: fork.first(r"[A-Z]\w+"),
    "anchor /rows/*/goods": lambda fork: re.findall(r"\d \w+", fork.words),
    "/rows/*/goods/*/what": lambda fork: fork.first(r"[a-z]\w+"),
    "/rows/*/goods/*/many": lambda fork: fork.first(r"\d"),
}
ALL = {"Ann": ["tea", "milk"], "Bob": ["salt"], "Cleo": ["figs", "nuts"]}


def lacking(*missing: tuple[str, str]) -> Callable[[str, str], bool]:
    """Leaves without a value: the pointer's last name, and words of the item's line."""
    return lambda pointer, item: any(pointer.endswith(f"/{name}") and words in item for name, words in missing)


def goods(value: dict[str, Any]) -> dict[str, list[str]]:
    return {row["name"]: [one["what"] for one in row["goods"]] for row in value["rows"]}


@pytest.fixture(scope="module")
def done() -> Scripted:
    return scripted(TEXT, SCHEMA, SAYS)


def with_bounds(rows: dict[str, Any], inner: dict[str, Any]) -> Scripted:
    return scripted(TEXT, document(rows=array(document(goods=array(GOODS, **inner), name=WORD), **rows)), SAYS)


def pairs(settled: Settled) -> dict[str, Any]:
    return {name: (settled.values[name], settled.meta[name]) for name in settled.values}


# What exists


def test_nothing_is_dropped_where_nothing_lacks(done: Scripted):
    settled = done.settled()
    assert goods(done.value(settled)) == ALL
    assert settled.meta["/rows"].as_dict() == {"mode": "array", "items": 3}
    assert settled.meta["/rows/1/goods"].as_dict() == {"mode": "array", "items": 1}
    assert settled.items == {"/rows": 3, "/rows/0/goods": 2, "/rows/1/goods": 1, "/rows/2/goods": 2}


def test_the_innermost_item_is_dropped(done: Scripted):
    settled = done.settled(lacking(("many", "4 milk")))
    assert goods(done.value(settled)) == ALL | {"Ann": ["tea"]}
    assert settled.meta["/rows/0/goods"].as_dict() == {"mode": "array", "items": 1, "dropped": 1}
    assert settled.meta["/rows"].dropped is None


def test_an_item_goes_with_all_that_it_holds(done: Scripted):
    settled = done.settled(lacking(("name", "Bob")))
    assert goods(done.value(settled)) == {name: ALL[name] for name in ("Ann", "Cleo")}
    assert settled.meta["/rows"].as_dict() == {"mode": "array", "items": 2, "dropped": 1}
    assert not [name for name in settled.meta if name.startswith("/rows/2")]
    assert "salt" not in settled.values.values()


def test_survivors_are_renumbered_and_otherwise_as_they_were(done: Scripted):
    before, after = done.settled(), done.settled(lacking(("what", "3 tea"), ("name", "Bob")))
    moved = {
        "/rows/0/name": "/rows/0/name",
        "/rows/0/goods/0/what": "/rows/0/goods/1/what",
        "/rows/0/goods/0/many": "/rows/0/goods/1/many",
        "/rows/1/name": "/rows/2/name",
        "/rows/1/goods/0/what": "/rows/2/goods/0/what",
        "/rows/1/goods/1/many": "/rows/2/goods/1/many",
        "/ok": "/ok",
    }
    found, wanted = pairs(after), pairs(before)
    for new, old in moved.items():
        assert found[new] == wanted[old]
        assert after.raws[new] is before.raws[old]  # nothing is asked again
    assert len(found) == len(wanted) - 2 - 3  # tea's two leaves, and Bob with one good


def test_all_items_may_go(done: Scripted):
    settled = done.settled(lacking(("name", "")))
    assert done.value(settled)["rows"] == []
    assert settled.meta["/rows"].as_dict() == {"mode": "array", "items": 0, "dropped": 3}


def test_several_missing_leaves_drop_an_item_once(done: Scripted):
    settled = done.settled(lacking(("what", "salt"), ("many", "salt"), ("name", "Bob")))
    assert settled.meta["/rows"].dropped == 1


# minItems


def test_an_array_that_drops_leave_too_short_drops_the_item_around():
    short = with_bounds({}, {"minItems": 2, "maxItems": 2})
    settled = short.settled(lacking(("what", "nuts")))
    assert list(goods(short.value(settled))) == ["Ann", "Bob"]
    assert settled.meta["/rows"].as_dict() == {"mode": "array", "items": 2, "dropped": 1}
    assert settled.meta["/rows/0/goods"].dropped is None


def test_a_top_level_array_that_is_left_too_short_is_a_failure():
    short = with_bounds({"minItems": 3}, {})
    settled = short.settled(lacking(("name", "Ann"), ("name", "Cleo")))
    (failure,) = settled.failures
    assert failure.pointer == "/rows"
    assert failure.message == "/rows: minItems 3: only 1 items have their required values"
    assert not settled.values
    with pytest.raises(FillError):
        short.value(settled)


def test_a_drop_goes_up_as_far_as_it_has_to():
    short = with_bounds({"minItems": 3}, {"minItems": 1})
    (failure,) = short.settled(lacking(("many", "salt"))).failures
    assert failure.message == "/rows: minItems 3: only 2 items have their required values"
    assert goods(short.value(short.settled(lacking(("many", "nuts"))))) == ALL | {"Cleo": ["figs"]}


def test_an_item_without_room_for_its_own_array_is_dropped():
    text = "Ann Bob buys 1 salt, 2 figs."  # one token or two for Ann: no room for three goods
    schema = document(rows=array(document(name=WORD, goods=array(GOODS, minItems=3))))
    done = scripted(text, schema, SAYS | {"anchor /rows": ["Ann", "Bob"]})
    settled = done.settled()
    assert [row["name"] for row in done.value(settled)["rows"]] == ["Bob"]
    assert settled.meta["/rows"].dropped == 1


def test_a_text_without_room_for_a_top_level_array_is_a_failure():
    done = scripted("Ann.", document(rows=array(WORD, minItems=50)), {"anchor /rows": ["Ann"], "/rows/*": "Ann"})
    (failure,) = done.settled().failures
    assert failure.pointer == "/rows"
    assert re.search(r"minItems 50: .*only \d items", failure.message)


# Leaves that may be missing


def test_nullable_and_optional_leaves_drop_nothing():
    item = document(["name", "mail"], name=WORD, mail={"type": ["string", "null"], "format": "email"}, age=WORD)
    says = SAYS | {"/rows/*/mail": None, "/rows/*/age": None}
    done = scripted(TEXT, document(rows=array(item)), says)
    settled = done.settled()
    assert done.value(settled) == {"rows": [{"name": name, "mail": None} for name in NAMES]}
    assert settled.meta["/rows/2/mail"].null_reason == "not_found"
    assert settled.meta["/rows"].dropped is None
    assert [name for name in settled.order if name.startswith("/rows/0")] == [
        "/rows/0/name",
        "/rows/0/mail",
        "/rows/0/age",
    ]


@pytest.mark.parametrize(("margin", "found"), [(-30.0, True), (0.0, True), (30.0, False)])
def test_the_null_margin_is_for_leaves_in_items_too(margin: float, found: bool):
    item = document(["name", "many"], name=WORD, many={"type": ["integer", "null"]}, good=WORD)
    says = SAYS | {"/rows/*/many": lambda fork: fork.first(r"\d"), "/rows/*/good": lambda fork: fork.first("[a-z]+")}
    rows = scripted(TEXT, document(rows=array(item)), says, null_margin=margin).value()["rows"]
    assert [row["name"] for row in rows] == NAMES  # what must have a value is not touched
    assert [row["many"] for row in rows] == ([3, 1, 5] if found else [None] * 3)
    assert all(("good" in row) is found for row in rows)


def test_items_that_are_leaves_are_dropped_or_null():
    mail = {"type": "string", "format": "email"}
    says = SAYS | {"/rows/*": None}
    done = scripted(TEXT, document(rows=array(mail)), says)
    settled = done.settled()
    assert done.value(settled) == {"rows": []}
    assert settled.meta["/rows"].as_dict() == {"mode": "array", "items": 0, "dropped": 3}
    (failure,) = scripted(TEXT, document(rows=array(mail, minItems=1)), says).settled().failures
    assert failure.message == "/rows: minItems 1: only 0 items have their required values"
    nullable = array(mail | {"type": ["string", "null"]}, minItems=1)
    assert scripted(TEXT, document(rows=nullable), says).value() == {"rows": [None] * 3}


def test_outside_items_a_missing_value_stays_a_failure():
    schema = document(total={"type": "number"}, mail=WORD | {"format": "email"}, rows=array(WORD, minItems=9))
    says = {"/total": None, "/mail": None, "anchor /rows": [], "/rows/*": None}
    settled = scripted("words alone", schema, says).settled()
    assert [failure.pointer for failure in settled.failures] == ["/total", "/mail", "/rows"]
    assert not settled.values
    assert not settled.wanted


def test_equal_items_where_they_must_differ_are_refused_at_the_end():
    schema = document(rows=array(WORD, uniqueItems=True))
    with pytest.raises(FillError, match="non-unique"):
        scripted(TEXT, schema, SAYS | {"/rows/*": "Ann"}).value()
    assert scripted(TEXT, schema, SAYS | {"/rows/*": lambda fork: fork.first(r"\w+")}).value() == {"rows": NAMES}


# Index-addressed items


def indexed(schema: dict[str, Any], says: dict[str, Any], **options: Any) -> Scripted:
    return scripted(TEXT, schema, says, anchors=False, **options)


def test_index_addressed_items_are_dropped_alike():
    says: dict[str, Any] = {"count /rows": 3}
    for row in range(SPECULATED):
        says |= {f"/rows/{row}/name": NAMES[row % 3], f"/rows/{row}/many": "3"}
    done = indexed(document(rows=array(document(name=WORD, many={"type": "integer"}))), says)
    before, after = done.settled(), done.settled(lambda pointer, item: pointer == "/rows/1/many")
    assert [row["name"] for row in done.value(after)["rows"]] == ["Ann", "Cleo"]
    assert after.meta["/rows"].as_dict() == {"mode": "array", "items": 2, "dropped": 1}
    assert after.raws["/rows/1/name"] is before.raws["/rows/2/name"]  # its fork still says ITEM 2 of


def test_only_counted_items_are_settled():
    says: dict[str, Any] = {"count /rows": 1}
    says |= {f"/rows/{row}": "Ann" for row in range(SPECULATED)}
    done = indexed(document(rows=array(WORD)), says)
    settled = done.settled(lambda pointer, item: pointer != "/rows/0")  # what was asked too much does not count
    assert done.value(settled) == {"rows": ["Ann"]}
    assert settled.meta["/rows"].dropped is None


# Order, and texts to be written


def test_everything_stands_in_schema_order(done: Scripted):
    settled = done.settled(lacking(("name", "Ann"), ("name", "Bob")))
    assert settled.order == [
        "/day",
        "/rows",
        "/rows/0/goods",
        "/rows/0/goods/0/what",
        "/rows/0/goods/0/many",
        "/rows/0/goods/1/what",
        "/rows/0/goods/1/many",
        "/rows/0/name",
        "/ok",
    ]
    assert set(settled.order) == set(settled.meta)
    assert [name for name, _ in settled.known()] == [name for name in settled.order if name in settled.values]


NOTE = {"type": "string", "x-generate": True}


def test_texts_are_wanted_for_survivors_alone():
    item = document(name=WORD, note=NOTE, lines=array(NOTE))
    says = SAYS | {"count /rows/*/lines": 2}
    done = scripted(TEXT, document(rows=array(item), summary=NOTE), says)
    settled = done.settled(lacking(("name", "Ann")))
    assert [wanted.pointer for wanted in settled.wanted] == [
        "/rows/0/note",
        "/rows/0/lines/0",
        "/rows/0/lines/1",
        "/rows/1/note",
        "/rows/1/lines/0",
        "/rows/1/lines/1",
        "/summary",
    ]
    places = settled.wanted[1].places
    assert places[0].at is not None
    assert places[0].at.startswith("Bob")
    assert (places[0].index, places[1].at, places[1].index) == (None, None, 0)
    assert settled.known() == [("/rows/0/name", "Bob"), ("/rows/1/name", "Cleo")]


def test_texts_in_index_addressed_items_have_the_new_index():
    says: dict[str, Any] = {"count /rows": 3}
    for row in range(SPECULATED):
        says |= {f"/rows/{row}/name": NAMES[row % 3], f"count /rows/{row}/lines": 1}
    item = document(name=WORD, lines=array(NOTE))
    done = indexed(document(rows=array(item)), says)
    settled = done.settled(lambda pointer, item: pointer == "/rows/0/name")
    assert [wanted.pointer for wanted in settled.wanted] == ["/rows/0/lines/0", "/rows/1/lines/0"]
    for number, wanted in enumerate(settled.wanted):
        assert [(place.array, place.index) for place in wanted.places] == [
            ("/rows", number),
            (f"/rows/{number}/lines", 0),
        ]


def test_settling_is_pure(done: Scripted):
    lacks = lacking(("what", "figs"), ("name", "Ann"))
    first, second = done.settled(lacks), done.settled(lacks)
    assert (first.values, first.meta, first.order) == (second.values, second.meta, second.order)
    assert goods(done.value()) == ALL


def test_a_scripted_fork_knows_its_region(done: Scripted):
    """The helper that all of the above rests on."""
    fork: Fork = done.rounds[1][1]
    assert (fork.key, fork.first(r"\w+")) == ("anchor /rows/*/goods", "Ann")
