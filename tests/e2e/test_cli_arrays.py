"""Arrays on the command line: how items are found, how many at most, what a table shows, and how it came about."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from deg_serve.cli.main import run
from tests.fixtures.tiny import Tiny

TEXT = "Order of 3 May: 2 kayaks at 120.50, 4 paddles at 12.25; Ann Lee <ann@example.org> pays. \U0001f642"
LINE = {
    "type": "object",
    "properties": {"what": {"type": "string"}, "price": {"type": ["number", "null"]}, "new": {"type": "boolean"}},
    "required": ["what", "price", "new"],
}
SCHEMA = {
    "type": "object",
    "properties": {
        "buyer": {"type": "string"},
        "lines": {"type": "array", "items": LINE, "minItems": 2},
        "flags": {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 3},
        "missing": {"type": "string", "format": "uuid"},
    },
    "required": ["buyer", "lines"],
}

Call: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tiny: Tiny, tmp_path: Path, deg_home: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command on the text and the schema, or on another schema; gives exit status, stdout, stderr."""

    def call(*arguments: str, schema: dict[str, Any] = SCHEMA) -> tuple[int, str, str]:
        (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
        (tmp_path / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
        files = [str(tmp_path / "text.txt"), "-s", str(tmp_path / "schema.json")]
        status = run([*arguments, *files, "--ckpt", str(tiny.checkpoint), "--base-model", str(tiny.snapshot)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def filled(call: Call, *arguments: str, **more: Any) -> dict[str, Any]:
    status, out, err = call("fill", *arguments, **more)
    assert status == 0, err
    result: dict[str, Any] = json.loads(out)
    return result


def test_items_have_values_meta_and_places_in_the_text(call: Call):
    result = filled(call)
    lines = result["value"]["lines"]
    assert len(lines) >= 2
    assert result["meta"]["/lines"]["items"] == len(lines)
    for index, line in enumerate(lines):
        start, end = result["meta"][f"/lines/{index}/what"]["span"]
        assert TEXT[start:end] == line["what"]


def test_the_way_items_are_found_can_be_chosen(call: Call):
    usual = filled(call)
    ways = {way: filled(call, "--array-decode", way) for way in ("threshold", "count_peaks", "hybrid")}
    assert ways["count_peaks"] == usual  # what the checkpoint does when nothing is said
    assert len({way["meta"]["/lines"]["items"] for way in ways.values()}) > 1
    assert all(way["value"]["flags"] == usual["value"]["flags"] for way in ways.values())
    status, out, err = call("fill", "--array-decode", "thresold")
    assert (status, out) == (2, "")
    assert "threshold" in err
    assert "Traceback" not in err


def test_items_can_be_capped(call: Call):
    open_ended = json.loads(json.dumps(SCHEMA))
    del open_ended["properties"]["lines"]["minItems"]
    for cap in (0, 1, 2):
        assert len(filled(call, "--max-items", str(cap), schema=open_ended)["value"]["lines"]) <= cap
    assert filled(call, "--max-items", "0", schema=open_ended)["value"]["flags"]  # maxItems of the schema goes before
    status, _, err = call("fill", "--max-items", "1")
    assert status == 2
    assert "max_items is 1" in err
    assert "/lines at least 2" in err
    assert call("fill", "--max-items", "-1")[0] == 2


def test_a_table_shows_arrays_and_every_leaf_of_their_items(call: Call):
    result = filled(call)
    status, out, _ = call("fill", "--format", "table")
    assert status == 0
    rows = {line.split()[0]: line for line in out.splitlines() if line.startswith("/")}
    assert set(rows) == set(result["meta"])
    count = len(result["value"]["lines"])
    assert f"{count} items" in rows["/lines"]
    assert json.dumps(result["value"]["lines"][1]["what"], ensure_ascii=False)[:10] in rows["/lines/1/what"]
    assert "(left out)" in rows["/missing"]


def test_a_table_tells_what_was_dropped(call: Call):
    schema = {
        "type": "object",
        "properties": {"ids": {"type": "array", "items": {"type": "string", "format": "uuid"}}},
    }
    dropped = filled(call, "--array-decode", "threshold", schema=schema)["meta"]["/ids"]
    assert dropped["items"] == 0
    assert dropped["dropped"] >= 1
    _, out, _ = call("fill", "--format", "table", "--array-decode", "threshold", schema=schema)
    assert f"{dropped['dropped']} dropped" in out
    assert "0 items" in out


def test_an_item_that_must_be_there_is_missed_in_one_line(call: Call):
    ids = {"type": "array", "items": {"type": "string", "format": "uuid"}, "minItems": 2}
    status, out, err = call("fill", schema={"type": "object", "properties": {"ids": ids}})
    assert (status, out) == (3, "")
    assert "/ids: minItems 2: only 0 items have their required values" in err
    assert err.count("\n") == 1


def explained(call: Call, pointer: str, *arguments: str) -> dict[str, Any]:
    status, out, err = call("explain", pointer, *arguments)
    assert status == 0, err
    account: dict[str, Any] = json.loads(out)
    return account


@pytest.mark.parametrize("options", [(), ("--array-decode", "threshold"), ("--null-margin", "60")])
@pytest.mark.parametrize("pointer", ["/lines/1/what", "/lines/0/price", "/lines/1/new", "/flags/0"])
def test_a_leaf_of_an_item_is_explained(call: Call, pointer: str, options: tuple[str, ...]):
    result, account = filled(call, *options), explained(call, pointer, *options)
    _, name, index, *inner = pointer.split("/")
    value = result["value"][name][int(index)]
    assert account["reading"]["value"] == (value[inner[0]] if inner else value)
    assert account["reading"]["meta"] == result["meta"][pointer]
    assert account["plan"]["pointer"] == pointer
    where = 'ITEM /lines AT: "' if inner else "ITEM 0 of /flags"
    assert account["fork"]["text"].splitlines()[1].startswith(where)


def test_an_anchored_array_is_explained(call: Call):
    result, account = filled(call), explained(call, "/lines", "--top", "3")
    assert account["reading"] == {"decoder": "count_peaks", "meta": result["meta"]["/lines"]}
    assert set(account["queries"]) == {"anchor", "count"}
    anchor, count = account["queries"]["anchor"], account["queries"]["count"]
    assert anchor["fork"]["text"].startswith("ARRAY /lines\nITEM FIELDS /what, /price, /new\nKIND mark where")
    assert len(anchor["head"]["tokens"]) == len(count["head"]["logits"]) == 3
    best = [token["probability"] for token in anchor["head"]["tokens"]]
    assert best == sorted(best, reverse=True)
    assert all(0 < probability < 1 for probability in best)
    assert set(explained(call, "/lines", "--array-decode", "threshold")["queries"]) == {"anchor"}


def test_a_counted_array_is_explained(call: Call):
    account = explained(call, "/flags")
    assert list(account["queries"]) == ["count"]
    assert account["reading"]["decoder"] is None
    assert account["plan"]["max_items"] == 3


def test_what_is_not_there_is_told(call: Call):
    status, _, err = call("explain", "/lines/99/what")
    assert status == 3
    assert "/lines/99/what: the filled value has no such item" in err
    status, _, err = call("explain", "/lines/0/wat")
    assert status == 2
    assert "/lines/*/what" in err


def test_an_item_is_explained_though_another_field_cannot_be_filled(call: Call):
    schema = SCHEMA | {"required": ["buyer", "lines", "missing"]}
    assert call("fill", schema=schema)[0] == 3
    status, out, _ = call("explain", "/lines/0/what", schema=schema)
    assert status == 0
    assert json.loads(out)["reading"]["value"]


def test_a_written_text_has_no_explanation(call: Call):
    note = {"type": "string", "x-generate": True}
    item = {"type": "object", "properties": {"note": note, "what": {"type": "string"}}}
    schema = {
        "type": "object",
        "properties": {"summary": note, "lines": {"type": "array", "items": item, "minItems": 1}},
    }
    for pointer in ("/summary", "/lines/0/note"):
        status, out, err = call("explain", pointer, schema=schema)
        assert (status, out) == (2, "")
        assert f"{pointer} is a written text" in err
