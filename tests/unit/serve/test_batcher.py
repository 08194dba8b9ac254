"""The queue alone, with a function in the model's place."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deg_core.runtime.interrupt import give_up_if_unwanted
from deg_serve.batcher import Batcher, BatchReport, Limits
from deg_serve.errors import DrainingError, OverloadedError

Run = Callable[[list[int]], Sequence[int | Exception]]


class Model:
    """Doubles numbers. Notes its batches; while ``gate`` is closed a batch waits."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.began = threading.Event()

    def __call__(self, works: list[int]) -> list[int | Exception]:
        self.batches.append(works)
        self.began.set()
        assert self.gate.wait(30)
        return [2 * work for work in works]


async def ask(batcher: Batcher[int, int], work: int, tokens: int = 1) -> int:
    async with batcher.admit() as place:
        return await place.run(work, tokens)


def serve(run: Run, limits: Limits, story: Callable[[Batcher[int, int]], Awaitable[None]], **more: object) -> None:
    """Run a story against a batcher, and close it."""

    async def body() -> None:
        batcher: Batcher[int, int] = Batcher(run, limits, **more)  # type: ignore[arg-type]
        batcher.start()
        try:
            await asyncio.wait_for(story(batcher), 30)
        finally:
            await asyncio.wait_for(batcher.close(), 30)
        assert batcher.pending == 0

    asyncio.run(body())


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.001)


def test_what_arrives_within_the_window_runs_together():
    model, reports = Model(), list[BatchReport]()

    async def story(batcher: Batcher[int, int]) -> None:
        assert await asyncio.gather(*(ask(batcher, n) for n in range(5))) == [0, 2, 4, 6, 8]

    serve(model, Limits(window=0.3), story, observe=reports.append)
    assert model.batches == [[0, 1, 2, 3, 4]]
    assert [(report.size, report.tokens, len(report.waited)) for report in reports] == [(5, 5, 5)]


def test_a_full_batch_does_not_wait_and_the_rest_follows():
    model = Model()

    async def story(batcher: Batcher[int, int]) -> None:
        await asyncio.gather(*(ask(batcher, n) for n in range(4)))

    serve(model, Limits(window=20, size=2), story)  # the story would be over its time if the window were waited out
    assert model.batches == [[0, 1], [2, 3]]


def test_a_batch_keeps_its_tokens_and_one_large_job_runs_alone():
    model = Model()

    async def story(batcher: Batcher[int, int]) -> None:
        await asyncio.gather(*(ask(batcher, n, tokens) for n, tokens in enumerate((6, 6, 99, 3, 3))))

    serve(model, Limits(window=0.2, tokens=10), story)
    assert model.batches == [[0], [1], [2], [3, 4]]


def test_a_job_that_raises_fails_alone():
    def run(works: list[int]) -> list[int | Exception]:
        if 3 in works:
            raise ValueError("three")
        return list(works)

    async def story(batcher: Batcher[int, int]) -> None:
        results = await asyncio.gather(*(ask(batcher, n) for n in range(5)), return_exceptions=True)
        assert [str(result) for result in results] == ["0", "1", "2", "three", "4"]
        assert (batcher.counters.jobs, batcher.counters.failed) == (5, 1)

    serve(run, Limits(window=0.2), story)


def test_a_job_whose_result_is_an_error_raises_it():
    async def story(batcher: Batcher[int, int]) -> None:
        results = await asyncio.gather(ask(batcher, 1), ask(batcher, 2), return_exceptions=True)
        assert results[0] == 1
        assert isinstance(results[1], KeyError)

    serve(lambda works: [KeyError(n) if n == 2 else n for n in works], Limits(window=0.2), story)


def test_another_number_of_results_than_of_jobs_is_never_handed_out():
    async def story(batcher: Batcher[int, int]) -> None:
        results = await asyncio.gather(ask(batcher, 1), ask(batcher, 2), return_exceptions=True)
        assert [str(result) for result in results] == ["1 jobs gave 2 results"] * 2

    serve(lambda works: [*works, 9], Limits(window=0.2), story)


def test_who_leaves_the_queue_costs_nothing():
    model = Model()
    model.gate.clear()

    async def story(batcher: Batcher[int, int]) -> None:
        first = asyncio.create_task(ask(batcher, 1))
        await until(model.began.is_set)
        waiting = [asyncio.create_task(ask(batcher, n)) for n in (2, 3, 4)]
        await until(lambda: batcher.pending == 3)
        waiting[1].cancel()
        await until(lambda: batcher.pending == 2)
        model.gate.set()
        assert await asyncio.gather(first, waiting[0], waiting[2]) == [2, 4, 8]
        assert batcher.counters.departed == 1

    serve(model, Limits(window=0.001), story)
    assert model.batches == [[1], [2, 4]]


def test_who_leaves_during_a_batch_does_not_disturb_it():
    model = Model()
    model.gate.clear()

    async def story(batcher: Batcher[int, int]) -> None:
        both = [asyncio.create_task(ask(batcher, n)) for n in (1, 2)]
        await until(model.began.is_set)
        both[0].cancel()
        await asyncio.sleep(0.01)
        model.gate.set()
        assert await both[1] == 4
        assert await ask(batcher, 5) == 10
        assert (batcher.counters.departed, batcher.pending) == (1, 0)

    serve(model, Limits(window=0.1), story)


