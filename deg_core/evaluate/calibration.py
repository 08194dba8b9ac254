"""Fitting a checkpoint's temperatures on held-out records (SPEC 12.3): one for each kind of head, by likelihood.

A temperature T divides a head's logits before the softmax (Guo et al. 2017). It is fitted to the hard gold: for decide
heads the filled value, for extract heads any of the gold places (start and end each), or null where the field is
absent. It changes no order of outcomes, so it changes confidence and never a value (unless ``null_margin`` is used).
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load, save
from torch import Tensor

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import FieldPlan, Mode
from deg_core.contract.request import Options
from deg_core.engine.engine import Model
from deg_core.engine.fields import ReadContext
from deg_core.engine.spans import TextSpans
from deg_core.errors import CheckpointError, RuntimeLimitError
from deg_core.evaluate.comparison import MISSING, gold_outcome, is_absent, right_extract
from deg_core.evaluate.metrics import calibration_error
from deg_core.evaluate.prune import prune_record
from deg_core.evaluate.scoring import lookup, stands_alone
from deg_core.evaluate.span_fit import SpanRows, fit_spans
from deg_core.plugins.checkpoint import DEG_JSON, HEADS_FILE, WEIGHT_FILES, DegJson, write_atomic, write_checkpoint
from deg_core.protocols.language import SpanScores, speaks
from deg_core.protocols.spans import MAX_SPAN_TOKENS, LinkedSpans
from deg_core.records import Record
from deg_core.rendering.layout import cover

LOWEST, HIGHEST = 0.05, 20.0
FEWEST = 30  # rows; a temperature fitted to fewer says little
_GRID = 49
_GOLDEN = (math.sqrt(5) - 1) / 2


class Rows:
    """Softmax rows of one head kind with their right outcomes, laid end to end in float64."""

    def __init__(self) -> None:
        self._logits: list[NDArray[np.float64]] = []
        self._right: list[NDArray[np.bool_]] = []
        self._packed: _Packed | None = None

    def __len__(self) -> int:
        return len(self._logits)

    def add(self, logits: Iterable[float], right: Iterable[int]) -> None:
        """One row: its logits, and the indices of the outcomes that are right (at least one)."""
        row = np.asarray(list(logits), dtype=np.float64)
        marked = np.zeros(len(row), dtype=np.bool_)
        marked[list(right)] = True
        if not marked.any():
            raise ValueError("a row needs at least one right outcome")
        self._logits.append(row)
        self._right.append(marked)
        self._packed = None

    def nll(self, temperature: float) -> float:
        """Mean negative log of the probability that the right outcomes have together (nats)."""
        packed = self._pack()
        everything = _logsumexp(packed.logits / temperature, packed.starts)
        right = _logsumexp(packed.right_logits / temperature, packed.right_starts)
        return float(np.mean(everything - right))

    def error(self, temperature: float) -> float:
        """Expected calibration error of the likeliest outcome of each row."""
        sure, right = [], []
        for row, marked in zip(self._logits, self._right, strict=True):
            scaled = row / temperature
            top = int(scaled.argmax())
            sure.append(1 / np.exp(scaled - scaled[top]).sum())
            right.append(marked[top])
        return calibration_error(np.array(sure), np.array(right, dtype=np.float64))

    def _pack(self) -> _Packed:
        if self._packed is None:
            right = [row[marked] for row, marked in zip(self._logits, self._right, strict=True)]
            self._packed = _Packed(
                np.concatenate(self._logits), _starts(self._logits), np.concatenate(right), _starts(right)
            )
        return self._packed


@dataclass(frozen=True, slots=True)
class _Packed:
    logits: NDArray[np.float64]
    starts: NDArray[np.intp]
    right_logits: NDArray[np.float64]
    right_starts: NDArray[np.intp]


def _starts(rows: list[NDArray[np.float64]]) -> NDArray[np.intp]:
    return np.cumsum([0, *(len(row) for row in rows[:-1])], dtype=np.intp)


def _logsumexp(flat: NDArray[np.float64], starts: NDArray[np.intp]) -> NDArray[np.float64]:
    """log-sum-exp of each run of ``flat`` that begins at ``starts``."""
    peak = np.maximum.reduceat(flat, starts)
    lengths = np.diff(np.append(starts, len(flat)))
    return np.asarray(peak + np.log(np.add.reduceat(np.exp(flat - np.repeat(peak, lengths)), starts)))


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted temperature. ``before`` and ``after`` are (mean NLL, calibration error) at the old temperature and at
    the new one. ``at_bound`` says that the likelihood was still rising at the end of the range searched. Of a head that
    scores whole spans, ``null_bias`` is what its own is to be raised by, and ``missed`` how many right spans its search
    did not come to."""

    temperature: float
    old: float
    rows: int
    before: tuple[float, float]
    after: tuple[float, float]
    at_bound: bool
    null_bias: float | None = None
    missed: int = 0

    def as_dict(self) -> dict[str, Any]:
        spans = {} if self.null_bias is None else {"null_bias": self.null_bias, "missed": self.missed}
        return spans | {
            "temperature": self.temperature,
            "was": self.old,
            "rows": self.rows,
            "nll": {"before": self.before[0], "after": self.after[0]},
            "ece": {"before": self.before[1], "after": self.after[1]},
            "at_bound": self.at_bound,
        }


