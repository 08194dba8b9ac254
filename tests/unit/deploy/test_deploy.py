"""What can be known of the Dockerfile and the unit without running them."""

from __future__ import annotations

import fnmatch
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import click
import pytest

from deg_serve.cli.main import cli

ROOT = Path(__file__).parents[3]
UNIT = ROOT / "deploy" / "deg.service"
PAGE = ROOT / "docs" / "how-to" / "deploy.md"
DEFAULT_PORT = 8790


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions with their arguments, continued lines joined."""
    lines = [line for line in (ROOT / "Dockerfile").read_text("utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in joined.splitlines() if line.strip())]


def arguments(name: str) -> list[str]:
    return [rest for found, rest in instructions() if found == name]


def unit() -> dict[str, list[str]]:
    """The unit's settings, of every section; a setting may be there several times."""
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text("utf-8").splitlines():
        if line and line[0] not in "#[":
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def understood(words: list[str]) -> click.Context:
    """The command line as `deg` reads it, without running it. Raises UsageError for a flag that is not there."""
    command, context = cli, click.Context(cli)
    while isinstance(command, click.Group):
        name, *words = words
        found = command.get_command(context, name)
        assert found is not None, f"there is no command {name}"
        command = found
    return command.make_context(command.name, words)


def excluded(path: str) -> bool:
    """Whether .dockerignore leaves the path out of what can be copied; the last rule that fits decides."""
    out = False
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            rule = line.removeprefix("!").removeprefix("**/")
            if any(fnmatch.fnmatch(part, rule) for part in (path, path.partition("/")[0], path.rpartition("/")[2])):
                out = not line.startswith("!")
    return out


def test_everything_that_is_copied_is_there():
    copied = [words for rest in arguments("COPY") if not (words := shlex.split(rest))[0].startswith("--from")]
    sources = [source for *names, _ in copied for source in names]
    assert {"deg_core", "deg_backbones", "deg_heads", "deg_serve", "pyproject.toml"} <= set(sources)
    for source in sources:
        assert (ROOT / source).exists(), source
        assert not excluded(source), f".dockerignore leaves out {source}"
    assert excluded("tests")
    assert excluded("deg_core/kernels/native/_native.cpython-311-x86_64-linux-gnu.so")
    assert not excluded("deg_core/kernels/native/src/native.c")


def test_every_package_and_every_file_that_the_build_reads_is_copied():
    copied = {word for rest in arguments("COPY") for word in shlex.split(rest)[:-1]}
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    for package in re.findall(r'"(deg_\w+)\*"', text):
        assert package in copied
    for name in [re.search(r'^readme = "(.+)"', text, re.MULTILINE)[1], *re.findall(r'"(LICENSE|NOTICE)"', text)]:
        assert name in copied


def test_the_container_serves_for_everybody_inside_and_as_nobody():
    (entry,), (command,) = arguments("ENTRYPOINT"), arguments("CMD")
    context = understood([*json.loads(entry), *json.loads(command)][1:])
    assert json.loads(entry) == ["deg"]  # in this form it is process 1 and gets the signals
    assert (context.params["host"], context.params["port"]) == ("0.0.0.0", DEFAULT_PORT)
    assert arguments("EXPOSE") == [str(DEFAULT_PORT)]
    assert arguments("USER") == ["deg"]
    assert arguments("STOPSIGNAL") == ["SIGTERM"]
    assert context.params["drain_s"] == 30


def test_every_deg_command_of_the_files_and_the_page_is_understood():
    told = "\n".join(rest for _, rest in instructions()) + PAGE.read_text("utf-8")
    told = re.sub(r"\\\n\s*", "", told)
    found = re.findall(r"(?:(?<![\w/-])deg |`)((?:serve|fill|models)\b[^\n`|&;]*)", told)
    assert len(found) >= 5
    for line in found:
        understood(shlex.split(line.strip()))


def test_the_unit_starts_the_server_with_flags_that_it_has():
    settings = unit()
    (start,), (before,) = settings["ExecStart"], settings["ExecStartPre"]
    context = understood(shlex.split(start)[1:])
    assert str(context.params["api_keys"]) == "%d/api-keys"
    assert settings["LoadCredential"] == ["api-keys:/etc/deg/api-keys"]
    understood(shlex.split(before)[1:])
    assert shlex.split(start)[0] == shlex.split(before)[0] == "/opt/deg/bin/deg"
    assert int(settings["TimeoutStopSec"][0]) > context.params["drain_s"]
    (drop_in,) = re.findall(r"```ini\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    understood(shlex.split(re.findall(r"^ExecStart=(.+)$", drop_in, re.MULTILINE)[0])[1:])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine")
def test_systemd_understands_the_unit_and_finds_it_closed(tmp_path: Path):
    deg = tmp_path / "deg"
    deg.write_text("#!/bin/sh\n", "utf-8")
    deg.chmod(0o755)
    path = tmp_path / "deg.service"
    path.write_text(UNIT.read_text("utf-8").replace("/opt/deg/bin/deg", str(deg)), "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "nrecognized option" in done.stderr:
        pytest.skip("this systemd-analyze cannot judge a file")
    assert done.returncode == 0, done.stdout[-200:]
    said = re.search(r"level for deg\.service: (\d\.\d)", done.stdout)
    assert said is not None
    assert f"gives it {said[1]}" in PAGE.read_text("utf-8").replace("\n", " ")


@pytest.fixture(params=[200, 503])
def answering(request: pytest.FixtureRequest) -> Iterator[tuple[int, int]]:
    """Port of a server whose /health has this status, and the status."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(request.param if self.path == "/health" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server.server_address[1], request.param
        server.shutdown()
        thread.join()


def test_the_health_check_says_what_the_server_says(answering: tuple[int, int]):
    port, status = answering
    (rest,) = arguments("HEALTHCHECK")
    interpreter, *words = json.loads(rest.partition("CMD ")[2])
    assert interpreter == "python"
    assert f":{DEFAULT_PORT}/health" in words[-1]
    words[-1] = words[-1].replace(f":{DEFAULT_PORT}/", f":{port}/")
    done = subprocess.run([sys.executable, *words], capture_output=True, check=False)
    assert (done.returncode == 0) == (status == 200)
