"""Snapshots from a hub: found where a person put them or in the hub's cache, fetched whole, named when missing."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from deg_backbones.lfm2.model import Lfm25Of1p2B
from deg_backbones.qwen3_5.sizes import Qwen35Of0p8B
from deg_core.engine.load import load_model
from deg_core.errors import CheckpointError, DownloadError
from deg_core.hub import BACKBONE, CHECKPOINT, is_hub_id, placed_folder, resolve_source, snapshot
from tests.fixtures.hybrid import SHAPES, write_published, write_snapshot

ROOT = Path(__file__).parents[3]
QWEN_ID, LFM2_ID = "Qwen/Qwen3.5-0.8B", "LiquidAI/LFM2.5-1.2B-Instruct"
constants = pytest.importorskip("huggingface_hub.constants", reason="the hub's client is the extra deg-fill[hub]")


@pytest.fixture(autouse=True)
def _no_network(deg_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty home, an empty hub cache, and nobody to ask."""
    monkeypatch.delenv("DEG_OFFLINE", raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)


def put_into_cache(cache: Path, hub_id: str, name: str) -> Path:
    """A snapshot as the hub's client keeps it: a folder named by commit, and a reference to it."""
    folder = cache / ("models--" + hub_id.replace("/", "--"))
    commit = "0" * 40
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text(commit)
    return write_snapshot(folder / "snapshots" / commit, SHAPES[name])


@pytest.mark.parametrize(
    ("name", "is_id"),
    [
        (QWEN_ID, True),
        ("acme/deg-0.1", True),
        ("embedded", False),
        ("a/b/c", False),
        ("/models/x", False),
        ("./model", False),
        ("../model", False),
        ("runs\\step-9", False),
    ],
)
def test_the_form_of_a_hub_id(name: str, is_id: bool):
    assert is_hub_id(name) is is_id


def test_a_folder_of_that_name_is_no_hub_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "step-9").mkdir(parents=True)
    assert not is_hub_id("runs/step-9")
    assert resolve_source("runs/step-9") == Path("runs/step-9")


def test_a_snapshot_that_a_person_put_into_the_home_is_used():
    folder = write_published(placed_folder(QWEN_ID), SHAPES["qwen"])
    assert Qwen35Of0p8B().default_source() == folder
    assert resolve_source(QWEN_ID) == resolve_source(Path(QWEN_ID)) == folder


@pytest.mark.parametrize("gone", ["tokenizer.json", "model-00002-of-00003.safetensors"])
def test_a_part_of_a_snapshot_in_the_home_is_told_by_name(gone: str):
    folder = write_published(placed_folder(QWEN_ID), SHAPES["qwen"])
    (folder / gone).unlink()
    with pytest.raises(CheckpointError, match=f"not a whole snapshot of {QWEN_ID}: it lacks {gone}"):
        snapshot(QWEN_ID, BACKBONE)


def test_a_snapshot_in_the_hubs_cache_is_used(tmp_path: Path):
    folder = put_into_cache(tmp_path / "cache", LFM2_ID, "lfm2")
    assert Lfm25Of1p2B().default_source() == folder
    (folder / "model.safetensors").unlink()
    with pytest.raises(DownloadError, match="HF_HUB_OFFLINE is set"):
        snapshot(LFM2_ID, BACKBONE)


def test_offline_one_line_says_what_to_put_where(deg_home: Path):
    with pytest.raises(DownloadError) as caught:
        Qwen35Of0p8B().default_source()
    message = str(caught.value)
    assert "\n" not in message
    assert f"deg models pull {QWEN_ID}" in message
    assert "config.json, tokenizer.json, its .safetensors files into" in message
    assert str(deg_home / "weights" / "Qwen--Qwen3.5-0.8B") in message


def test_without_the_hubs_client_its_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(DownloadError, match=r"pip install 'deg-fill\[hub\]'"):
        snapshot(QWEN_ID, BACKBONE)


def test_a_base_model_that_is_nothing_is_refused():
    with pytest.raises(CheckpointError, match="no file or folder a/b/c, and it is no hub id"):
        resolve_source("a/b/c")


def test_a_backbones_name_stands_for_itself():
    with pytest.raises(DownloadError, match=f"deg models pull {QWEN_ID}"):
        load_model("qwen3.5-0.8b")


def test_a_snapshot_that_is_here_stands_for_itself(tmp_path: Path):
    put_into_cache(tmp_path / "cache", LFM2_ID, "lfm2")
    write_snapshot(placed_folder(QWEN_ID), SHAPES["qwen"])
    assert load_model(LFM2_ID).model_id == "lfm2-readout"
    assert load_model(QWEN_ID).model_id == "qwen3.5-readout"
    assert load_model("qwen3.5-0.8b").model_id == "qwen3.5-0.8b-readout"


