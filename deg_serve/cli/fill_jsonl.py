"""``deg fill --jsonl``: every line of a file, as often stopped and started again as may be."""

from __future__ import annotations

import contextlib
import io
import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

import click
import msgspec

from deg_core.contract.compiler import compile_schema
from deg_core.contract.request import parse_options
from deg_core.errors import FillError, Problem, RequestError
from deg_core.plugins.manager import get_plugins
from deg_serve.cli import exits
from deg_serve.cli.inputs import STDIN, read_json
from deg_serve.jsonl.fill import Defaults, fill_lines
from deg_serve.jsonl.lines import digest_of, read_lines
from deg_serve.jsonl.resume import Done, Run, resume

_PIPE: Final = "standard output"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the command was asked to do. ``source`` and ``out`` may be "-"."""

    source: str
    out: str
    schema: str | None
    options: Mapping[str, Any]
    value_only: bool
    restart: bool
    size: int
    ckpt: str
    base_model: Path | None
    device: str | None
    compute: str | None
    threads: int | None


def fill_jsonl(task: Task) -> int:
    """Do it, and return the exit status. Raises DegError when nothing could start."""
    if STDIN == task.source == task.schema:
        raise click.UsageError("--jsonl and --schema cannot both be standard input")
    # Everything that can be wrong with the input is found before the weights are loaded.
    document = None if task.schema is None else read_json(task.schema)
    if document is not None:
        compile_schema(document)
    parse_options(task.options, array_decoders=get_plugins().array_decoders.names())
    run = _run(task, document)
    with ExitStack() as stack:
        source = stack.enter_context(_source(task.source))
        output, resumable = stack.enter_context(_output(task.out))
        lines = read_lines(source)
        done = Done(0, 0, 0, lines)
        if resumable:
            _refuse_one_file(source, output, task)
            if task.restart:
                output.truncate(0)
            else:
                done = resume(output, lines, run, task.out)
        first = next(done.rest, None)
        if first is None:  # nothing to do, and no weights to load for it
            return _tell(task, done, done.filled, done.failed)
        engine = _engine(task)
        batches = fill_lines(
            engine,
            chain([first], done.rest),
            run,
            Defaults(document, task.options),
            size=task.size,
            value_only=task.value_only,
        )
        show = stack.enter_context(_progress(source, done))
        filled, failed = done.filled, done.failed
        try:
            for batch in batches:
                _write(output, batch.lines, task, to_disk=resumable)
                filled, failed = filled + len(batch.lines) - batch.failed, failed + batch.failed
                show(batch.input_end, filled, failed)
        except KeyboardInterrupt:
            if resumable:
                click.echo(f"deg: stopped after {filled + failed} lines; the same command goes on from there", err=True)
            raise
    return _tell(task, done, filled, failed)


def _write(output: BinaryIO, lines: Sequence[bytes], task: Task, *, to_disk: bool) -> None:
    try:
        output.writelines(lines)
        output.flush()
        if to_disk:
            os.fsync(output.fileno())
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FillError(f"{task.out} cannot be written: {error.strerror or error}") from None


def _engine(task: Task) -> Any:
    from deg_serve.cli.fill import load
    from deg_serve.engine import ModelEngine

    return ModelEngine(load(task.ckpt, task.compute, task.threads, task.base_model, device=task.device))


def _run(task: Task, document: Any) -> Run:
    """What the lines are filled with. The checkpoint is known by its deg.json, which has digests of its weights."""
    from deg_core.engine.find import find

    spec = find(Path(task.ckpt) if Path(task.ckpt).is_dir() else task.ckpt, get_plugins()).spec
    on_cpu = (task.device or "cpu") == "cpu"
    compute = task.compute or (spec.compute.cpu if on_cpu else spec.compute.gpu)
    place = () if on_cpu else ("gpu",)  # whose bits differ
    model = [msgspec.to_builtins(spec), compute, task.base_model and str(task.base_model), *place]
    return Run(
        schema=_digest(document),
        options=_digest({**task.options, "value_only": task.value_only}),
        model=_digest(model),
    )


def _digest(value: Any) -> str:
    return digest_of(json.dumps(value, ensure_ascii=False).encode())


@contextmanager
def _source(name: str) -> Iterator[BinaryIO]:
    if name == STDIN:
        yield sys.stdin.buffer
        return
    try:
        stream = Path(name).open("rb")  # noqa: SIM115 - what opening raises must not be mixed with what reading does
    except OSError as error:
        raise _problem(name, f"cannot be read: {error.strerror or error}") from None
    with stream:
        yield stream


@contextmanager
def _output(name: str) -> Iterator[tuple[BinaryIO, bool]]:
    """The output, and whether it is a file that can be gone on with. A pipe or a device cannot."""
    if name == STDIN:
        yield sys.stdout.buffer, False
        return
    try:
        resumable = not os.path.exists(name) or stat.S_ISREG(os.stat(name).st_mode)
        # A pipe is opened for writing alone, which waits for its reader.
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) if resumable else os.O_WRONLY
        stream = os.fdopen(os.open(name, flags, 0o666), "r+b" if resumable else "wb")
    except OSError as error:
        raise _problem(name, f"cannot be written: {error.strerror or error}") from None
    with stream:
        if resumable:
            _lock(stream, name)
        yield stream, resumable


def _lock(stream: BinaryIO, name: str) -> None:
    """Two runs on one output would mix their lines. The lock goes with the process, however that ends."""
    try:
        import fcntl
    except ImportError:  # Windows has no such lock
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise _problem(name, "another run is writing it; wait for its end, or name another --out") from None


def _refuse_one_file(source: BinaryIO, output: BinaryIO, task: Task) -> None:
    with contextlib.suppress(io.UnsupportedOperation):  # an input that is no file of the system
        if os.path.sameopenfile(source.fileno(), output.fileno()):
            raise _problem(task.out, "is the input as well; name another --out")


class _Show(Protocol):
    def __call__(self, input_end: int, filled: int, failed: int) -> None: ...


@contextmanager
def _progress(source: BinaryIO, done: Done) -> Iterator[_Show]:
    """A bar on standard error while it is a terminal. It counts bytes of the input, whose lines nobody has counted."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(),
        TaskProgressColumn(show_speed=False),
        TextColumn("{task.fields[filled]} filled, {task.fields[failed]} failed"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        counted = bar.add_task(
            "", total=_size(source), completed=done.input_end, filled=done.filled, failed=done.failed
        )

        def show(input_end: int, filled: int, failed: int) -> None:
            bar.update(counted, completed=input_end, filled=filled, failed=failed)

        yield show


def _size(source: BinaryIO) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        found = os.fstat(source.fileno())
        if stat.S_ISREG(found.st_mode):
            return found.st_size
    return None


def _tell(task: Task, done: Done, filled: int, failed: int) -> int:
    """Say what was done, and return the exit status."""
    before = done.filled + done.failed
    earlier = f"; {before} of them by earlier runs" if before else ""
    where = _PIPE if task.out == STDIN else task.out
    click.echo(f"deg: {filled + failed} lines: {filled} filled, {failed} failed{earlier}; {where}", err=True)
    return exits.NOT_FILLED if failed else exits.DONE


def _problem(name: str, msg: str) -> RequestError:
    return RequestError([Problem(loc=["standard input" if name == STDIN else name], msg=msg)])
