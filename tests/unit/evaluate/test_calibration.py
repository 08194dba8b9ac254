"""Temperatures: a known one is found again, and written where the engine looks for it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from deg_core.contract.plan import FieldPlan, FillPlan, Mode
from deg_core.contract.request import Options
from deg_core.engine.rounds import RawField
from deg_core.errors import CheckpointError, RuntimeLimitError
from deg_core.evaluate.calibration import FEWEST, Gathered, Rows, calibrate, fit, gather, write_calibrated
from deg_core.plugins.checkpoint import DegJson, read_checkpoint, write_checkpoint
from deg_core.rendering.layout import ForkLayout
from tests.unit.evaluate.making import record


def drawn(temperature: float, *, rows: int, outcomes: int, seed: int = 0) -> Rows:
    """Rows whose right outcome is drawn from softmax(logits / temperature)."""
    generator = np.random.default_rng(seed)
    made = Rows()
    for _ in range(rows):
        logits = generator.normal(0, 3, outcomes)
        weights = np.exp(logits / temperature)
        made.add(logits, [int(generator.choice(outcomes, p=weights / weights.sum()))])
    return made


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.5])
@pytest.mark.parametrize("outcomes", [2, 7])
def test_a_known_temperature_is_found(temperature: float, outcomes: int):
    found = fit(drawn(temperature, rows=2000, outcomes=outcomes))
    assert found.temperature == pytest.approx(temperature, rel=0.15)
    assert found.after[0] <= found.before[0]
    assert found.after[1] < 0.05
    assert not found.at_bound


def test_the_minimum_is_one():
    rows = drawn(1.7, rows=300, outcomes=5)
    best = fit(rows).temperature
    assert rows.nll(best) <= min(rows.nll(best * 1.001), rows.nll(best * 0.999))


def test_nll_with_several_right_outcomes():
    rows = Rows()
    rows.add([0.0, 0.0, 0.0, 0.0], [0, 3])
    rows.add([2.0, 0.0], [0])
    assert rows.nll(1.0) == pytest.approx((np.log(2) + np.log1p(np.exp(-2))) / 2)
    assert rows.nll(2.0) == pytest.approx((np.log(2) + np.log1p(np.exp(-1))) / 2)
    assert rows.error(1.0) >= 0
    with pytest.raises(ValueError, match="at least one"):
        rows.add([1.0], [])


def test_rows_that_are_always_right_stop_at_the_bound():
    rows = Rows()
    for _ in range(40):
        rows.add([4.0, 0.0], [0])
    found = fit(rows)
    assert found.at_bound
    assert found.temperature >= 0.05


def test_few_rows_are_not_fitted():
    gathered = Gathered(
        {"choice": drawn(2.0, rows=FEWEST, outcomes=3), "noul": drawn(2.0, rows=FEWEST - 1, outcomes=2)}
    )
    fits = calibrate(gathered, {"choice": 1.5})
    assert set(fits) == {"choice"}
    assert fits["choice"].old == 1.5


class Reading:
    """Stands for a model: every logit is its index, and the options are rendered in reverse."""

    def __init__(self) -> None:
        self.heads = {mode: SimpleNamespace(kind=mode.value.partition(".")[0]) for mode in Mode}

    def check(self, text: str, plan: FillPlan, options: Options) -> None:
        if len(text) > 50:
            raise RuntimeLimitError("too long")

    def read(self, tasks: list[tuple[str, FillPlan]]) -> list[tuple[Any, list[RawField]]]:
        ((text, plan),) = tasks
        offsets = tuple((k, k + 2) for k in range(0, len(text), 2))
        layout = SimpleNamespace(layout=SimpleNamespace(offsets=offsets))
        return [(layout, [RawField(field, *self.fork(field, len(offsets))) for field in plan.fields])]

    def fork(self, field: FieldPlan, tokens: int) -> tuple[ForkLayout, torch.Tensor]:
        if field.mode.extracts:
            return ForkLayout((), (), ()), torch.arange(2.0 * (tokens + 1)).reshape(2, tokens + 1)
        count = 2 if field.mode is Mode.NOUL else len(field.options)
        return ForkLayout((), (), tuple(reversed(range(count)))), torch.arange(float(count))


def test_gathering_the_right_outcomes(monkeypatch: pytest.MonkeyPatch):
    taken: list[tuple[int, list[int]]] = []
    monkeypatch.setattr(Rows, "add", lambda self, logits, right: taken.append((len(list(logits)), sorted(right))))
    made = record(
        "1",
        "abcdefgh",
        {
            "c": {"enum": ["x", "y", "z"]},
            "b": {"type": "boolean"},
            "s": {"type": ["string", "null"]},
            "t": {"type": ["string", "null"]},
            "rows": {"type": "array", "items": {"type": "string"}},
        },
        {"c": "x", "b": False, "s": "cd", "t": None, "rows": ["a"]},
        spans={"/s": (2, 4)},
        span_alternatives={"/s": [(5, 8)]},
    )
    long = record("2", "x" * 60, {"b": {"type": "boolean"}}, {"b": True})
    gathered = gather(Reading(), [made, long])  # type: ignore[arg-type]
    assert taken == [(3, [2]), (2, [1]), (5, [1, 2]), (5, [1, 3]), (5, [4]), (5, [4])]
    assert (gathered.records, gathered.too_long) == (1, 1)
    assert set(gathered.rows) == {"decide", "extract"}


# Writing


def checkpoint(folder: Path) -> DegJson:
    folder.mkdir()
    (folder / "heads.safetensors").write_bytes(b"weights")
    spec = DegJson(
        model_id="deg-made",
        backbone="made",
        heads={"decide.noul": "noul"},
        template_version=1,
        temperatures={"extract": 3.0, "noul": 1.0},
    )
    return write_checkpoint(folder, spec)


@pytest.mark.parametrize("in_place", [False, True])
def test_a_calibrated_copy(tmp_path: Path, in_place: bool):
    folder = tmp_path / "before"
    spec = checkpoint(folder)
    target = folder if in_place else tmp_path / "after"
    fits = {"noul": fit(drawn(2.0, rows=200, outcomes=2))}
    write_calibrated(folder, spec, target, fits, about={"split": "val"})
    written = read_checkpoint(target)
    assert written.temperatures == {"extract": 3.0, "noul": fits["noul"].temperature}
    assert written.provenance.config["calibration"]["split"] == "val"
    assert written.provenance.config["calibration"]["fits"]["noul"]["rows"] == 200
    assert (target / "heads.safetensors").read_bytes() == b"weights"
    same = msgspec.structs.replace(written, temperatures=spec.temperatures, provenance=spec.provenance)
    assert same == spec
    if not in_place:
        assert read_checkpoint(folder) == spec
        with pytest.raises(CheckpointError, match="holds a checkpoint already"):
            write_calibrated(folder, spec, target, fits)
