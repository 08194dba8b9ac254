"""Records through a predictor, each outcome written when it is known, so that a run that stops goes on where it was."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

import msgspec

from deg_core.contract.compiler import compile_schema
from deg_core.errors import DegError, FillError, RecordError, RuntimeLimitError
from deg_core.evaluate.outcome import RecordOutcome
from deg_core.evaluate.predictor import Prediction, Predictor
from deg_core.evaluate.prune import prune_record
from deg_core.evaluate.scoring import digest, score_record
from deg_core.records import Record

FORMAT = "deg-outcomes-2"


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of an outcomes file: whose outcomes these are."""

    format: str
    predictor: str
    fingerprint: str


_encoder = msgspec.json.Encoder()


def run(
    records: Iterable[Record],
    predictor: Predictor,
    path: Path | None = None,
    *,
    replace: bool = False,
    arrays: bool = True,
    on_outcome: Callable[[RecordOutcome], None] | None = None,
) -> list[RecordOutcome]:
    """The outcomes of ``records``, in their order; records of which no field can be scored are left out. Without
    ``arrays`` these are taken out of schemas and values first, as written texts always are.

    With ``path`` outcomes are appended to that file as they come, and those it holds already are not made again. A
    file of another predictor is refused, or with ``replace`` begun anew. ``on_outcome`` sees every outcome.

    Raises RecordError for an outcomes file that is damaged or of another predictor, SchemaError for a record whose
    schema does not compile.
    """
    store = None if path is None else OutcomeFile(path, predictor, replace=replace)
    try:
        found = []
        for record in records:
            left = prune_record(record, arrays=arrays)
            if left is None:
                continue
            known = store.known.get((left.source, left.uid, digest(left))) if store else None
            outcome = known or evaluate_record(left, predictor)
            if store and known is None:
                store.append(outcome)
            if on_outcome:
                on_outcome(outcome)
            found.append(outcome)
        return found
    finally:
        if store:
            store.close()


def evaluate_record(record: Record, predictor: Predictor) -> RecordOutcome:
    """The outcome of one record. A predictor that gives no value is scored, not raised; ``seconds`` is its time."""
    plan = compile_schema(record.schema)
    started = time.perf_counter()
    prediction: Prediction | None = None
    error: DegError | None = None
    try:
        prediction = predictor.predict(record.context, record.schema)
    except (FillError, RuntimeLimitError) as caught:
        error = caught
    return score_record(record, plan, prediction, seconds=time.perf_counter() - started, error=error)


class OutcomeFile:
    """Outcomes on disk: JSON Lines, a header first. A last line that was cut short is dropped and made again."""

    def __init__(self, path: Path, predictor: Predictor, *, replace: bool = False) -> None:
        self.path = path
        self.known: dict[tuple[str, str, str], RecordOutcome] = {}
        header = Header(format=FORMAT, predictor=predictor.name, fingerprint=predictor.fingerprint)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._stream: IO[bytes] = open(path, "a+b")  # noqa: SIM115 - closed by close()
        try:
            found, end = _read_header(self._stream, path)
            if found is not None and found != header and not replace:
                raise RecordError(
                    f"{path} holds outcomes of {found.predictor} ({found.fingerprint[:12]}), not of "
                    f"{header.predictor} ({header.fingerprint[:12]}); name another file or delete this one"
                )
            if found != header:
                self._stream.truncate(0)
                self._write(header)
            else:
                self._load(end)
        except BaseException:
            self._stream.close()
            raise

    def append(self, outcome: RecordOutcome) -> None:
        """Write one outcome; it is in the operating system's hands when this returns."""
        self._write(outcome)

    def close(self) -> None:
        self._stream.close()

    def _write(self, entry: msgspec.Struct) -> None:
        self._stream.write(_encoder.encode(entry) + b"\n")
        self._stream.flush()

    def _load(self, end: int) -> None:
        for outcome, stop in _outcomes(self._stream, self.path):
            self.known[outcome.identity] = outcome
            end = stop
        self._stream.truncate(end)
        self._stream.seek(0, os.SEEK_END)


def read_outcomes(path: Path) -> tuple[Header, list[RecordOutcome]]:
    """Header and outcomes of a file. Raises RecordError when it is missing or damaged (but for a last line cut
    short)."""
    try:
        with open(path, "rb") as stream:
            header, _ = _read_header(stream, path)
            if header is None:
                raise RecordError(f"{path} holds no outcomes")
            return header, [outcome for outcome, _ in _outcomes(stream, path)]
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from error


def read_header(path: Path) -> Header | None:
    """Whose outcomes a file holds; None when it is not there or empty. Raises RecordError for another kind of file."""
    try:
        with open(path, "rb") as stream:
            return _read_header(stream, path)[0]
    except FileNotFoundError:
        return None


def _read_header(stream: IO[bytes], path: Path) -> tuple[Header | None, int]:
    """The header and where it ends; None for a file that is empty or was cut short in its first line."""
    stream.seek(0)
    line = stream.readline()
    if not line.endswith(b"\n"):
        if line and not line.startswith(b'{"format":"deg-outcomes-'):
            raise RecordError(f"{path} is not a file of outcomes; name another file")
        return None, 0
    try:
        header = msgspec.json.decode(line, type=Header)
    except msgspec.DecodeError as error:
        raise RecordError(f"{path}:1: not a file of outcomes ({error}); name another file") from error
    if header.format != FORMAT:
        raise RecordError(f"{path} has format {header.format!r}; this deg reads {FORMAT!r}: delete it to begin anew")
    return header, stream.tell()


def _outcomes(stream: IO[bytes], path: Path) -> Iterable[tuple[RecordOutcome, int]]:
    """Outcomes after the header, each with where its line ends."""
    decoder = msgspec.json.Decoder(RecordOutcome)
    for number, line in enumerate(iter(stream.readline, b""), start=2):
        if not line.endswith(b"\n"):
            return
        try:
            outcome = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RecordError(f"{path}:{number}: not an outcome: {error}; delete the file to begin anew") from error
        yield outcome, stream.tell()
