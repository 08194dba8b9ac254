"""The generate phase (SPEC 7.3): the base model reads each context and its known values once, then writes every text of
all requests together.

What a text depends on: its context, the values that were decided and extracted, its own field and options. Never on
another text, nor on the requests beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from deg_core.contract.request import Options
from deg_core.engine.cache import TrunkCache
from deg_core.engine.settle import Wanted
from deg_core.engine.write import WriteTask, Written, write_many
from deg_core.errors import FillError
from deg_core.protocols.family import Family
from deg_core.protocols.state import TrunkState
from deg_core.rendering.layout import Renderer
from deg_core.rendering.places import locator_lines, placed
from deg_core.rendering.writing import WritingRenderer
from deg_core.runtime.body import Body
from deg_core.runtime.decode import Step, stepper
from deg_core.runtime.prefill import extend, prefill


@dataclass(frozen=True, slots=True)
class TextJob:
    """The texts of one request: its context, its known values by concrete pointer in leaf order, what is wanted."""

    text: str
    known: Sequence[tuple[str, Any]]
    wanted: Sequence[Wanted]
    options: Options


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one job in order, each written or the reason why not; ``prompt_tokens`` were read for them beyond
    the context."""

    prompt_tokens: int
    texts: list[Written | FillError]


class Generation:
    """Writes with the base model, which is loaded when the first text is wanted. ``cache_bytes`` bounds what is kept of
    contexts that it read."""

    def __init__(self, family: Family, renderer: Renderer, base: Callable[[], Body], cache_bytes: int) -> None:
        self._family, self._renderer, self._base = family, renderer, base
        self._rendering = WritingRenderer(family, renderer.tokenizer)
        self._step: Step | None = None
        self.cache: TrunkCache[TrunkState] = TrunkCache(cache_bytes, lambda state: state.bytes)

    def write(self, jobs: Sequence[TextJob]) -> list[Texts]:
        """All texts of all jobs, in order."""
        body = self._base()
        tasks: list[WriteTask] = []
        read: list[int] = []
        for job in jobs:
            known = self._rendering.known_values(job.known)
            prefix = extend(body, self._context(body, job.text, len(known)), known)
            own = [self._task(prefix, wanted, job.options) for wanted in job.wanted]
            read.append(len(known) + sum(len(task.header) for task in own))
            tasks += own
        if self._step is None:
            self._step = stepper(body)
        written = iter(write_many(body, self._renderer.tokenizer, self._family, tasks, self._step))
        return [Texts(tokens, [next(written) for _ in job.wanted]) for job, tokens in zip(jobs, read, strict=True)]

    def _context(self, body: Body, text: str, reserve: int) -> TrunkState:
        return self.cache.get(text, lambda: prefill(body, self._renderer.trunk(text).ids, reserve=reserve))

    def _task(self, prefix: TrunkState, wanted: Wanted, options: Options) -> WriteTask:
        field = wanted.field
        shown = placed(field.path, wanted.places)
        return WriteTask(
            prefix=prefix,
            header=self._rendering.header(field, shown, locator_lines(wanted.places)),
            field=field,
            pointer=wanted.pointer,
            budget=field.max_tokens or options.max_new_tokens,
            temperature=options.temperature,
            seed=options.seed,
        )
