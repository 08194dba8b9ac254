"""Measuring the compiler: which schemas are timed, against what, and what is said of those that are refused."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deg_core.contract import compiler
from deg_core.contract.compiler import compile_schema, compile_valid
from deg_core.evaluate.benchmarks import compile as bench
from deg_core.evaluate.benchmarks.refusals import page, reach
from deg_core.evaluate.benchmarks.schemas import NamedSchema, generated_schemas, read_schemas
from deg_core.evaluate.peers import grammars
from deg_serve.cli.main import run

GOOD = {"type": "object", "properties": {"a": {"type": "string"}}}
BAD = {"type": "object", "properties": {"a": {"allOf": []}, "b": {"wibble": 1}}}


class Peer:
    """A peer that refuses schemas with a description."""

    name = "peer"
    version = "1"

    def job(self, schema: dict[str, Any]) -> Callable[[], None]:
        def work() -> None:
            if "description" in schema:
                raise ValueError("no descriptions")

        return work


def named(*documents: Any) -> list[NamedSchema]:
    return [NamedSchema("group", str(index), document) for index, document in enumerate(documents)]


def test_generated_schemas_are_accepted_have_their_size_and_stay_the_same():
    made = generated_schemas(sizes=(1, 5, 40), each=3, seed=7)
    assert [len(compile_schema(schema.document).fields) for schema in made] == [1] * 3 + [5] * 3 + [40] * 3
    assert made == generated_schemas(sizes=(1, 5, 40), each=3, seed=7)
    assert made != generated_schemas(sizes=(1, 5, 40), each=3, seed=8)


def test_the_plan_without_the_meta_schema_check_is_the_same():
    for schema in generated_schemas(sizes=(20,), each=5):
        compiler.forget_plans()
        assert compile_valid(schema.document) == compile_schema(schema.document)


def test_every_contender_is_timed_and_refusals_are_counted():
    measured = bench.measure(named(GOOD, {**GOOD, "description": "d"}, BAD, [1]), rounds=2, peer=Peer())
    assert [times.fields for times in measured.accepted] == [1, 1]
    assert [refusal.problems for refusal in measured.refused] == [4, 1]
    assert measured.not_by_others == {"peer": 1}
    figures = {figure.what: figure for figure in measured.figures()}
    assert {name: figure.schemas for name, figure in figures.items()} == {
        bench.COMPILE: 2,
        bench.UNCHECKED: 2,
        bench.CACHED: 2,
        bench.CHECK_SCHEMA: 2,
        "peer": 1,
    }
    assert figures[bench.COMPILE].ratio == 1
    assert all(0 < figure.median_ms <= figure.p99_ms for figure in figures.values())
    assert measured.refusal_figures().schemas == 2
    assert measured.groups() == ["group"]
    assert measured.figures(group="group") == measured.figures()


def test_caches_are_empty_before_each_time(monkeypatch: pytest.MonkeyPatch):
    found: list[int] = []
    timed = bench._timed

    def watched(job: Callable[[], object]) -> float:
        found.append(len(compiler._cache))
        return timed(job)

    monkeypatch.setattr(bench, "_timed", watched)
    bench.measure(named(GOOD), rounds=1)
    # All but the repeated compile start without the plan.
    assert found == [0, 0, 1, 0]


@pytest.mark.parametrize(("share", "value"), [(0.5, 50), (0.99, 99), (1.0, 100), (0.0, 1)])
def test_percentile(share: float, value: int):
    assert bench.percentile(range(1, 101), share) == value


def test_files_are_grouped_by_folder(tmp_path: Path):
    for name in ("one/a.json", "one/deep/b.json", "c.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(GOOD), "utf-8")
    (tmp_path / "broken.json").write_text("{", "utf-8")
    schemas, unreadable = read_schemas([tmp_path, tmp_path / "one" / "a.json"])
    assert sorted((schema.group, schema.name) for schema in schemas) == sorted(
        [(tmp_path.name, "c.json"), ("one", "a.json"), ("one", "b.json"), ("one", "a.json")]
    )
    assert unreadable == [str(tmp_path / "broken.json")]
    with pytest.raises(FileNotFoundError, match="nowhere"):
        read_schemas([tmp_path / "nowhere"])


def test_reach_counts_rules_and_shows_refusals():
    found = reach(named(GOOD, BAD, {"type": "object", "properties": {"a": {"enum": [1]}}}))
    assert (found.total, found.accepted) == ({"group": 3}, {"group": 1})
    rules = {rule: (count, alone) for rule, count, alone in found.by_rule()}
    assert rules["enum-count"] == (1, 1)
    assert rules["unknown-keyword"] == (1, 0)
    text = page(found, examples=1)
    assert "| group | 3 | 1 | 33 % |" in text
    assert "| `enum-count` | A choice has 2 to 255 values | 1 | 1 |" in text
    assert text.count("- group, `") == 1
    assert text == page(found, examples=1)


def test_the_page_of_refusals(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "bad.json").write_text(json.dumps(BAD), "utf-8")
    (tmp_path / "broken.json").write_text("{", "utf-8")
    bench.main(["--refusals", str(tmp_path)])
    out = capsys.readouterr().out
    assert "| all | 1 | 0 | 0 % |" in out
    assert "1 files are not JSON" in out


def test_llguidance_compiles_and_refuses():
    pytest.importorskip("llguidance", reason="the peer needs the bench extra (llguidance)")
    peer = grammars.installed_grammar_peer()
    assert peer is not None
    peer.job(GOOD)()
    with pytest.raises(ValueError, match="not"):
        peer.job({"not": {}})()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "bad.json").write_text(json.dumps(BAD), "utf-8")
    assert run(["bench", "compile", "--schemas", str(tmp_path), "--limit", "1", "--rounds", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["accepted"], report["refused"], report["unreadable"]) == (5, 1, [])
    assert report["refusing"]["schemas"] == 1
    assert next(iter(report["groups"])) == "generated, 3 fields"
    assert [figures["what"] for figures in report["figures"]][:4] == [
        bench.COMPILE,
        bench.UNCHECKED,
        bench.CACHED,
        bench.CHECK_SCHEMA,
    ]


def test_the_command_says_that_the_peer_is_absent(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setitem(sys.modules, "llguidance", None)
    assert run(["bench", "compile", "--limit", "1", "--rounds", "1"]) == 0
    out = capsys.readouterr().out
    assert "llguidance is not installed, so no peer was timed" in out
    assert "5 schemas accepted and timed" in out


def test_the_command_refuses_a_path_that_is_not_there(capsys: pytest.CaptureFixture[str]):
    assert run(["bench", "compile", "--schemas", "nowhere.json"]) == 2
    assert "nowhere.json" in capsys.readouterr().err
