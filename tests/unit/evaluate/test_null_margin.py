"""``null_margin`` weighed from one reading: as if every record had been filled at every margin."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.engine.engine import Model
from deg_core.errors import RuntimeLimitError
from deg_core.evaluate.null_margin import MARGINS, Lead, Leads, best, gather, weigh
from deg_core.evaluate.predictor import ModelPredictor
from deg_core.evaluate.runner import run as run_records
from deg_core.records import Record, write_records
from deg_serve.cli.main import run
from tests.fixtures.tiny import Tiny
from tests.unit.evaluate.making import record

PROPERTIES = {
    "who": {"type": ["string", "null"]},
    "total": {"type": ["number", "null"]},
    "day": {"type": ["string", "null"], "format": "date"},
    "mail": {"type": "string", "format": "email"},
    "note": {"type": "string"},
    "paid": {"type": "boolean"},
    "rows": {"type": "array", "items": {"type": "string"}},
}
REQUIRED = ["who", "total", "day", "note", "paid"]  # a mail that is not there is left out, a note must be found


def made(count: int) -> list[Record]:
    found = []
    for k in range(count):
        text = f"Ann owes {k + 10}.50 since 2024-0{k % 9 + 1}-03" if k % 2 else f"Nothing here but no. {k} of many."
        value = {"who": "Ann", "total": k + 10.5, "day": f"2024-0{k % 9 + 1}-03"} if k % 2 else {}
        filled = {"who": None, "total": None, "day": None, "paid": True, "note": text[:3], "rows": [], **value}
        spans = {"/note": (0, 3), **({"/who": (0, 3)} if k % 2 else {})}
        found.append(
            record(str(k), text, PROPERTIES, filled, required=REQUIRED, spans=spans, split="val", source=f"s{k % 2}")
        )
    return found


def test_the_leads_say_what_a_fill_at_each_margin_gives(tiny_models: Mapping[str, Model], tmp_path: Path):
    model, records = tiny_models["fp32"], made(6)
    leads = gather(model, records)
    assert leads.records == 6
    assert leads.modes == ["date", "number", "span"]
    assert all(len(one) == 4 for source in leads.sources.values() for one in source)  # no note, no paid, no rows
    beats = sorted(lead.nats for source in leads.sources.values() for one in source for lead in one)
    finite = [nats for nats in beats if math.isfinite(nats)]
    assert finite, "no field of the tiny model has a span"
    between = [(a + b) / 2 for a, b in itertools.pairwise(finite) if b - a > 1e-6]
    for margin in (MARGINS[0], 0.0, *between[:4]):
        predictor = ModelPredictor(model, options={"null_margin": margin})
        outcomes = run_records(records, predictor, tmp_path / f"{margin}.jsonl", arrays=False)
        filled = [
            [one.right for one in outcome.fields if one.key in ("who", "total", "day", "mail")]
            for outcome in sorted(outcomes, key=lambda each: (each.source, each.uid))
        ]
        foretold = [
            [lead.is_right(margin) for lead in one] for source in sorted(leads.sources) for one in leads.sources[source]
        ]
        assert filled == foretold, margin


LEADS = st.builds(
    Lead, st.sampled_from(["span", "date"]), st.booleans(), st.booleans(), st.floats(-6, 6) | st.just(-math.inf)
)


@given(st.lists(st.lists(LEADS, max_size=4), min_size=1, max_size=6))
def test_a_higher_margin_finds_less_and_makes_up_less(records: list[list[Lead]]):
    figures = weigh(Leads({"made": records}))
    assert [each.margin for each in figures] == list(MARGINS)
    found = [each.present_right.value for each in figures if each.present_right]
    nulls = [each.absent_null.value for each in figures if each.absent_null]
    assert found == sorted(found, reverse=True)
    assert nulls == sorted(nulls)
    chosen = best(figures, lambda each: each.balanced)
    assert max(each.balanced for each in figures) == pytest.approx(
        next(each.balanced for each in figures if each.margin == chosen)
    )


def test_of_equally_good_margins_the_nearest_to_nothing_is_best():
    leads = Leads({"made": [[Lead("span", True, True, 3.0), Lead("span", False, False, -2.5)]]})
    figures = weigh(leads)
    assert best(figures, lambda each: each.balanced) == 0.0
    shifted = Leads({"made": [[Lead("span", True, True, 3.0), Lead("span", False, False, 1.1)]]})
    assert best(weigh(shifted), lambda each: each.balanced) == 1.25
    assert weigh(leads, mode="date")[0].accuracy is None


def test_a_text_that_is_too_long_is_counted_and_left_out(
    tiny_models: Mapping[str, Model], monkeypatch: pytest.MonkeyPatch
):
    model = tiny_models["fp32"]

    def check(context: str, *_: object) -> None:
        if "Nothing" in context:
            raise RuntimeLimitError("too long")

    monkeypatch.setattr(model, "check", check)
    seen: list[None] = []
    leads = gather(model, made(4), on_record=lambda: seen.append(None))
    assert (leads.too_long, leads.records, len(seen)) == (2, 2, 4)


def test_the_command_names_the_margin_and_writes_every_figure(
    tiny: Tiny, deg_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    write_records(tmp_path / "made.jsonl.gz", made(8))
    out, page = tmp_path / "margin.json", tmp_path / "margin.md"
    arguments = ["bench", "null-margin", "--records", str(tmp_path / "made.jsonl.gz"), "--ckpt", str(tiny.checkpoint)]
    where = ["--base-model", str(tiny.snapshot), "--out", str(out), "--markdown", str(page), "--limit", "3"]
    assert run([*arguments, *where]) == 0
    shown = capsys.readouterr().out
    assert "6 val records. Highest mean of both: margin" in shown
    report = json.loads(out.read_text())
    assert report["format"] == "deg-null-margin-1"
    assert [each["margin"] for each in report["figures"]] == list(MARGINS)
    assert set(report["modes"]) == {"span", "number", "date"}
    assert report["best"]["balanced"] in MARGINS
    assert "present right" in page.read_text()


def test_records_in_which_nothing_may_be_null_are_refused(
    tiny: Tiny, deg_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    asked = record("a", "Paid.", {"paid": {"type": "boolean"}}, {"paid": True}, split="val")
    write_records(tmp_path / "made.jsonl.gz", [asked])
    arguments = ["bench", "null-margin", "--records", str(tmp_path / "made.jsonl.gz"), "--ckpt", str(tiny.checkpoint)]
    assert run([*arguments, "--base-model", str(tiny.snapshot)]) == 2
    assert "none of the 1 val records" in capsys.readouterr().err


def test_evaluate_takes_the_margin(tiny: Tiny, deg_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from deg_core.engine.load import load_model
    from deg_serve.cli import evaluate as command

    model = load_model(tiny.checkpoint, base_model=tiny.snapshot, compute="fp32")
    monkeypatch.setattr(command, "load", lambda *_, **__: model)
    records = [each for each in made(4) if each.uid in "13"]
    write_records(tmp_path / "made.jsonl.gz", records)
    nulls = {}
    for margin in ("-50", "50"):
        out = tmp_path / f"report{margin}.json"
        arguments = ["evaluate", "--records", str(tmp_path / "made.jsonl.gz"), "--split", "val", "--out", str(out)]
        assert (
            run([*arguments, "--array-decode", "threshold", "--array-decode", "hybrid", f"--null-margin={margin}"]) == 0
        )
        assert json.loads(out.read_text())["null_margin"] == float(margin)
        for decoder in ("deg", "deg.hybrid"):
            lines = out.with_name(f"{out.stem}.{decoder}.outcomes.jsonl").read_text().splitlines()[1:]
            fields = [field for line in lines for field in json.loads(line)["fields"]]
            asked = [field for field in fields if field["key"] in ("who", "total", "day")]
            nulls[margin, decoder] = sum(bool(field.get("null")) for field in asked)
    assert nulls == {("-50", "deg"): 0, ("-50", "deg.hybrid"): 0, ("50", "deg"): 6, ("50", "deg.hybrid"): 6}