def fit(rows: Rows, *, old: float = 1.0) -> Fit:
    """The temperature of the least NLL: a scan of ``LOWEST`` to ``HIGHEST``, then golden section to 1e-6 in log T.

    The scan is there because several right outcomes make the curve not convex.
    """
    grid = np.linspace(math.log(LOWEST), math.log(HIGHEST), _GRID)
    curve = [rows.nll(math.exp(point)) for point in grid]
    best = int(np.argmin(curve))
    low, high = grid[max(0, best - 1)], grid[min(_GRID - 1, best + 1)]
    temperature = math.exp(_golden(lambda point: rows.nll(math.exp(point)), float(low), float(high)))
    return Fit(
        temperature,
        old,
        len(rows),
        (rows.nll(old), rows.error(old)),
        (rows.nll(temperature), rows.error(temperature)),
        best in (0, _GRID - 1),
    )


def _golden(curve: Callable[[float], float], low: float, high: float) -> float:
    """The minimum of a curve with one minimum in [low, high] (Kiefer 1953)."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = curve(left), curve(right)
    while high - low > 1e-6:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = curve(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = curve(right)
    return (low + high) / 2


@dataclass(slots=True)
class Gathered:
    """Rows by head kind, and the records that were too long to read."""

    rows: dict[str, Rows] = field(default_factory=dict)
    spans: dict[str, SpanRows] = field(default_factory=dict)
    records: int = 0
    too_long: int = 0


def gather(model: Model, records: Iterable[Record], *, on_record: Callable[[Record], None] | None = None) -> Gathered:
    """Raw logits of every field outside arrays that has a gold, by head kind."""
    found = Gathered()
    for record in records:
        left = prune_record(record, arrays=False)
        if left is not None:
            _read(model, left, found)
        if on_record:
            on_record(record)
    return found


def _read(model: Model, record: Record, found: Gathered) -> None:
    plan = compile_schema(record.schema)
    try:
        model.check(record.context, plan, Options())
    except RuntimeLimitError:
        found.too_long += 1
        return
    ((read, raw),) = model.read([(record.context, plan)])
    found.records += 1
    spans = TextSpans(read.layout, Options())
    for item in raw:
        kind = model.heads[item.field.mode].kind
        if isinstance(item.logits, SpanScores):
            _add_spans(found.spans.setdefault(kind, SpanRows()), item.field, item.logits, record, spans)
        else:
            _add(found.rows.setdefault(kind, Rows()), item.field, item.layout.order, item.logits, record, read)


def _add_spans(rows: SpanRows, field: FieldPlan, scored: SpanScores, record: Record, spans: TextSpans) -> None:
    """The row of one extract field whose spans were scored as wholes."""
    if not stands_alone(field):
        return
    gold = lookup(record.value, field)
    if is_absent(gold):
        right = [len(scored.spans)]
    else:
        values = [spans.read(field, *span).value for span in scored.spans]
        right = [
            index
            for index, (value, span) in enumerate(zip(values, scored.spans, strict=True))
            if right_extract(record, field, field.pointer, gold, value, span)
        ]
    rows.add(scored.scores.tolist(), right)


def _add(
    rows: Rows, field: FieldPlan, order: Sequence[int], raw: Tensor | LinkedSpans, record: Record, read: ReadContext
) -> None:
    """The rows of one field: one of a decide field, start and end of an extract field."""
    if not stands_alone(field):
        return
    gold = lookup(record.value, field)
    if field.mode.decides:
        index = gold_outcome(field, gold)
        if index is not None:
            rows.add(cast("Tensor", raw).double().tolist(), [index if field.mode is Mode.NOUL else order.index(index)])
        return
    offsets = read.layout.offsets
    null = len(offsets)
    if gold is MISSING or gold is None:
        covers = [(null, null)]
    elif field.pointer in record.spans:
        places = [record.spans[field.pointer], *record.span_alternatives.get(field.pointer, ())]
        covers = [cover(offsets, start, end) for start, end in places]
    else:
        return  # a value without a place says nothing about places
    if isinstance(raw, LinkedSpans):
        rows.add(raw.logits[1].double().tolist(), {last for _, last in covers})
        for end in {last for _, last in covers} - {null}:
            lengths = {last - first for first, last in covers if last == end and last - first < MAX_SPAN_TOKENS}
            if lengths:
                rows.add(raw.before(torch.tensor([end]))[0, : end + 1].double().tolist(), lengths)
        return
    starts, ends = raw.double().tolist()
    rows.add(starts, {first for first, _ in covers})
    rows.add(ends, {last for _, last in covers})


def calibrate(gathered: Gathered, temperatures: dict[str, float]) -> dict[str, Fit]:
    """A fit for every kind with at least ``FEWEST`` rows. ``temperatures`` are those in use now."""
    fits = {
        kind: fit(rows, old=temperatures.get(kind, 1.0)) for kind, rows in gathered.rows.items() if len(rows) >= FEWEST
    }
    for kind, rows in gathered.spans.items():
        if len(rows) >= FEWEST:
            fits[kind] = _of_spans(rows, temperatures.get(kind, 1.0))
    return dict(sorted(fits.items()))


def _of_spans(rows: SpanRows, old: float) -> Fit:
    found = fit_spans(rows, old=old)
    return Fit(
        found.temperature,
        old,
        len(rows),
        found.before,
        found.after,
        found.at_bound,
        null_bias=found.bias,
        missed=found.missed,
    )


def settings(model: Model, fits: Mapping[str, Fit]) -> dict[str, Tensor]:
    """The tensors of the model's language heads, by their names in a checkpoint, with the fitted null biases."""
    tensors: dict[str, Tensor] = {}
    for query, head in model.heads.items():
        if not speaks(head):
            continue
        own = {name: value.detach().clone() for name, value in head.state_dict().items()}
        raised = fits[head.kind].null_bias if head.kind in fits else None
        if raised is not None and "null_bias" in own:
            own["null_bias"] += raised
        tensors |= {f"{model.spec.heads[query.value]}.{name}": value.contiguous() for name, value in own.items()}
    return tensors