def test_more_than_the_pending_are_refused_with_a_time_to_come_back():
    model = Model()
    model.gate.clear()

    async def story(batcher: Batcher[int, int]) -> None:
        running = asyncio.create_task(ask(batcher, 1))
        await until(model.began.is_set)
        waiting = [asyncio.create_task(ask(batcher, n)) for n in (2, 3)]
        await until(lambda: batcher.pending == 2)
        with pytest.raises(OverloadedError) as refused:
            batcher.admit()
        assert 1 <= refused.value.retry_after <= 30
        assert batcher.counters.refused == 1
        model.gate.set()
        await asyncio.gather(running, *waiting)
        assert await ask(batcher, 4) == 8

    serve(model, Limits(window=0.001, pending=2), story)


def test_a_place_that_is_never_used_is_given_back():
    async def story(batcher: Batcher[int, int]) -> None:
        async def refuse() -> None:
            async with batcher.admit():
                assert batcher.pending == 1
                raise ValueError("bad request")

        with pytest.raises(ValueError, match="bad request"):
            await refuse()
        assert batcher.pending == 0

    serve(lambda works: works, Limits(), story)


def test_closing_finishes_what_was_admitted_and_refuses_the_rest():
    model = Model()
    model.gate.clear()

    async def story(batcher: Batcher[int, int]) -> None:
        jobs = [asyncio.create_task(ask(batcher, n)) for n in range(4)]
        await until(model.began.is_set)
        closing = asyncio.create_task(batcher.close())
        await until(lambda: batcher.draining)
        with pytest.raises(DrainingError):
            batcher.admit()
        model.gate.set()
        await closing
        assert await asyncio.gather(*jobs) == [0, 2, 4, 6]

    serve(model, Limits(window=0.001, size=2), story)


@given(st.lists(st.tuples(st.integers(1, 12), st.booleans()), min_size=1, max_size=20), st.integers(1, 4))
@settings(max_examples=25)
def test_every_job_gets_its_own_result_and_no_batch_breaks_a_limit(jobs: list[tuple[int, bool]], size: int):
    """Jobs of any size, some of which fail."""
    model = Model()

    def run(works: list[int]) -> list[int | Exception]:
        model(works)
        return [LookupError(n) if jobs[n][1] else 2 * n for n in works]

    async def story(batcher: Batcher[int, int]) -> None:
        asked = (ask(batcher, n, tokens) for n, (tokens, _) in enumerate(jobs))
        results = await asyncio.gather(*asked, return_exceptions=True)
        for n, (result, (_, fails)) in enumerate(zip(results, jobs, strict=True)):
            assert isinstance(result, LookupError) if fails else result == 2 * n

    serve(run, Limits(window=0.001, size=size, tokens=12), story)
    assert [n for batch in model.batches for n in batch] == list(range(len(jobs)))
    for batch in model.batches:
        assert len(batch) <= size
        assert len(batch) == 1 or sum(jobs[n][0] for n in batch) <= 12


@pytest.mark.parametrize("fault", [MemoryError(), SystemExit(1), KeyboardInterrupt(), StopIteration(), GeneratorExit()])
def test_whatever_a_job_raises_is_an_error_that_a_future_holds(fault: BaseException):
    def run(works: list[int]) -> list[int | Exception]:
        if 1 in works:
            raise fault
        return list(works)

    async def story(batcher: Batcher[int, int]) -> None:
        good, bad, later = await asyncio.gather(*(ask(batcher, n) for n in (0, 1, 2)), return_exceptions=True)
        assert (good, later) == (0, 2)
        assert isinstance(bad, MemoryError if isinstance(fault, MemoryError) else RuntimeError)
        assert await ask(batcher, 5) == 5

    serve(run, Limits(window=0.2), story)


def test_a_fault_in_what_observes_batches_ends_no_service():
    def observe(report: BatchReport) -> None:
        raise OSError("the disk is full")

    async def story(batcher: Batcher[int, int]) -> None:
        assert await asyncio.gather(*(ask(batcher, n) for n in range(3))) == [0, 2, 4]
        assert await ask(batcher, 4) == 8

    serve(Model(), Limits(window=0.05), story, observe=observe)


def test_a_batch_that_nobody_waits_for_does_not_keep_the_server_from_ending():
    model = Model()
    model.gate.clear()

    async def body() -> None:
        batcher: Batcher[int, int] = Batcher(model, Limits(window=0.0))
        batcher.start()
        asking = asyncio.create_task(ask(batcher, 1))
        await until(model.began.is_set)
        closing = asyncio.create_task(batcher.close())
        await asyncio.sleep(0.2)
        assert not closing.done()  # somebody waits for it
        asking.cancel()
        await asyncio.wait_for(closing, 30)
        assert batcher.abandoned

    try:
        asyncio.run(body())
    finally:
        model.gate.set()


def test_a_batch_that_everybody_has_left_is_given_up_and_others_are_served():
    """The model asks on the way whether it is wanted; without that it would never end."""
    began = threading.Event()

    def run(works: list[int]) -> list[int | Exception]:
        if 0 in works:
            began.set()
            while True:
                give_up_if_unwanted()
        return [2 * work for work in works]

    async def story(batcher: Batcher[int, int]) -> None:
        leaving = [asyncio.create_task(ask(batcher, 0)) for _ in range(2)]
        await until(began.is_set)
        leaving[0].cancel()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ask(batcher, 1), 0.1)  # one of the two is still there
        leaving[1].cancel()
        assert await ask(batcher, 2) == 4

    serve(run, Limits(window=0.05), story)
