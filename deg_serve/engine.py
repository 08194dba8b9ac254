"""What the server asks of a model: check a request before it queues, and fill a batch.

The server sees a model through `Engine` only; tests put something else in its place. Importing this module imports no
torch.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

import msgspec

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import FillPlan, Mode
from deg_core.contract.request import Context, Options, render_context
from deg_core.contract.result import FillResult
from deg_core.errors import DegError, UnsupportedError

if TYPE_CHECKING:
    from deg_core.engine.engine import Model

LATEST: Final = "deg-latest"
MOST_BATCH_TOKENS: Final = 32_768
_BATCH_FRACTION: Final = 0.5  # of the memory that is free at the start may go into the contexts of one batch
_FORK_CHARACTERS: Final = 3  # of a schema's JSON text to a token of its forks, roughly
_WRITTEN: Final = 64  # tokens that a written text is expected to take, for the size of a batch

_NO_MEMORY: Final = ("can't allocate memory", "out of memory")  # torch's words on a processor and on a GPU

Writing = Literal["base", "off"]


@dataclass(frozen=True, slots=True)
class Work:
    """One checked request. ``tokens`` is about what it costs: the context exactly, the questions roughly."""

    context: Context
    schema: Mapping[str, Any]
    options: Options
    tokens: int


class Engine(Protocol):
    """A model behind a server. ``prepare`` may be called from several threads at once, ``run`` from one."""

    @property
    def model_id(self) -> str:
        """The id that replies carry."""

    @property
    def names(self) -> Collection[str]:
        """The names by which requests may ask for it, ``model_id`` among them."""

    @property
    def array_decoders(self) -> Collection[str]:
        """The values that the option ``array_decode`` may have."""

    @property
    def batch_tokens(self) -> int:
        """How many tokens of work fit one batch."""

    def prepare(self, context: Context, schema: Mapping[str, Any], options: Options) -> Work:
        """Everything that can be wrong with a request is found here, without a pass of the model.

        Raises SchemaError, RequestError, UnsupportedError or RuntimeLimitError.
        """

    def run(self, batch: list[Work]) -> Sequence[FillResult | DegError]:
        """One result or error for each piece of work."""


class ModelEngine:
    """A loaded model. ``null_margin`` is what requests get that name none (SPEC 9); with ``writing`` "off", schemas
    with ``x-generate`` fields are refused, and the model that writes is never loaded."""

    def __init__(
        self, model: Model, *, names: Sequence[str] = (), null_margin: float = 0.0, writing: Writing = "base"
    ) -> None:
        from deg_core.engine.memory import context_bytes, free_for
        from deg_core.plugins.manager import get_plugins

        self._model = model
        self._null_margin = null_margin
        self._writing = writing
        self.model_id = model.model_id
        self.names = tuple(dict.fromkeys((LATEST, model.model_id, *names)))
        self.array_decoders = tuple(get_plugins().array_decoders.names())
        per_token = (context_bytes(model.body, 1024) - context_bytes(model.body, 0)) / 1024
        fits = int(free_for(model.body) * _BATCH_FRACTION / per_token)
        self.batch_tokens = max(1, min(MOST_BATCH_TOKENS, fits))

    def prepare(self, context: Context, schema: Mapping[str, Any], options: Options) -> Work:
        """See `Engine.prepare`."""
        if options.null_margin is None:
            options = msgspec.structs.replace(options, null_margin=self._null_margin)
        text, plan = render_context(context), compile_schema(schema)
        written = [field.pointer for field in plan.fields if field.mode is Mode.GENERATE]
        if written and self._writing == "off":
            raise UnsupportedError(f"this server writes no texts (--generate off); leave out {', '.join(written)}")
        self._model.check(text, plan, options)
        return Work(context, schema, options, self._model.renderer.count(text) + _fork_tokens(schema, plan))

    def run(self, batch: list[Work]) -> Sequence[FillResult | DegError]:
        """See `Engine.run`. Raises MemoryError, whichever way torch says that there is none."""
        from deg_core.engine.engine import Job, fill_many

        jobs = [Job(work.context, work.schema, msgspec.structs.asdict(work.options)) for work in batch]
        try:
            return fill_many(self._model, jobs)
        except RuntimeError as error:
            if any(sign in str(error) for sign in _NO_MEMORY):
                raise MemoryError(type(error).__name__) from error
            raise


def _fork_tokens(schema: Mapping[str, Any], plan: FillPlan) -> int:
    read = len(json.dumps(schema, ensure_ascii=False)) // _FORK_CHARACTERS
    return read + _WRITTEN * sum(field.mode is Mode.GENERATE for field in plan.fields)