def write_calibrated(
    folder: Path | None,
    spec: DegJson,
    target: Path,
    fits: dict[str, Fit],
    *,
    about: dict[str, Any] | None = None,
    tensors: Mapping[str, Tensor] | None = None,
) -> DegJson:
    """A copy of checkpoint ``folder`` in ``target`` with the fitted temperatures; ``target`` may be ``folder`` itself.
    Without a folder (a backbone that nobody trained) the checkpoint is new. ``tensors`` take the place of those of the
    same names in its heads.

    Temperatures of kinds that were not fitted stay. How they were fitted, and ``about``, goes into the provenance.
    Raises CheckpointError when ``target`` holds another checkpoint.
    """
    same = folder is not None and target.exists() and target.samefile(folder)
    if not same and (target / DEG_JSON).exists():
        raise CheckpointError(f"{target} holds a checkpoint already; name a new folder")
    target.mkdir(parents=True, exist_ok=True)
    if folder is not None and not same:
        for name in WEIGHT_FILES:
            if (folder / name).is_file():
                shutil.copyfile(folder / name, target / name)
    if tensors:
        heads = target / HEADS_FILE
        kept = load(heads.read_bytes()) if heads.is_file() else {}
        write_atomic(heads, save({**kept, **tensors}))
    note = {**(about or {}), "fits": {kind: found.as_dict() for kind, found in fits.items()}}
    provenance = msgspec.structs.replace(spec.provenance, config={**spec.provenance.config, "calibration": note})
    temperatures = {**spec.temperatures, **{kind: found.temperature for kind, found in fits.items()}}
    return write_checkpoint(target, msgspec.structs.replace(spec, temperatures=temperatures, provenance=provenance))
