"""``deg bench latency``, ``batch`` and ``memory``, with engines that answer by rule."""

from __future__ import annotations

import builtins
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from deg_core.errors import RuntimeLimitError
from deg_core.evaluate.benchmarks import machine, workers
from deg_core.evaluate.benchmarks.pairs import digest, load_pairs
from deg_serve.cli import bench_latency
from deg_serve.cli.main import run

VALUES = {json.dumps(pair.context): pair.record.value for pair in load_pairs()}


class MadeWorker:
    """Stands for a process: deg is right in half a second, the peer answers nothing in two."""

    made: ClassVar[list[MadeWorker]] = []

    def __init__(self, label: str, settings: dict[str, Any], cores: Sequence[int], threads: int) -> None:
        self.label, self.settings, self.cores, self.threads = label, settings, cores, threads
        self.loaded = {"name": label, "version": "1"}
        self.asked: list[str] = []
        MadeWorker.made.append(self)

    def __enter__(self) -> MadeWorker:
        return self

    def __exit__(self, *_: Any) -> None:
        self.asked.append("close")

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        self.asked.append(do)
        if do == "sizes":
            return {"int8_macs": 10**6, "state_floats": 1000}
        if do == "peak":
            return {"operations": {"torch": 1e9, "deg": 9e8}}
        if do == "batch":
            jobs = len(request["jobs"])
            return {"alone": [jobs], "together": [jobs / 2], "same": jobs, "failed": jobs - 1}
        if do == "memory":
            if request["tokens"] > 10**6:
                return {"seconds": 0.0, "error": RuntimeLimitError.code, "message": "it does not fit"}
            sizes = {"text_tokens": request["tokens"], "peak": 2**24, "reserved": 2**27, "exact": True}
            return {**sizes, "seconds": 1.0, "error": None, "message": None}
        if self.settings["engine"] == "deg":
            value = VALUES.get(json.dumps(request["context"]))
            words = len(str(request["context"]).split()) + len(request["schema"]["properties"])
            return {"seconds": 0.5 + words / 1000, "value": value, "spans": {}, "tokens": [words, 0]}
        return {"seconds": 2.0, "error": "DEG-C003", "message": "no JSON"}


@pytest.fixture(autouse=True)
def _made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    MadeWorker.made = []
    monkeypatch.setattr(workers, "Worker", MadeWorker)
    monkeypatch.setattr(machine, "choose_cores", lambda number: list(range(7, 7 + number)))
    weights = tmp_path / "made.Q4_1.gguf"
    monkeypatch.setattr(bench_latency, "_backbone_gguf", lambda ckpt: weights)
    monkeypatch.setattr("deg_core.evaluate.peers.requantize.q8_0", lambda path: path.with_name("made.Q8_0.gguf"))
    monkeypatch.setattr("deg_core.evaluate.peers.llama_cpp.check_installed", lambda: None)


def test_latency_of_all_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out, markdown = tmp_path / "out" / "r.json", tmp_path / "out" / "r.md"
    assert run(["bench", "latency", "--rounds", "2", "--out", str(out), "--markdown", str(markdown)]) == 0
    shown = capsys.readouterr().out
    report = json.loads(out.read_text("utf-8"))
    assert report["pairs_sha256"] == digest()
    (made,) = report["runs"]
    assert (made["cores"], made["pinned"]) == (1, [7])
    assert len(made["pairs"]) == 20
    assert list(made["summary"]) == ["deg", "llama.cpp Q4_1", "llama.cpp Q8_0"]
    deg, peer = made["summary"]["deg"], made["summary"]["llama.cpp Q8_0"]
    assert deg["right"] == deg["fields"] == sum(pair.fields for pair in load_pairs())
    assert deg["right_per_second"] > 0
    assert (peer["right"], peer["not_filled"]) == (0, 20)
    assert 1 < peer["ratio_of_many_fields"] < peer["ratio"] < 4
    assert made["sweep"]["deg"]["per_field"]["slope"] == pytest.approx(0.001)
    assert made["int8"]["peaks_operations_per_second"] == {"torch": 1e9, "deg": 9e8}
    assert set(made["engines"]["deg"]) == {"name", "version", "cold_seconds"}
    for text in (shown, markdown.read_text("utf-8")):
        assert "loan-terms" in text
        assert "seed-order (array)" in text
        assert "median ratio from 20 fields" in " ".join(text.split()) or "from 20" in text
    first = MadeWorker.made[1]
    assert (first.settings["wording"], first.settings["reuse_prefix"]) == ("fields", True)
    assert all(one.asked[-1] == "close" for one in MadeWorker.made)


