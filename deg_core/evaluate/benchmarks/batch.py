"""How many requests a second many jobs together get, against the same jobs one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final

from deg_core.evaluate.benchmarks.pairs import Pair
from deg_core.evaluate.benchmarks.workers import Engine

SIZES: Final = (1, 4, 16, 64)


@dataclass(frozen=True, slots=True)
class Batch:
    """``jobs`` jobs, each round's seconds one by one and together; how many results were the same, bit for bit, and
    how many jobs could not be filled."""

    jobs: int
    alone: tuple[float, ...]
    together: tuple[float, ...]
    same: int
    failed: int

    @property
    def per_second_alone(self) -> float:
        return self.jobs / min(self.alone)

    @property
    def per_second_together(self) -> float:
        return self.jobs / min(self.together)

    def as_dict(self) -> dict[str, Any]:
        rates = {"per_second_alone": self.per_second_alone, "per_second_together": self.per_second_together}
        return {**asdict(self), **rates}


def jobs_of(pairs: Sequence[Pair], number: int, *, seed: int = 0) -> list[dict[str, Any]]:
    """``number`` jobs drawn from the pairs in a seeded order, all pairs once before any comes again. No two texts are
    equal, since equal ones would be read once."""
    chance = Random(seed)
    made: list[dict[str, Any]] = []
    while len(made) < number:
        order = list(pairs)
        chance.shuffle(order)
        for pair in order[: number - len(made)]:
            made.append({"context": f"{len(made) + 1}\n{pair.record.context}", "schema": pair.schema})
    return made


def measure(
    engine: Engine,
    pairs: Sequence[Pair],
    *,
    sizes: Sequence[int] = SIZES,
    rounds: int = 2,
    on_size: Callable[[], None] = lambda: None,
) -> list[Batch]:
    """A batch of each size; smaller ones are the beginning of larger ones. Of the rounds the least counts."""
    jobs = jobs_of(pairs, max(sizes))
    found = []
    for size in sizes:
        answer = engine.ask("batch", jobs=jobs[:size], rounds=rounds)
        found.append(Batch(size, tuple(answer["alone"]), tuple(answer["together"]), answer["same"], answer["failed"]))
        on_size()
    return found


COLUMNS = ("jobs", "one by one, s", "together, s", "requests/s one by one", "requests/s together", "gain", "same bits")


def rows(batches: Sequence[Batch]) -> list[tuple[str, ...]]:
    """A row for each size."""
    return [
        (
            str(batch.jobs),
            f"{min(batch.alone):.2f}",
            f"{min(batch.together):.2f}",
            f"{batch.per_second_alone:.2f}",
            f"{batch.per_second_together:.2f}",
            f"{batch.per_second_together / batch.per_second_alone:.2f}",
            f"{batch.same} of {batch.jobs}",
        )
        for batch in batches
    ]
