"""What the benches make of times, with engines that answer by rule; and the processes that they measure in."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from deg_core.contract.compiler import compile_schema
from deg_core.errors import CheckpointError, DegError, RuntimeLimitError
from deg_core.evaluate.benchmarks import batch, latency, machine, memory, sweep
from deg_core.evaluate.benchmarks.pairs import load_pairs
from deg_core.evaluate.benchmarks.worker import timed_fill
from deg_core.evaluate.benchmarks.workers import Worker
from deg_core.evaluate.report import markdown
from tests.fixtures.tiny import Tiny
from tests.unit.evaluate.making import Answering

PAIRS = load_pairs(("bakery-review", "parcel-message", "seed-order"))


class Made:
    """An engine made of a function; it notes what it was asked."""

    def __init__(self, label: str, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self.label = label
        self.answer = answer
        self.asked: list[dict[str, Any]] = []

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        self.asked.append({"do": do, **request})
        return self.answer(self.asked[-1])


def truthful(seconds: float) -> Callable[[dict[str, Any]], dict[str, Any]]:
    values = {pair.record.context: pair.record.value for pair in PAIRS}

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        return {"seconds": seconds, "value": copy.deepcopy(values[request["context"]]), "spans": {}, "tokens": [100, 0]}

    return answer


def failing(request: dict[str, Any]) -> dict[str, Any]:
    return {"seconds": 3.0, "error": "DEG-C003", "message": "not in the text"}


def test_engines_take_turns():
    order: list[str] = []

    def noting(label: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
        def answer(request: dict[str, Any]) -> dict[str, Any]:
            order.append(label)
            return truthful(1.0)(request)

        return answer

    requests = []
    latency.measure(
        [Made("a", noting("a")), Made("b", noting("b"))], PAIRS, rounds=2, on_request=lambda: requests.append(1)
    )
    assert order == ["a", "b", "b", "a"] * 3
    assert len(requests) == 12


def test_figures_of_latency():
    found = latency.measure([Made("deg", truthful(0.5)), Made("peer", failing)], PAIRS, rounds=3)
    fields = sum(pair.fields for pair in PAIRS)
    own, peer = found.summary("deg"), found.summary("peer")
    assert (own["right"], own["fields"], own["not_filled"]) == (fields, fields, 0)
    assert own["right_per_second"] == pytest.approx(fields / 1.5)
    assert (peer["right"], peer["not_filled"]) == (0, 3)
    assert (peer["ratio"], peer["ratio_of_many_fields"]) == (6.0, 6.0)
    assert own["ratio"] == 1.0
    assert found.as_dict()["pairs"][2]["engines"]["deg"]["tokens"] == (100, 0)
    assert all(len(row) == len(latency.columns(found)) for row in latency.rows(found))
    assert [row[0] for row in latency.rows(found)] == ["parcel-message", "bakery-review", "seed-order (array)"]
    assert all(len(row) == len(latency.SUMMARY_COLUMNS) for row in latency.summary_rows(found))
    assert "failed" in markdown(latency.columns(found), latency.rows(found))


def test_answers_that_change_are_noticed():
    pair = PAIRS[0]
    values = iter([{"bread": 5}, {"bread": 5}, {"bread": 4}])
    found = latency.measure(
        [Made("deg", lambda _: {"seconds": 1.0, "value": next(values), "tokens": None})], [pair], rounds=3
    )
    timed = found.times["deg"][pair.name]
    assert timed.right == 1
    assert not timed.steady
    assert not found.summary("deg")["steady"]


def test_leaves_of_items_count_where_they_belong():
    pair = PAIRS[2]
    value = copy.deepcopy(pair.record.value)
    value["lines"] = value["lines"][1:]
    assert latency.right_leaves(pair, {"value": value}) == pair.fields - 5
    assert latency.right_leaves(pair, {"error": "DEG-C003"}) == 0


def test_the_share_of_the_peak():
    found = latency.measure([Made("deg", truthful(0.5))], PAIRS, rounds=1)
    share = latency.peak_share(found, "deg", 10**6, {"torch": 1e9, "deg": 5e8})
    assert share["median_share"] == pytest.approx(2 * 1e6 * 100 / 0.5 / 1e9)
    assert share["overall_share"] == pytest.approx(share["median_share"])
    nothing = latency.measure([Made("deg", failing)], PAIRS, rounds=1)
    assert latency.peak_share(nothing, "deg", 10**6, {"torch": 1e9})["median_share"] is None


# Sweeps


def test_a_line_is_found_again():
    found = sweep.fit([(x, 0.2 + 0.03 * x) for x in (1.0, 5.0, 20.0)])
    assert (found.base, found.slope, found.r2) == pytest.approx((0.2, 0.03, 1.0))
    generator = np.random.default_rng(0)
    noisy = sweep.fit([(x, 1 + x + generator.normal()) for x in range(40)])
    assert noisy.slope == pytest.approx(1, abs=0.05)
    assert 0.9 < noisy.r2 < 1


def test_requests_grow_by_fields_and_by_words():
    (sample,) = load_pairs((sweep.SAMPLE,))
    assert len(compile_schema(sweep.first_fields(sample, 7)).fields) == 7
    assert len(sample.plan.fields) >= max(sweep.FIELDS)
    assert sample.words >= max(sweep.WORDS)
    assert sweep.first_words(sample, 100) == sample.record.context[: len(sweep.first_words(sample, 100))]
    assert len(sweep.first_words(sample, 100).split()) == 100
    assert sweep.first_words(sample, 10**6) == sample.record.context


def test_a_sweep_finds_what_fields_and_tokens_cost():
    (sample,) = load_pairs((sweep.SAMPLE,))

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        words, fields = len(request["context"].split()) - 1, len(request["schema"]["properties"])
        return {"seconds": 0.1 + 0.01 * fields + 0.001 * words, "tokens": [2 * words, 0]}

    engine = Made("deg", answer)
    lines = sweep.sweep([engine], sample, fields=(1, 5, 10), words=(50, 100, 150))["deg"]
    assert lines["per_field"].slope == pytest.approx(0.01)
    assert lines["per_token"].slope == pytest.approx(0.0005)
    texts = [request["context"] for request in engine.asked]
    assert len({text.split("\n")[0] for text in texts}) == 6  # six requests a line, each text with its own number
    ((label, per_field, *_),) = sweep.rows({"deg": lines})
    assert (label, per_field) == ("deg", "10")
    silent = sweep.sweep([Made("peer", failing)], sample, fields=(1, 5), words=(50, 100), rounds=1)["peer"]
    assert set(silent) == {"per_field"}
    assert len(sweep.rows({"peer": silent})[0]) == len(sweep.COLUMNS)


# Batches


def test_jobs_are_mixed_and_no_text_comes_twice():
    jobs = batch.jobs_of(load_pairs(), 64)
    assert len({job["context"] for job in jobs}) == 64
    first = {job["context"].partition("\n")[2] for job in jobs[:20]}
    assert first == {pair.record.context for pair in load_pairs()}
    assert batch.jobs_of(load_pairs(), 16) == jobs[:16]
    assert batch.jobs_of(load_pairs(), 16, seed=1) != jobs[:16]


def test_requests_a_second():
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        number = len(request["jobs"])
        return {"alone": [2.0 * number, 1.0 * number], "together": [0.5 * number] * 2, "same": number, "failed": 0}

    found = batch.measure(Made("deg", answer), PAIRS, sizes=(1, 4))
    assert [(each.jobs, each.per_second_alone, each.per_second_together) for each in found] == [(1, 1, 2), (4, 1, 2)]
    assert [row[-1] for row in batch.rows(found)] == ["1 of 1", "4 of 4"]
    assert all(len(row) == len(batch.COLUMNS) for row in batch.rows(found))


# Memory


def test_points_of_memory():
    assert memory.points((1024, 4096), (1, 10)) == [(1024, 10), (4096, 10), (1024, 1)]


def test_bytes_beside_the_formula():
    started: list[Made] = []

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if request["do"] == "sizes":
            return {"state_floats": 1000}
        if request["tokens"] > 5000:
            return {"seconds": 0.0, "error": RuntimeLimitError.code, "message": "does not fit"}
        taken = {"peak": 3 * 2**20, "reserved": 2**27, "exact": True, "seconds": 1.0}
        return {"text_tokens": request["tokens"] + 20, **taken}

    @contextmanager
    def start() -> Iterator[Made]:
        started.append(Made("deg", answer))
        yield started[-1]

    (sample,) = load_pairs((sweep.SAMPLE,))
    found = memory.measure(start, sample, [(1000, 10), (8000, 10)])
    assert len(started) == 2  # a process for each
    assert (found[0].tokens, found[0].state, found[0].peak) == (1020, 1020 * 1000 * 4, 3 * 2**20)
    assert found[1].error == "does not fit"
    assert all(len(row) == len(memory.COLUMNS) for row in memory.rows(found))


# The machine


def test_cores():
    allowed = machine.choose_cores(1)
    assert len(allowed) <= 1
    with pytest.raises(ValueError, match="cores are asked for"):
        machine.choose_cores(10**6)
    assert machine.describe(allowed)["processor"]


def test_both_products_have_a_peak():
    found = machine.int8_peaks(seconds=0.0, shapes=((64, 64, 64),))
    assert set(found) == {"torch", "deg"}
    assert min(found.values()) > 0


def test_memory_of_this_process():
    machine.give_back()
    exact = machine.reset_peak()
    before = machine.resident_bytes()
    block = np.ones(2**22)  # 32 MiB, touched
    assert machine.peak_bytes() - before > 2**24 or not exact
    del block


# Processes


def test_a_fill_that_fails_has_its_time():
    def refuse(*_: Any) -> Any:
        raise RuntimeLimitError("too long")

    found = timed_fill(Answering(refuse), {"context": "x", "schema": {}})
    assert (found["error"], found["message"]) == (RuntimeLimitError.code, "too long")
    assert found["seconds"] >= 0
    noted: list[int] = []
    good = timed_fill(Answering(lambda *_: {"a": 1}), {"context": "x", "schema": {}}, before=lambda: noted.append(1))
    assert (good["value"], noted) == ({"a": 1}, [1])


@pytest.fixture(scope="module")
def worker(tiny: Tiny, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """A tiny checkpoint in a process of its own."""
    settings = {"engine": "deg", "ckpt": str(tiny.checkpoint), "base_model": str(tiny.snapshot), "compute": "int8"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEG_HOME", str(tmp_path_factory.mktemp("home")))
        with Worker("deg", settings, machine.choose_cores(1), 1) as made:
            yield made


def test_a_process_fills(worker: Worker, tiny_models: Any):
    assert worker.loaded["name"] == "deg-tiny-0.1"
    (pair,) = load_pairs(("bakery-review",))
    found = worker.ask("fill", context=pair.context, schema=pair.schema)
    again = worker.ask("fill", context=pair.context, schema=pair.schema)
    here = tiny_models["int8"].fill(pair.context, pair.schema)
    assert found["value"] == again["value"] == here.value
    assert found["tokens"] == [here.usage.prompt_tokens, 0]
    assert found["seconds"] > 0
    assert latency.right_leaves(pair, found) <= pair.fields


def test_a_process_tells_sizes_and_peak(worker: Worker, tiny_models: Any):
    body = tiny_models["int8"].body
    sizes = worker.ask("sizes")
    assert sizes["state_floats"] == body.geometry.kv_floats_per_token + body.geometry.hidden_size
    projections = body.family.projections(body.config).values()
    assert sizes["int8_macs"] == sum(each.rows * each.columns for each in projections)
    assert min(worker.ask("peak", seconds=0.01)["operations"].values()) > 0


def test_a_process_fills_batches_with_the_same_bits(worker: Worker):
    found = batch.measure(worker, load_pairs(("bakery-review", "parcel-message")), sizes=(1, 3), rounds=1)
    assert [each.same for each in found] == [1, 3]


def test_a_process_tells_what_a_fill_takes(worker: Worker):
    @contextmanager
    def same() -> Iterator[Worker]:
        yield worker

    (sample,) = load_pairs((sweep.SAMPLE,))
    (found,) = memory.measure(same, sample, [(300, 2)])
    assert found.tokens >= 300
    assert found.reserved > found.state > 0
    assert found.peak >= 0


def test_what_an_engine_raises_is_raised_here(worker: Worker):
    with pytest.raises(DegError, match="deg: 1 problem in the schema"):
        worker.ask("fill", context="text", schema={"type": "object", "properties": {"a": {"type": "nonsense"}}})
    # It goes on after that.
    assert worker.ask("sizes")["state_floats"] > 0


def test_what_goes_wrong_at_the_start_is_told():
    with pytest.raises(CheckpointError, match="nowhere"):
        Worker("deg", {"engine": "deg", "ckpt": "/nowhere/at/all"}, [], 1)
    with pytest.raises(RuntimeLimitError, match="ended with status"):
        Worker("deg", {"engine": "no such engine"}, [], 1)