def test_several_numbers_of_cores_in_one_run(tmp_path: Path):
    out = tmp_path / "r.json"
    arguments = ["bench", "latency", "--quick", "--no-sweep", "--no-q8", "--cores", "1", "--cores", "2"]
    assert run([*arguments, "--out", str(out)]) == 0
    report = json.loads(out.read_text("utf-8"))
    assert [made["pinned"] for made in report["runs"]] == [[7], [7, 8]]
    assert [one.threads for one in MadeWorker.made] == [1, 1, 2, 2]
    assert "sweep" not in report["runs"][0]
    assert [pair["name"] for pair in report["runs"][0]["pairs"]] == ["bakery-review", "seed-order"]


def test_without_the_peer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    assert run(["bench", "latency", "--quick", "--no-sweep", "--no-peer"]) == 0
    assert [one.label for one in MadeWorker.made] == ["deg"]
    assert "--no-peer" in capsys.readouterr().out


def test_where_the_peer_is_not_installed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    from deg_core.evaluate.peers import llama_cpp

    monkeypatch.setattr(llama_cpp, "check_installed", llama_cpp._library)
    real = builtins.__import__

    def importing(name: str, *more: Any) -> Any:
        if name == "xllamacpp":
            raise ImportError("No module named 'xllamacpp'")
        return real(name, *more)

    monkeypatch.delitem(sys.modules, "xllamacpp", raising=False)
    monkeypatch.setattr(builtins, "__import__", importing)
    assert run(["bench", "latency", "--quick", "--no-sweep"]) == 0
    shown = capsys.readouterr().out
    assert "deg alone was timed" in shown
    assert "deg-fill[bench]" in shown


def test_chosen_pairs(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert run(["bench", "latency", "--pair", "no-such-pair"]) == 2
    assert "bakery-review" in capsys.readouterr().err
    assert run(["bench", "latency", "--pair", "seed-order", "--no-arrays"]) == 2
    out = tmp_path / "r.json"
    arguments = ["bench", "latency", "--no-arrays", "--rounds", "1", "--no-sweep", "--no-q8", "--out", str(out)]
    assert run(arguments) == 0
    assert len(json.loads(out.read_text("utf-8"))["runs"][0]["pairs"]) == 16
    assert run(["bench", "latency", "--pair", "loan-terms", "--rounds", "1", "--no-sweep"]) == 0
    assert not MadeWorker.made[-1].settings["reuse_prefix"]


def test_batches(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "r.json"
    assert run(["bench", "batch", "--out", str(out), "--cores", "2"]) == 0
    report = json.loads(out.read_text("utf-8"))
    assert [each["jobs"] for each in report["batches"]] == [1, 4, 16, 64]
    assert report["batches"][3]["per_second_together"] == pytest.approx(2.0)
    shown = capsys.readouterr().out
    assert "64 of 64" in shown
    assert "could not be filled" in shown
    assert run(["bench", "batch", "--jobs", "2", "--quick"]) == 0


def test_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out, markdown = tmp_path / "r.json", tmp_path / "r.md"
    arguments = ["bench", "memory", "--tokens", "2048", "--tokens", "2000000", "--fields", "1"]
    assert run([*arguments, "--out", str(out), "--markdown", str(markdown)]) == 0
    fills = json.loads(out.read_text("utf-8"))["fills"]
    assert [(each["tokens"], each["fields"]) for each in fills] == [(2048, 10), (2000000, 10), (1024, 1)]
    assert fills[0]["state"] == 2048 * 1000 * 4
    assert fills[1]["error"] == "it does not fit"
    assert "it does not fit" in capsys.readouterr().out
    assert "2.05" in markdown.read_text("utf-8")  # 16 MiB over 7.8 MiB
    assert len(MadeWorker.made) == 3
