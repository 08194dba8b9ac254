"""`deg fill --jsonl` from the outside: results, refusals, exit statuses, and processes that are killed."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from deg_serve.cli.main import run
from tests.fixtures.tiny import Tiny

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds, on a busy machine
LINES = 140  # of a run that is killed: enough that it is not over before a busy machine comes to it
SCHEMA = {
    "type": "object",
    "properties": {
        "total": {"type": ["number", "null"]},
        "currency": {"enum": ["EUR", "USD"]},
        "names": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["total", "currency"],
}
NEEDS_A_NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def text(number: int) -> str:
    return f"Invoice {number}: please pay {number}.50 EUR to Brightwater."


def jsonl(*lines: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture
def folder(tmp_path: Path, deg_home: Path) -> Path:
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    return tmp_path


@pytest.fixture
def arguments(tiny: Tiny, folder: Path) -> Callable[..., list[str]]:
    """The command line; words given replace nothing and stand at the end."""

    def arguments(*words: str | Path, schema: bool = True, source: str = "in.jsonl") -> list[str]:
        source = source if source == "-" else str(folder / source)
        checkpoint = ["--ckpt", str(tiny.checkpoint), "--base-model", str(tiny.snapshot)]
        asked = ["-s", str(folder / "schema.json")] if schema else []
        return ["fill", "--jsonl", source, *asked, *checkpoint, *map(str, words)]

    return arguments


@pytest.fixture
def call(
    arguments: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process; gives exit status, stdout, stderr."""

    def call(*words: str | Path, **more: Any) -> tuple[int, str, str]:
        status = run(arguments(*words, **more))
        return (status, *capsys.readouterr())

    return call


def test_every_line_is_filled_as_alone(call, folder: Path, tiny_models):
    out = folder / "out.jsonl"
    own = {"context": "only 12 here", "id": 9, "schema": NEEDS_A_NUMBER, "options": {"null_margin": 1.0}}
    lines = [text(1), {"context": {"no": 4471, "sum": 120.5}, "id": "second"}, own, text(1)]
    (folder / "in.jsonl").write_bytes(jsonl(*lines))
    status, printed, told = call("--out", out)
    assert (status, printed) == (0, "")
    assert told == f"deg: 4 lines: 4 filled, 0 failed; {out}\n"
    found = read(out)
    assert [(entry["line"], entry["id"]) for entry in found] == [(1, None), (2, "second"), (3, 9), (4, None)]
    model = tiny_models["int8"]
    assert found[0]["result"] == found[3]["result"] == model.fill(text(1), SCHEMA).as_dict()
    assert found[1]["result"] == model.fill(lines[1]["context"], SCHEMA).as_dict()
    assert found[2]["result"] == model.fill("only 12 here", NEEDS_A_NUMBER, null_margin=1.0).as_dict()


def test_lines_that_fail_are_told_and_the_rest_is_filled(call, folder: Path):
    bad_schema = {"context": "x", "id": "c", "schema": {"type": "object", "properties": {"n": {"type": "strin"}}}}
    nothing = {"context": "none", "schema": NEEDS_A_NUMBER}
    (folder / "in.jsonl").write_bytes(jsonl(text(1)) + b"{broken\n\n" + jsonl(bad_schema, nothing, text(2)))
    out = folder / "out.jsonl"
    status, _, told = call("--out", out, "--value-only")
    assert status == 3
    assert "5 lines: 2 filled, 3 failed" in told
    found = read(out)
    assert [entry["line"] for entry in found] == [1, 2, 4, 5, 6]
    codes = [entry.get("error", {}).get("code") for entry in found]
    assert codes == [None, "DEG-C002", "DEG-C001", "DEG-C003", None]
    assert found[2]["detail"][0]["loc"][:2] == ["schema", "properties"]
    assert set(found[4]) == {"line", "key", "id", "value"}
    before = out.read_bytes()
    status, _, told = call("--out", out, "--value-only")
    assert (status, out.read_bytes()) == (3, before)
    assert "5 of them by earlier runs" in told


