"""`deg bench serve`: a real server of the tiny model under a second of load, and what counts as a failure."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from deg_core.evaluate.benchmarks.pairs import load_pairs
from deg_serve.cli import exits
from deg_serve.cli.main import run
from deg_serve.engine import ModelEngine
from deg_serve.load.clients import Tally, one_by_one, together
from deg_serve.load.pool import Sent, requests_of
from deg_serve.settings import ServeSettings
from tests.fixtures.serving import PATIENCE, live
from tests.fixtures.tiny import Tiny


@pytest.fixture(scope="module")
def address(tiny_models) -> Iterator[tuple[str, int]]:
    with live(ModelEngine(tiny_models["int8"]), ServeSettings(time_limit=PATIENCE, window=0.0, max_pending=8)) as url:
        host, _, port = url.removeprefix("http://").partition(":")
        yield host, int(port)


def test_requests_go_over_every_wire_and_one_of_each_is_written():
    requests = requests_of(load_pairs(), written=True)
    paths = [sent.path for sent in requests]
    assert len(requests) >= 12
    assert {paths.count(path) for path in ("/v1/fill", "/v1/decisions", "/v1/systemone")} == {len(requests) // 3}
    assert sum(b"x-generate" in sent.body or b'"generate"' in sent.body for sent in requests) == 3
    plain = requests_of(load_pairs(), written=False)
    assert not any(b"generate" in sent.body for sent in plain)
    assert all((sent.fill is not None) == (sent.path == "/v1/fill") for sent in requests)


def test_answers_together_are_those_alone_and_429_is_no_error(address: tuple[str, int]):
    requests = requests_of(load_pairs(), written=False)[:6]
    alone = asyncio.run(one_by_one(*address, requests, 1))
    expected = [answer for answer, _ in alone]
    tally = asyncio.run(together(*address, requests, expected, clients=16, seconds=0.5, resident=lambda: 5))
    assert tally.answered > 6
    assert (tally.errors, tally.different, tally.growth()) == (0, 0, 0.0)
    assert tally.statuses[429] > 0  # 16 clients, 8 places
    expected[0] = b"{}"
    assert asyncio.run(together(*address, requests[:1], expected, clients=1, seconds=0.1)).different > 0


def test_other_statuses_and_broken_connections_are_errors(address: tuple[str, int]):
    bad = [Sent("/v1/fill", b"{"), Sent("/nowhere", b"{}")]
    tally = asyncio.run(together(*address, bad, [b"", b""], clients=2, seconds=0.2))
    assert tally.errors == tally.statuses[422] + tally.statuses[404] > 0
    with pytest.raises(RuntimeError, match="answered with 422"):
        asyncio.run(one_by_one(*address, bad[:1], 0))
    gone = asyncio.run(together("127.0.0.1", 1, bad[:1], [b""], clients=1, seconds=0.2))
    assert gone.broken > 0


def test_growth_is_the_slope_of_the_second_half():
    samples = [(float(at), 1000 if at < 5 else 1000 + 10 * at) for at in range(11)]
    assert Tally(resident=samples, duration=10.0).growth() == pytest.approx(10.0)


def test_the_command(tiny: Tiny, deg_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "serve.json"
    command = ["bench", "serve", "--ckpt", str(tiny.checkpoint), "--base-model", str(tiny.snapshot)]
    assert run([*command, "--clients", "4", "--seconds", "0.5", "--out", str(out)]) == 0
    report = json.loads(out.read_text("utf-8"))
    assert report["load"]["different"] == report["load"]["errors"] == report["exit_status"] == 0
    assert report["load"]["statuses"].keys() <= {"200", "429"}
    assert 0 < report["start"]["listening"] < report["start"]["first_answer"]
    assert report["memory"]["before"] > 0
    shown = capsys.readouterr().out
    assert "answers a second" in shown
    assert "had other bytes than alone" in shown


def test_a_server_that_cannot_start_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["bench", "serve", "--ckpt", str(tmp_path / "gone")]) != exits.DONE
    assert "the server ended with status" in capsys.readouterr().err
