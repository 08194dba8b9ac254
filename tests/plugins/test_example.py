"""The example package, as a stranger would use it: installed beside deg, checked, trained, served."""

from __future__ import annotations

import json
import shutil
from typing import Any

import msgspec
import pytest

from deg_core.plugins.checkpoint import read_checkpoint, write_checkpoint
from deg_core.records.record import Record
from tests.plugins.scratch import ROOT, Scratch, require_installer

PACKAGE = ROOT / "examples" / "acme-deg"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["order", "refund", "question"]},
        "anger": {"type": "integer", "minimum": 0, "maximum": 3},
        "who": {"type": ["string", "null"]},
        "amounts": {"type": "array", "items": {"type": "number"}, "maxItems": 3},
    },
}
FILL = "deg fill letter.txt --schema schema.json --threads 1"
TEXT = "Refund! Ann Lee wants EUR 12 and EUR 30 back."


def records() -> list[Record]:
    """A few texts with something of everything to train."""
    made = []
    for number, (kind, who) in enumerate([("order", "Ann"), ("refund", "Bob"), ("question", None)] * 2):
        text = f"{kind} {number}" + (f" by {who}" if who else "") + " for EUR 12 and EUR 30"
        spans = {f"/amounts/{place}": (text.index(n), text.index(n) + 2) for place, n in enumerate(("12", "30"))}
        if who is not None:
            spans["/who"] = (text.index(who), text.index(who) + len(who))
        value = {"kind": kind, "anger": number % 4, "who": who, "amounts": [12, 30]}
        common = {"source": "made", "split": "train", "domain": "d", "schema": SCHEMA}
        made.append(Record(uid=f"r{number}", context=text, value=value, spans=spans, **common))
    return made


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    """An environment with the package installed from a copy of its folder."""
    require_installer()
    made = Scratch(tmp_path_factory.mktemp("scratch"))
    shutil.copytree(PACKAGE, made.folder / "acme-deg", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    made.run("python -m pip install ./acme-deg")
    (made.folder / "records.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, records())))
    (made.folder / "schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    (made.folder / "letter.txt").write_text(TEXT, "utf-8")
    return made


@pytest.mark.slow
def test_it_is_listed_beside_our_own(scratch: Scratch):
    found = json.loads(scratch.run("deg plugins --json").stdout)
    assert "acme-deg:acme" in [plugin["id"] for plugin in found["plugins"]]
    assert {"acme-parallel", "acme-mingru", "llama"} <= {family["name"] for family in found["families"]}
    assert found["failures"] == []


@pytest.mark.slow
def test_its_own_tests_pass(scratch: Scratch):
    done = scratch.run("python -m pytest -q -rs -p no:cacheprovider acme-deg/tests")
    assert " passed" in done.stdout
    assert "failed" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("backbone", ["acme-parallel", "acme-mingru"])  # attention alone, and states
def test_it_is_trained_and_served(scratch: Scratch, backbone: str):
    """Backbone, head and decoder of the package: by the trainer's flags, deg.json and a request's option."""
    weights, run = f"weights-{backbone}", f"run-{backbone}"
    scratch.run(f"python -m acme_deg.random_snapshot {backbone} {weights}")
    scratch.run(
        f"deg train --backbone {backbone} --base-model {weights} --records records.jsonl --out {run} --steps 2"
        " --budget 1500 --first-layer 0 --lora-rank 2 --head decide.choice=acme-bilinear"
        " --head decide.score=acme-bilinear"
    )
    trained = read_checkpoint(scratch.folder / run / "step-2")
    assert trained.backbone == backbone
    assert {trained.heads[mode] for mode in ("decide.choice", "decide.score")} == {"acme-bilinear"}
    check_filled(scratch.run(f"{FILL} --ckpt {run}/step-2 --base-model {weights} --array-decode acme-spaced").stdout)
    write_checkpoint(scratch.folder / run / "step-2", msgspec.structs.replace(trained, array_decoder="acme-spaced"))
    check_filled(scratch.run(f"{FILL} --ckpt {run}/step-2 --base-model {weights}").stdout)


def check_filled(printed: str) -> None:
    found = json.loads(printed)
    assert found["value"]["kind"] in SCHEMA["properties"]["kind"]["enum"]
    assert len(found["meta"]["/kind"]["probabilities"]) == 3
    assert len(found["value"]["amounts"]) == found["meta"]["/amounts"]["items"]