def test_schemas_may_be_left_to_the_lines(call, folder: Path):
    (folder / "in.jsonl").write_bytes(jsonl({"context": "12", "schema": NEEDS_A_NUMBER}, "12"))
    status, printed, _ = call("--value-only", schema=False)
    assert status == 3
    first, second = map(json.loads, printed.splitlines())
    assert first["value"] == {"n": 12}
    assert "no schema" in second["error"]["message"]


@pytest.mark.parametrize(
    ("prepare", "words", "said"),
    [
        (lambda f: (f / "in.jsonl").unlink(), [], ["in.jsonl", "cannot be read"]),
        (lambda f: (f / "schema.json").write_text('{"type": "strin"}', "utf-8"), [], ["schema"]),
        (lambda f: (f / "schema.json").write_text("{", "utf-8"), [], ["schema.json", "not JSON"]),
        (lambda f: None, ["--temperature", "1"], ["seed"]),
        (lambda f: None, ["--out", "in.jsonl"], ["is the input as well"]),
        (lambda f: None, ["--out", "none/out.jsonl"], ["none/out.jsonl", "cannot be written"]),
        (lambda f: (f / "out.jsonl").write_bytes(b"notes"), ["--out", "out.jsonl"], ["out.jsonl", "--restart"]),
        (lambda f: None, ["--format", "table"], ["--format cannot be used with --jsonl"]),
        (lambda f: None, ["--restart"], ["--restart needs a file"]),
        (lambda f: None, ["text.txt"], ["FILE cannot be used with --jsonl"]),
    ],
)  # fmt: skip
def test_what_cannot_start_does_not(call, folder: Path, monkeypatch, prepare, words: list[str], said: list[str]):
    monkeypatch.chdir(folder)
    monkeypatch.setattr("deg_serve.cli.fill.load", lambda *_, **__: pytest.fail("the weights are loaded"))
    (folder / "in.jsonl").write_bytes(jsonl(text(1)))
    prepare(folder)
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    status, printed, told = call(*words)
    assert (status, printed) == (2, ""), told
    for word in said:
        assert word in told
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_options_of_jsonl_mean_nothing_without_it(capsys: pytest.CaptureFixture[str]):
    assert run(["fill", "-s", "s.json", "--out", "x", "t.txt"]) == 2
    assert "--out cannot be used without --jsonl" in capsys.readouterr().err
    assert run(["fill", "t.txt"]) == 2
    assert "--schema" in capsys.readouterr().err


def test_a_changed_schema_is_refused_and_restart_begins_anew(call, folder: Path):
    out = folder / "out.jsonl"
    (folder / "in.jsonl").write_bytes(jsonl(text(1), text(2)))
    assert call("--out", out)[0] == 0
    before = out.read_bytes()
    for words, said in (
        (["--date-order", "DMY"], "other options"),
        (["--value-only"], "other options"),
        (["--compute", "fp32"], "another checkpoint"),
        (["--device", "cuda:0"], "another device"),
    ):
        status, _, told = call("--out", out, *words)
        assert (status, out.read_bytes()) == (2, before)
        assert said in told
    (folder / "schema.json").write_text(json.dumps(NEEDS_A_NUMBER), encoding="utf-8")
    status, _, told = call("--out", out)
    assert (status, out.read_bytes()) == (2, before)
    assert "another schema" in told
    assert call("--out", out, "--restart", "--value-only")[0] == 0
    assert [list(entry["value"]) for entry in read(out)] == [["n"], ["n"]]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_written_to_its_end(call, folder: Path):
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    (folder / "in.jsonl").write_bytes(jsonl(text(1), text(2)))
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(pipe.read_bytes)
        assert call("--out", pipe)[0] == 0
        assert [json.loads(line)["line"] for line in reading.result(PATIENCE).splitlines()] == [1, 2]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no lock of this kind")
def test_two_runs_do_not_mix_their_lines(call, folder: Path):
    import fcntl

    out = folder / "out.jsonl"
    (folder / "in.jsonl").write_bytes(jsonl(text(1)))
    with out.open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        status, _, told = call("--out", out)
    assert status == 2
    assert "another run is writing it" in told


