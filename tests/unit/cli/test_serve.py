"""`deg serve` up to the point where it would listen."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Any

import pytest

from deg_serve.cli import exits
from deg_serve.cli import serve as command
from deg_serve.cli.main import run
from deg_serve.settings import MEBIBYTE, ServeSettings
from tests.fixtures.tiny import Tiny

ROOT = Path(__file__).parents[3]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tiny_models) -> dict[str, Any]:
    """What the command would have served: the cache's size, the engine, the settings."""
    import deg_serve.http.app as application

    seen: dict[str, Any] = {}

    def load(*arguments: Any) -> Any:
        seen["generate"], seen["cache"] = arguments[-2:]
        return tiny_models["int8"]

    def create(engine: Any, settings: ServeSettings) -> str:
        seen.update(engine=engine, settings=settings)
        return "the app"

    monkeypatch.setattr(command, "_load", load)
    monkeypatch.setattr(command, "_log_lines", lambda: None)
    monkeypatch.setattr(command, "_listen", lambda *arguments: seen.update(listen=arguments))
    monkeypatch.setattr(application, "create_app", create)
    monkeypatch.delenv("DEG_API_KEYS", raising=False)
    return seen


def test_defaults_are_this_machine_without_keys(started: dict[str, Any]):
    assert run(["serve"]) == 0
    assert started["listen"][:3] == ("the app", "127.0.0.1", 8790)
    settings = started["settings"]
    assert (settings.api_keys, settings.window, settings.batch_size) == ((), 0.005, 16)
    assert set(settings.allowed_hosts) == {"127.0.0.1", "localhost", "::1"}
    assert started["cache"] == 256 * MEBIBYTE
    assert "deg-latest" in started["engine"].names
    assert "embedded" in started["engine"].names


def test_who_writes_is_said_to_the_model_and_to_the_server(started: dict[str, Any]):
    for given, loaded, writing in (
        ("base", "base", "base"),
        ("base+lora:runs/writer", "base+lora:runs/writer", "base"),
        ("off", "base", "off"),
    ):
        assert run(["serve", "--generate", given]) == 0
        assert started["generate"] == loaded
        assert started["engine"]._writing == writing


def test_several_keys_share_no_cache(started: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    file = tmp_path / "keys"
    file.write_text("key-number-one\n", encoding="utf-8")
    assert run(["serve", "--api-keys", str(file)]) == 0
    assert started["cache"] > 0
    monkeypatch.setenv("DEG_API_KEYS", "key-number-two")
    assert run(["serve", "--api-keys", str(file)]) == 0
    assert started["cache"] == 0
    assert set(started["settings"].api_keys) == {"key-number-one", "key-number-two"}


@pytest.mark.parametrize(
    ("arguments", "hosts"),
    [
        (["--host", "0.0.0.0"], None),
        (["--host", "::", "--allowed-host", "deg.example"], {"127.0.0.1", "localhost", "::1", "deg.example"}),
        (["--host", "10.0.0.5"], {"127.0.0.1", "localhost", "::1", "10.0.0.5"}),
        (["--allowed-host", "*"], None),
    ],
)
def test_the_hosts_that_are_answered(started: dict[str, Any], arguments: list[str], hosts: set[str] | None):
    assert run(["serve", *arguments]) == 0
    allowed = started["settings"].allowed_hosts
    assert (None if allowed is None else set(allowed)) == hosts


def test_an_open_address_without_keys_is_remarked_on(started: dict[str, Any], capsys: pytest.CaptureFixture[str]):
    assert run(["serve", "--host", "0.0.0.0"]) == 0
    assert "no API keys" in capsys.readouterr().err


def test_what_cannot_be_served_is_said_before_anything_is_loaded(
    started: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    assert run(["serve", "--generate", "lora"]) == exits.BAD_INPUT
    assert "allowed: base, base+lora:FOLDER, off" in capsys.readouterr().err
    assert run(["serve", "--api-keys", str(tmp_path / "none")]) == exits.BAD_INPUT
    assert run(["serve", "--port", "99999"]) == exits.BAD_INPUT
    assert started == {}


def test_a_port_that_is_taken_is_named(tiny: Tiny, deg_home: Path, monkeypatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(command, "_log_lines", lambda: None)
    monkeypatch.setattr(command.signal, "signal", lambda *arguments: None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        place = ["--ckpt", str(tiny.checkpoint), "--base-model", str(tiny.snapshot), "--port", port]
        assert run(["serve", *place]) == exits.BAD_INPUT
    assert f"cannot listen on 127.0.0.1:{port}" in capsys.readouterr().err


def test_the_page_names_every_flag_and_no_other():
    page = (ROOT / "docs" / "how-to" / "serve.md").read_text("utf-8")
    flags = {option for parameter in command.serve.params for option in parameter.opts}
    named = set(re.findall(r"`(--[a-z-]+)", page)) | set(re.findall(r"deg serve.*? (--[a-z-]+)", page))
    assert named == flags
