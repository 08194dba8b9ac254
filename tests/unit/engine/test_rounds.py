"""What is asked in which round, and which items that gives (SPEC 3, 4, 12.1, 12.2, 12.6)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
import torch

from deg_core.engine.rounds import INDEX_CAP, SPECULATED
from deg_core.protocols.head import MAX_COUNT, ArrayQuery
from deg_core.rendering.places import LOCATOR_TOKENS
from tests.unit.engine.scripted import RENDERER, Fork, Scripted, array, document, scripted

YES = {"type": "boolean"}
TEXT = "Orders. Ann buys 3 tea, 4 milk. Bob buys 1 salt. Cleo buys nothing. Total 8."
ROWS = document(rows=array(document(name={"type": "string"}, many={"type": ["integer", "null"]})))
NAMES = ["Ann", "Bob", "Cleo"]


def name(fork: Fork) -> str | None:
    return fork.first(r"[A-Z]\w+")


def many(fork: Fork) -> str | None:
    return fork.first(r"\d+")


SAYS = {"anchor /rows": NAMES, "count /rows": 3, "/rows/*/name": name, "/rows/*/many": many}


def words(done: Scripted, region: tuple[int, int] | None) -> str:
    assert region is not None
    offsets = done.run.context.layout.offsets
    return TEXT[offsets[region[0]][0] : offsets[region[1] - 1][1]]


# Index-addressed arrays


def flags(count: Any, *, anchors: bool = True, **array_keywords: Any) -> dict[str, Any]:
    says = {"count /flags": count} | {f"/flags/{index}": index % 2 == 0 for index in range(MAX_COUNT)}
    return {"schema": document(flags=array(YES, **array_keywords)), "says": says, "anchors": anchors}


@pytest.mark.parametrize("anchors", [True, False])
def test_an_array_without_extracted_leaves_is_addressed_by_index(anchors: bool):
    done = scripted(TEXT, **flags(3, anchors=anchors))
    assert done.keys() == [["count /flags", *(f"/flags/{index}" for index in range(SPECULATED))]]
    fork = done.forks[3]
    assert fork.lines[:2] == ["FIELD /flags/2", "ITEM 2 of /flags"]
    assert all(fork.ask.region is None for fork in done.forks)
    assert done.value() == {"flags": [True, False, True]}


@pytest.mark.parametrize("count", [0, 1, 7, 8])
def test_items_up_to_eight_are_asked_with_the_count(count: int):
    done = scripted(TEXT, **flags(count))
    assert len(done.rounds) == 1
    assert len(done.value()["flags"]) == count


@pytest.mark.parametrize("count", [9, 20])
def test_items_beyond_eight_are_asked_once_they_are_counted(count: int):
    done = scripted(TEXT, **flags(count))
    assert done.keys()[1:] == [[f"/flags/{index}" for index in range(SPECULATED, count)]]
    assert done.value() == {"flags": [index % 2 == 0 for index in range(count)]}
    assert done.run.tokens == sum(len(fork.ask.layout.ids) for fork in done.forks)


def test_no_more_are_asked_than_there_may_be():
    done = scripted(TEXT, **flags(2, maxItems=2))
    assert done.keys() == [["count /flags", "/flags/0", "/flags/1"]]
    assert scripted(TEXT, **flags(0, maxItems=0)).keys() == [["count /flags"]]
    assert scripted(TEXT, **flags(1), max_items=1).keys() == [["count /flags", "/flags/0"]]


RISING = torch.arange(float(MAX_COUNT + 1))


@pytest.mark.parametrize(
    ("keywords", "options", "count"),
    [
        ({}, {}, INDEX_CAP),
        ({"maxItems": 5}, {}, 5),
        ({"maxItems": 50}, {}, 50),
        ({"maxItems": 500}, {}, MAX_COUNT),
        ({}, {"max_items": 5}, 5),
        ({}, {"max_items": 40}, 40),
        ({"maxItems": 6}, {"max_items": 2}, 6),
        ({"maxItems": 0}, {}, 0),
        ({"minItems": 40}, {}, 40),
    ],
)
def test_the_greatest_count_is_that_of_the_schema_the_request_or_the_head(
    keywords: dict[str, Any], options: dict[str, Any], count: int
):
    assert len(scripted(TEXT, **flags(RISING, **keywords), **options).value()["flags"]) == count


def test_the_count_is_not_below_min_items_and_the_smaller_of_equals():
    assert len(scripted(TEXT, **flags(0, minItems=2)).value()["flags"]) == 2
    assert len(scripted(TEXT, **flags(-RISING, minItems=3)).value()["flags"]) == 3
    assert len(scripted(TEXT, **flags(torch.zeros(MAX_COUNT + 1))).value()["flags"]) == 0
    low = torch.zeros(MAX_COUNT + 1)
    low[[2, 4, 9]] = torch.tensor([1.0, 1.0, 5.0])
    assert len(scripted(TEXT, **flags(low, maxItems=8)).value()["flags"]) == 2


def test_more_items_than_a_head_can_count_are_a_failure():
    (failure,) = scripted(TEXT, **flags(RISING, minItems=MAX_COUNT + 1)).settled().failures
    assert failure.pointer == "/flags"
    assert f"minItems {MAX_COUNT + 1}" in str(failure)
    assert str(MAX_COUNT) in str(failure).replace(f"minItems {MAX_COUNT + 1}", "")


def test_arrays_in_items_of_arrays_are_resolved_level_by_level():
    schema = document(rows=array(document(ok=YES, inner=array(YES))))
    says = {"count /rows": 2}
    for row in range(SPECULATED):
        says |= {f"/rows/{row}/ok": True, f"count /rows/{row}/inner": row + 1}
        says |= {f"/rows/{row}/inner/{index}": bool(row) for index in range(SPECULATED)}
    done = scripted(TEXT, schema, says)
    first, second = done.keys()
    assert first == ["count /rows", *(f"/rows/{row}/ok" for row in range(SPECULATED))]
    wanted = [[f"count /rows/{row}/inner", *(f"/rows/{row}/inner/{n}" for n in range(SPECULATED))] for row in range(2)]
    assert second == wanted[0] + wanted[1]
    fork = done.rounds[1][-1]
    assert fork.places == ["ITEM 1 of /rows", f"ITEM {SPECULATED - 1} of /rows/1/inner"]
    assert done.value() == {"rows": [{"ok": True, "inner": [False]}, {"ok": True, "inner": [True, True]}]}


def test_an_index_model_reads_extracted_items_by_index_too():
    says = {"count /rows": 2}
    for row in range(SPECULATED):
        says |= {f"/rows/{row}/name": NAMES[row % 3], f"/rows/{row}/many": None}
    done = scripted(TEXT, ROWS, says, anchors=False)
    assert all(fork.ask.query is not ArrayQuery.ANCHOR and fork.ask.region is None for fork in done.forks)
    assert done.value() == {"rows": [{"name": "Ann", "many": None}, {"name": "Bob", "many": None}]}


def test_short_texts_are_read_by_index():
    tokens = len(RENDERER.trunk(TEXT).offsets)
    by_index = {f"/rows/{row}/name": "Ann" for row in range(SPECULATED)}
    says = SAYS | by_index | {f"/rows/{row}/many": None for row in range(SPECULATED)}
    short = scripted(TEXT, ROWS, says, anchor_min_tokens=tokens + 1)
    assert short.keys()[0][0] == "count /rows"
    assert len(short.rounds) == 1
    long_enough = scripted(TEXT, ROWS, says, anchor_min_tokens=tokens)
    assert long_enough.keys()[0] == ["anchor /rows"]
    assert [row["name"] for row in long_enough.value()["rows"]] == NAMES


# Anchored arrays


@pytest.mark.parametrize(("decoder", "counts"), [("threshold", False), ("count_peaks", True), ("hybrid", True)])
def test_anchors_first_then_the_items_that_they_gave(decoder: str, counts: bool):
    done = scripted(TEXT, ROWS, SAYS, decoder=decoder)
    first, second = done.keys()
    assert first == ["anchor /rows", *(["count /rows"] if counts else [])]
    assert second == ["/rows/*/name", "/rows/*/many"] * 3
    assert done.value()["rows"] == [
        {"name": "Ann", "many": 3},
        {"name": "Bob", "many": 1},
        {"name": "Cleo", "many": 8},
    ]


def test_a_region_runs_to_the_next_sibling_and_the_last_to_the_end():
    done = scripted(TEXT, ROWS, SAYS)
    regions = [fork.ask.region for fork in done.rounds[1][::2]]
    assert done.rounds[0][0].ask.region == (0, len(done.run.context.layout.offsets))
    assert all(a[1] == b[0] for a, b in pairwise(regions))
    assert [words(done, region).split()[0] for region in regions] == NAMES
    assert words(done, regions[-1]).strip() == "Cleo buys nothing. Total 8."


def test_an_anchored_fork_says_where_and_never_which():
    done = scripted(TEXT, ROWS, SAYS)
    for fork, start in zip(done.rounds[1][::2], NAMES, strict=True):
        assert fork.lines[0] == "FIELD /rows/*/name"
        (place,) = fork.places
        assert place.startswith(f'ITEM /rows AT: "{start}')
    texts = ["\n".join(fork.lines) for fork in done.rounds[1]]
    assert not any(re.search(r"ITEM \d|/rows/\d", text) for text in texts)


def test_a_locator_is_at_most_24_tokens_and_ends_with_the_region():
    text = "Ann buys tea. Bob " + "buys more and " * 30 + "that is all."
    done = scripted(text, ROWS, SAYS | {"anchor /rows": ["Ann", "Bob"], "/rows/*/many": None})
    offsets = done.run.context.layout.offsets
    for fork in done.rounds[1][::2]:
        start, stop = fork.ask.region
        end = offsets[min(start + LOCATOR_TOKENS, stop) - 1][1]
        quoted = " ".join(text[offsets[start][0] : end].split())
        assert fork.places == [f'ITEM /rows AT: "{quoted}"']
    assert done.rounds[1][0].places[0].rstrip('" ').endswith("tea.")


def test_decided_leaves_of_an_item_have_its_place_and_no_region():
    schema = document(rows=array(document(name={"type": "string"}, ok=YES)))
    done = scripted(TEXT, schema, SAYS | {"/rows/*/ok": lambda fork: "Bob" in fork.places[0]})
    assert [fork.ask.region is None for fork in done.rounds[1]] == [False, True] * 3
    assert [row["ok"] for row in done.value()["rows"]] == [False, True, False]


def test_the_forks_of_an_item_do_not_depend_on_its_siblings():
    alone = scripted(TEXT, ROWS, SAYS | {"anchor /rows": ["Cleo"]})
    among = scripted(TEXT, ROWS, SAYS)
    assert [fork.ask.layout for fork in alone.rounds[1]] == [fork.ask.layout for fork in among.rounds[1][-2:]]
    assert [fork.ask.region for fork in alone.rounds[1]] == [fork.ask.region for fork in among.rounds[1][-2:]]


NESTED = document(
    rows=array(document(name={"type": "string"}, goods=array(document(what={"type": "string"}, fresh=YES))))
)
NESTED_SAYS = SAYS | {
    "anchor /rows/*/goods": lambda fork: re.findall(r"\d (\w+)", fork.words),
    "/rows/*/goods/*/what": lambda fork: fork.first(r"\w+"),
    "/rows/*/goods/*/fresh": True,
}


def test_a_nested_array_searches_in_its_item_alone():
    done = scripted(TEXT, NESTED, NESTED_SAYS)
    assert done.keys()[1] == ["/rows/*/name", "anchor /rows/*/goods"] * 3
    for item, inner in zip(done.rounds[1][::2], done.rounds[1][1::2], strict=True):
        assert inner.ask.region == item.ask.region
        assert inner.places == item.places
        assert inner.lines[0] == "ARRAY /rows/*/goods"
    assert done.keys()[2] == ["/rows/*/goods/*/what", "/rows/*/goods/*/fresh"] * 3
    for fork, (who, what) in zip(done.rounds[2][::2], [("Ann", "tea"), ("Ann", "milk"), ("Bob", "salt")], strict=True):
        outer, inner = fork.places
        assert outer.startswith(f'ITEM /rows AT: "{who}')
        assert inner.startswith(f'ITEM /rows/*/goods AT: "{what}')
    rows = done.value()["rows"]
    assert [[goods["what"] for goods in row["goods"]] for row in rows] == [["tea", "milk"], ["salt"], []]


def test_the_last_nested_item_ends_with_its_parent():
    done = scripted(TEXT, NESTED, NESTED_SAYS)
    parents, children = [f.ask.region for f in done.rounds[1][::2]], [f.ask.region for f in done.rounds[2][::2]]
    assert (children[0][1], children[1][1], children[2][1]) == (children[1][0], parents[0][1], parents[1][1])


def test_arrays_of_arrays_have_a_level_of_items_each():
    schema = document(rows=array(array({"type": "string"})))
    says = {
        "anchor /rows": NAMES,
        "anchor /rows/*": lambda fork: re.findall(r"\d (\w+)", fork.words),
        "/rows/*/*": lambda fork: fork.first(r"\w+"),
    }
    done = scripted(TEXT, schema, says)
    assert done.keys() == [["anchor /rows"], ["anchor /rows/*"] * 3, ["/rows/*/*"] * 3]
    assert done.value() == {"rows": [["tea", "milk"], ["salt"], []]}


def test_decided_arrays_in_anchored_items_are_counted_there():
    schema = document(rows=array(document(name={"type": "string"}, flags=array(YES))))
    says = SAYS | {"count /rows/*/flags": lambda fork: 2 if "Bob" in fork.places[0] else 0}
    says |= {f"/rows/*/flags/{index}": index == 1 for index in range(SPECULATED)}
    done = scripted(TEXT, schema, says)
    fork = done.rounds[1][-1]
    assert fork.lines[0] == f"FIELD /rows/*/flags/{SPECULATED - 1}"
    assert fork.places[0].startswith('ITEM /rows AT: "Cleo')
    assert fork.places[1] == f"ITEM {SPECULATED - 1} of /rows/*/flags"
    assert [row["flags"] for row in done.value()["rows"]] == [[], [False, True], []]


def test_arrays_in_objects_and_objects_in_items():
    inner = document(who=document(name={"type": "string"}), many={"type": ["integer", "null"]})
    schema = document(a=document(rows=array(inner)), n={"type": "integer"})
    says = {"anchor /a/rows": ["Bob"], "/a/rows/*/who/name": name, "/a/rows/*/many": many, "/n": "8"}
    done = scripted(TEXT, schema, says)
    assert done.keys() == [["/n", "anchor /a/rows"], ["/a/rows/*/who/name", "/a/rows/*/many"]]
    assert done.value() == {"a": {"rows": [{"who": {"name": "Bob"}, "many": 1}]}, "n": 8}


@pytest.mark.parametrize(("keywords", "options", "count"), [({"maxItems": 2}, {}, 2), ({}, {"max_items": 1}, 1)])
def test_anchored_arrays_are_capped(keywords: dict[str, Any], options: dict[str, Any], count: int):
    schema = document(rows=array(ROWS["properties"]["rows"]["items"], **keywords))
    assert [row["name"] for row in scripted(TEXT, schema, SAYS, **options).value()["rows"]] == NAMES[:count]


def test_no_items_may_be_wanted():
    schema = document(rows=array({"type": "string"}, maxItems=0))
    for decoder in ("threshold", "count_peaks", "hybrid"):
        done = scripted(TEXT, schema, {"anchor /rows": NAMES, "count /rows": 3}, decoder=decoder)
        assert done.value() == {"rows": []}


def test_the_heads_top_is_no_cap_of_an_anchored_array():
    text = " ".join(f"n{number} ;" for number in range(100))
    says = {"anchor /rows": [f"n{number}" for number in range(100)], "/rows/*": lambda fork: fork.first(r"n\d+")}
    done = scripted(text, document(rows=array({"type": "string"})), says)
    assert done.value() == {"rows": [f"n{number}" for number in range(100)]}


@pytest.mark.parametrize("decoder", ["threshold", "count_peaks", "hybrid"])
def test_an_empty_text_has_no_items(decoder: str):
    says = {"anchor /rows": [], "count /rows": 5}
    assert scripted("", ROWS, says, decoder=decoder).value() == {"rows": []}
    schema = document(rows=array({"type": "string"}, minItems=1))
    (failure,) = scripted("", schema, says, decoder=decoder).settled().failures
    assert failure.pointer == "/rows"
    assert "minItems 1" in str(failure)


def test_a_request_that_asks_nothing_has_no_rounds():
    assert scripted(TEXT, document(), {}).rounds == []
    assert scripted(TEXT, document(a=document()), {}).value() == {"a": {}}