def test_a_full_disk_is_no_fault_of_deg_and_is_gone_on_from(call, folder: Path, monkeypatch: pytest.MonkeyPatch):
    out = folder / "out.jsonl"
    (folder / "in.jsonl").write_bytes(jsonl(*map(text, range(4))))
    synced: list[int] = []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 2:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("deg_serve.cli.fill_jsonl.os.fsync", full)
        status, _, told = call("--out", out, "--batch-size", "1")
    assert status == 3
    assert "cannot be written: No space left on device" in told
    assert call("--out", out)[0] == 0
    assert [entry["line"] for entry in read(out)] == [1, 2, 3, 4]


# Processes that are killed. One process imports torch once and forks the runs, so that many can be killed in seconds.

_FORKS = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts the tests in the background ignores it
import deg_core.engine.load, deg_serve.cli.fill_jsonl, deg_serve.engine, deg_backbones.llama.model, deg_heads.plugin
from deg_serve.cli.main import run
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        os._exit(run(line.rstrip("\\n").split("\\t")))
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture
def forks(folder: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", _FORKS]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    with process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def wait_for_lines(path: Path, count: int, alive: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if path.exists() and path.read_bytes().count(b"\n") >= count:
            return
        assert alive(), "the run ended before it was killed"
        time.sleep(0.002)
    raise AssertionError("no line was written")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_again_and_again_it_neither_repeats_nor_loses_a_line(forks, arguments, folder: Path):
    lines = [
        text(number) if number % 7 else {"context": "none", "schema": NEEDS_A_NUMBER} for number in range(1, LINES)
    ]
    (folder / "in.jsonl").write_bytes(jsonl(*lines))
    whole, out = folder / "whole.jsonl", folder / "out.jsonl"
    draw = random.Random(7)

    def begin(*words: str | Path) -> int:
        forks.stdin.write("\t".join(arguments(*words)) + "\n")
        forks.stdin.flush()
        return int(forks.stdout.readline())

    begin("--out", whole)
    assert int(forks.stdout.readline()) == 3
    expected = whole.read_bytes()
    assert [entry["line"] for entry in read(whole)] == list(range(1, LINES))
    seen = 0
    for _ in range(5):
        child = begin("--out", out, "--batch-size", str(draw.randint(1, 3)))
        wait_for_lines(out, seen + 1, lambda child=child: Path(f"/proc/{child}").exists() or sys.platform != "linux")
        time.sleep(draw.random() * 0.05)
        os.kill(child, signal.SIGKILL)
        assert int(forks.stdout.readline()) == -signal.SIGKILL
        kept = out.read_bytes()
        assert expected.startswith(kept)
        seen = kept.count(b"\n")
        if draw.random() < 0.5:  # what a kill in the middle of a write leaves
            out.write_bytes(expected[: len(kept) + draw.randint(1, 200)])
            seen = out.read_bytes().count(b"\n")
    assert 0 < seen < LINES - 1
    child = begin("--out", out, "--batch-size", "1")
    wait_for_lines(out, seen + 1, lambda: True)
    os.kill(child, signal.SIGINT)
    assert int(forks.stdout.readline()) == 130
    assert expected.startswith(out.read_bytes())
    begin("--out", out)
    assert int(forks.stdout.readline()) == 3
    assert out.read_bytes() == expected


def test_the_command_itself_is_killed_and_goes_on_from_standard_input(
    arguments, call, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    data = jsonl(*map(text, range(40)))
    (folder / "in.jsonl").write_bytes(data)
    out = folder / "out.jsonl"
    command = [sys.executable, "-m", "deg_serve.cli.main", *arguments("--out", out, "--batch-size", "1")]
    first = subprocess.Popen(command, cwd=ROOT)
    wait_for_lines(out, 2, lambda: first.poll() is None)
    first.kill()
    assert first.wait(PATIENCE) == -signal.SIGKILL
    kept = out.read_bytes()
    count = kept.count(b"\n")
    assert 2 <= count < 40
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    status, printed, told = call("--out", out, source="-")
    assert (status, printed) == (0, "")
    assert f"{count} of them by earlier runs; {out}" in told
    assert out.read_bytes().startswith(kept.rpartition(b"\n")[0])
    assert [entry["line"] for entry in read(out)] == list(range(1, 41))