def test_a_checkpoint_may_be_on_the_hub():
    with pytest.raises(DownloadError, match=r"put deg\.json, heads\.safetensors into"):
        load_model("acme/deg-0.1")
    folder = placed_folder("acme/deg-0.1")
    folder.mkdir(parents=True)
    (folder / "deg.json").write_text("{}")
    with pytest.raises(CheckpointError, match=r"lacks heads\.safetensors"):
        snapshot("acme/deg-0.1", CHECKPOINT)
    (folder / "heads.safetensors").write_bytes(b"")
    with pytest.raises(CheckpointError, match=r"deg\.json at format_version"):
        load_model("acme/deg-0.1")


# A hub of our own


@dataclass
class FakeHub:
    """A folder served as a repository of the hub's API; a file named in ``withheld`` cannot be had."""

    folder: Path
    withheld: set[str] = field(default_factory=set)
    requests: list[tuple[str, str]] = field(default_factory=list)
    url: str = ""


def listing(folder: Path, tree: bool) -> object:
    """What the hub tells of a repository: its files as a tree, or the repository with its files' names."""
    files = sorted(folder.iterdir())
    if tree:
        return [{"type": "file", "path": file.name, "size": file.stat().st_size, "oid": "2" * 40} for file in files]
    return {"id": QWEN_ID, "sha": "1" * 40, "siblings": [{"rfilename": file.name} for file in files]}


def handler_of(hub: FakeHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def _answer(self, *, body: bool) -> None:
            path = self.path.partition("?")[0]
            name = path.rpartition("/")[2]
            hub.requests.append((self.command, name))
            if path.startswith("/api/models/"):
                self._send(json.dumps(listing(hub.folder, "/tree/" in path)).encode(), {}, body)
                return
            file = hub.folder / name
            if not path.startswith(f"/{QWEN_ID}/resolve/") or not file.is_file():
                self._send(b"", {"X-Error-Code": "EntryNotFound"}, body, status=404)
                return
            content = file.read_bytes()
            headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()}"', "X-Repo-Commit": "1" * 40}
            self._send(content, headers, body, status=403 if body and name in hub.withheld else 200)

        def _send(self, content: bytes, headers: dict[str, str], body: bool, *, status: int = 200) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            if body:
                self.wfile.write(content)

    return Handler


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[FakeHub]:
    folder = write_published(tmp_path / "served", SHAPES["qwen"])
    for name in ("README.md", "pytorch_model.bin", "merges.txt", "preprocessor_config.json"):
        (folder / name).write_text("not needed")
    made = FakeHub(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(made))
    made.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


def pull(name: str, url: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """``deg models pull`` in a process of its own: the hub's client reads its settings when it is imported."""
    settings = {
        "HF_ENDPOINT": url,
        "HF_HOME": str(tmp_path / "hf"),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "DEG_HOME": str(tmp_path / "home"),
        "NO_PROXY": "127.0.0.1",
    }
    environment = {key: value for key, value in os.environ.items() if key != "HF_HUB_OFFLINE"} | settings
    command = [sys.executable, "-m", "deg_serve.cli.main", "models", "pull", name]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)


@pytest.mark.slow
def test_a_pull_fetches_what_is_needed_and_what_is_missing_only(hub: FakeHub, tmp_path: Path):
    shards = [f"model-0000{place}-of-00003.safetensors" for place in (1, 2, 3)]
    hub.withheld = {shards[1]}
    broken = pull(QWEN_ID, hub.url, tmp_path)
    assert broken.returncode != 0
    assert "could not be fetched (" in broken.stderr
    assert "Traceback" not in broken.stderr

    hub.withheld = set()
    done = pull(QWEN_ID, hub.url, tmp_path)
    assert done.returncode == 0, done.stderr
    folder = Path(done.stdout.strip())
    needed = {"config.json", "tokenizer.json", "model.safetensors.index.json", *shards}
    assert {file.name for file in folder.iterdir()} == needed
    assert all((folder / file).read_bytes() == (hub.folder / file).read_bytes() for file in needed)
    fetched = [name for command, name in hub.requests if command == "GET" and name in needed]
    assert {name: fetched.count(name) for name in needed} == {name: 2 if name == shards[1] else 1 for name in needed}

    asked = len(hub.requests)
    again = pull("qwen3.5-0.8b", hub.url, tmp_path)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert len(hub.requests) == asked, "a whole snapshot asks nobody"


@pytest.mark.slow
def test_a_repository_of_another_kind_is_told(hub: FakeHub, tmp_path: Path):
    (hub.folder / "tokenizer.json").unlink()
    done = pull(QWEN_ID, hub.url, tmp_path)
    assert done.returncode != 0
    assert f"{QWEN_ID} on the hub lacks tokenizer.json" in done.stderr
