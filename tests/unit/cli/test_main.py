"""The command line: statuses, one message on stderr, and what is read and printed."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

from deg_core import errors
from deg_core.plugins import checkpoint, reset_plugins
from deg_serve.cli import exits, main
from deg_serve.cli.inputs import read_json, read_text
from deg_serve.cli.main import COMMANDS, cli, run
from deg_serve.cli.output import print_table

SCHEMA = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["a", True, None, 3]},
        "level": {"type": ["integer", "null"], "minimum": 0, "maximum": 3, "x-levels": {"0": "none"}},
        "rows": {"type": "array", "maxItems": 4, "items": {"type": "object", "properties": {"n": {"type": "number"}}}},
        "reply": {"type": "string", "x-generate": True, "maxLength": 80},
    },
}


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(SCHEMA), "utf-8")
    return path


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_in_the_table_is_there(name: str):
    with click.Context(cli) as context:
        command = cli.get_command(context, name)
    assert command is not None
    assert command.name == name
    assert command.get_short_help_str(200).rstrip(".") != ""


def test_plan_as_json(schema: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["plan", str(schema), "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    fields = {field["pointer"]: field for field in plan["fields"]}
    assert list(fields) == ["/kind", "/level", "/rows/*/n", "/reply"]
    assert fields["/kind"]["options"] == ["a", True, None, 3]
    assert fields["/level"]["levels"] == [0, 1, 2, 3]
    assert fields["/level"]["null_outcome"] is True
    assert fields["/level"]["level_labels"][0] == "none"
    assert fields["/reply"]["constraints"] == {"maxLength": 80}
    assert plan["arrays"][0]["max_items"] == 4
    assert len(plan["fingerprint"]) == 64


def test_plan_as_a_table_shows_everything(schema: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["plan", str(schema)]) == 0
    out = capsys.readouterr().out
    for part in ("/rows/*/n", "a | true | null | 3", "0 | 1 | 2 | 3 | null", "maxLength 80", "generate", "0..4"):
        assert part in out


def test_plan_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(SCHEMA).encode())))
    assert run(["plan", "-"]) == 0
    assert "/kind" in capsys.readouterr().out


@pytest.mark.parametrize("example", sorted(Path("examples").glob("*.schema.json")), ids=lambda path: path.name)
def test_the_examples_compile_and_have_their_texts(example: Path):
    assert run(["plan", str(example)]) == 0
    assert read_text(str(example).replace(".schema.json", ".txt")).strip()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"type": ', "not JSON: "),
        (b"\xff\xfe{}", "is not UTF-8: byte 0xff in line 1"),
        (b'{"type": "object", "type": "object"}', "twice"),
        (b'{"type": "object", "x-genrate": true}', "x-genrate"),
        (b'"a string"', ""),
        (b"", "not JSON"),
    ],
)
def test_a_bad_schema_is_status_2_and_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, says: str
):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    assert run(["plan", str(path)]) == exits.BAD_INPUT
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("deg: DEG-C00")
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["plan", "nowhere.json"], "nowhere.json: there is no such file"),
        (["plan", "."], ".: this is a folder, a file is needed"),
        (["plan"], "Missing argument 'SCHEMA'"),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["plan", "--jsn", "x"], "No such option"),
        (["models", "pull", "embeded"], "did you mean: embedded"),
    ],
)
def test_wrong_arguments_are_status_2(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]):
    assert run(arguments) == exits.BAD_INPUT
    err = capsys.readouterr().err
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.SchemaError([{"loc": ["a"], "msg": "b"}]), 2),
        (errors.RequestError([{"loc": [], "msg": "b"}]), 2),
        (errors.UnknownNameError("x"), 2),
        (errors.FillError("x", pointer="/a"), 3),
        (errors.RuntimeLimitError("x"), 2),
        (errors.CheckpointError("x"), 2),
        (errors.DownloadError("x"), 3),
        (errors.PluginError("x"), 3),
        (errors.DegError("x"), 1),
        (RuntimeError("x"), 1),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
    ],
)
def test_statuses(
    error: BaseException, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.delenv("DEG_DEBUG", raising=False)

    def fail(**settings: Any) -> None:
        raise error

    monkeypatch.setattr(main.cli, "main", fail)
    assert run([]) == status
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert len([line for line in err.splitlines() if line.startswith("deg: ")]) == (status != 130)


def test_every_error_has_a_status():
    named = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.DegError)]
    assert {kind for kind in named if kind not in exits.BY_ERROR} == {errors.DegError, errors.ProblemsError}

    class Third(errors.FillError):
        pass

    assert exits.exit_code(Third("x")) == exits.NOT_FILLED


def test_debug_shows_the_traceback(schema: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DEG_DEBUG", "1")
    with pytest.raises(errors.RequestError):
        run(["plan", "nowhere.json"])


def test_text_is_read_as_it_is(tmp_path: Path):
    path = tmp_path / "text.txt"
    path.write_bytes("\ufeffeins\r\nzwei\u2028\n".encode())
    assert read_text(path) == "eins\r\nzwei\u2028\n"
    path.write_bytes(b"good line\nbad \xe9 line")
    with pytest.raises(errors.RequestError, match="byte 0xe9 in line 2"):
        read_text(path)


def test_problems_in_json_name_the_file_and_the_place(tmp_path: Path):
    path = tmp_path / "a.json"
    path.write_text('{"b": [1, NaN], "c": {"d": 1, "d": 2}}', "utf-8")
    with pytest.raises(errors.RequestError) as caught:
        read_json(path)
    assert [problem["loc"] for problem in caught.value.problems] == [[str(path), "b", 1], [str(path), "c", "d"]]


def test_a_table_cuts_nothing_and_reads_no_markup(capsys: pytest.CaptureFixture[str]):
    long = "x" * 400
    print_table(("a", "b"), [("[red]1[/red]", long), (None, "北京")])
    out = capsys.readouterr().out
    assert "[red]1[/red]" in out
    assert out.count("x") == 400
    assert "北京" in out
    assert "None" not in out


def write(folder: Path, **changes: Any) -> Path:
    spec = checkpoint.DegJson(model_id="deg-acme-0.3", backbone="llama", heads={}, template_version=1)
    folder.mkdir()
    checkpoint.write_checkpoint(folder, msgspec.structs.replace(spec, **changes))
    return folder


def test_models_of_a_folder_without_published_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["models", "pull", str(write(tmp_path / "one"))]) == 0
    assert "llama has no published weights of its own" in capsys.readouterr().err
    assert run(["models", "pull", str(write(tmp_path / "two", backbone="lama"))]) == exits.BAD_INPUT
    assert "unknown family 'lama', named in " in capsys.readouterr().err


def test_models_list(capsys: pytest.CaptureFixture[str]):
    assert run(["models", "list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert {"embedded", "deg-latest"} <= set(rows)
    assert rows["embedded"]["model_id"] == rows["deg-latest"]["model_id"]
    assert run(["models", "list"]) == 0
    assert "embedded" in capsys.readouterr().out


def test_plugins_json(capsys: pytest.CaptureFixture[str]):
    assert run(["plugins", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["failures"] == []
    assert {"llama"} <= {family["name"] for family in found["families"]}
    reset_plugins()
    assert run(["plugins", "--errors"]) == 0
    assert "deg_heads.choice:ChoiceHead" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == "0.1.0"
