"""Records on disk: JSON Lines, plain or gzip, one file or a folder of them."""

from __future__ import annotations

import gzip
import io
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import msgspec

from deg_core.errors import RecordError
from deg_core.records.record import Record, Split

SUFFIXES = (".jsonl", ".jsonl.gz")


def record_files(path: str | os.PathLike[str]) -> list[Path]:
    """The record files at ``path``: itself, or the ``.jsonl`` and ``.jsonl.gz`` files directly in it, sorted by name.

    Raises:
        RecordError: nothing there, or a folder without record files.
    """
    root = Path(path)
    if root.is_file():
        return [root]
    if not root.is_dir():
        raise RecordError(f"{root}: no such file or folder; give a .jsonl or .jsonl.gz file, or a folder of them")
    files = sorted(file for file in root.iterdir() if file.name.endswith(SUFFIXES) and file.is_file())
    if not files:
        raise RecordError(f"{root}: the folder holds no .jsonl or .jsonl.gz file")
    return files


def read_lines(path: str | os.PathLike[str]) -> Iterator[tuple[str, bytes]]:
    r"""``(file:line, bytes)`` of every line that is not blank, cut at ``\n`` only (strings may hold U+2028).

    Raises:
        RecordError: the file cannot be read or its gzip data is damaged.
    """
    for file in record_files(path):
        number = 0
        try:
            with _opened(file) as stream:
                for number, line in enumerate(stream, start=1):
                    if line.strip():
                        yield f"{file}:{number}", line
        except (EOFError, gzip.BadGzipFile, zlib.error, OSError) as error:
            raise RecordError(f"{file}:{number + 1}: cannot be read ({error})") from error


def read_records(path: str | os.PathLike[str], *, split: Split | None = None) -> Iterator[Record]:
    """The records at ``path`` in file and line order, only those of ``split`` when it is given.

    Raises:
        RecordError: a line is not a record; the message names file and line and what was found.
    """
    decoder = msgspec.json.Decoder(Record)
    for place, line in read_lines(path):
        try:
            record = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RecordError(f"{place}: not a record: {error}") from error
        if split is None or record.split == split:
            yield record


def write_records(path: str | os.PathLike[str], records: Iterable[Record]) -> int:
    """Write ``records`` to a ``.jsonl`` or ``.jsonl.gz`` file and return how many there were.

    The file appears whole or not at all, and equal records give equal bytes (the gzip header carries no time or
    name). A failing iterator leaves what was there before.

    Raises:
        RecordError: the name ends in neither suffix.
    """
    target = Path(path)
    if not target.name.endswith(SUFFIXES):
        raise RecordError(f"{target}: records are written to a file ending in .jsonl or .jsonl.gz")
    target.parent.mkdir(parents=True, exist_ok=True)
    encoder = msgspec.json.Encoder()
    count = 0
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as raw:
            with _compressed(raw, packed=target.name.endswith(".gz")) as stream:
                for record in records:
                    stream.write(encoder.encode(record) + b"\n")
                    count += 1
            raw.flush()
            os.fsync(raw.fileno())
        os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return count


@contextmanager
def _opened(file: Path) -> Iterator[IO[bytes]]:
    if file.name.endswith(".gz"):
        with gzip.open(file, "rb") as packed:
            yield cast("IO[bytes]", packed)
    else:
        with file.open("rb") as plain:
            yield plain


@contextmanager
def _compressed(raw: IO[Any], *, packed: bool) -> Iterator[IO[bytes]]:
    if not packed:
        yield raw
        return
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=6) as stream,
        io.BufferedWriter(cast("Any", stream)) as buffered,
    ):
        yield cast("IO[bytes]", buffered)
