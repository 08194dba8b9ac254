"""``Model.fill``, top to bottom: compile, read once, fork per field, decode, assemble, check (SPEC 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import msgspec
from torch import Tensor

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import FieldPlan, FillPlan, Mode
from deg_core.contract.request import Context, Options, parse_options, render_context
from deg_core.contract.result import FieldMeta, FillResult, Usage
from deg_core.contract.types import instance_of, is_schema_type, schema_of
from deg_core.engine.assemble import assemble, check
from deg_core.engine.decide import decide
from deg_core.engine.extract import extract
from deg_core.engine.fields import Fork, ReadContext, field_logits, prepare_heads
from deg_core.engine.support import refuse_unsupported
from deg_core.errors import DegError, FillError, RuntimeLimitError, SchemaError
from deg_core.plugins.checkpoint import DegJson
from deg_core.protocols.head import Head
from deg_core.rendering.layout import ForkLayout, Renderer
from deg_core.runtime.body import Body
from deg_core.runtime.prefill import prefill


@dataclass(frozen=True, slots=True)
class RawField:
    """A field's fork and its head's raw output: everything that a value is decoded from."""

    field: FieldPlan
    layout: ForkLayout
    logits: Tensor


class Model:
    """A loaded checkpoint. Read-only after loading, so one instance may serve many threads one after another."""

    def __init__(self, spec: DegJson, body: Body, renderer: Renderer, heads: Mapping[Mode, Head], compute: str) -> None:
        self.spec = spec
        self.body = body
        self.renderer = renderer
        self.heads = heads
        self.compute = compute

    @property
    def model_id(self) -> str:
        """The id that responses carry."""
        return self.spec.model_id

    def fill(self, context: Context, schema: Mapping[str, Any] | type, **options: Any) -> FillResult:
        """Fill ``schema`` from ``context``; ``options`` are those of SPEC 9.

        ``schema`` may also be a Pydantic model, a msgspec Struct, a dataclass or a TypedDict: its JSON Schema is
        filled, and the result's ``value`` is an instance of it.

        Raises SchemaError or RequestError for bad input, RuntimeLimitError when the text is too long,
        UnsupportedError for parts of the contract that this build does not fill, FillError when a required value is
        not in the text.
        """
        (result,) = fill_many(self, [Job(context, schema, options)])
        if isinstance(result, DegError):
            raise result
        return result

    def read(self, tasks: Sequence[tuple[str, FillPlan]]) -> list[tuple[ReadContext, list[RawField]]]:
        """For each text and plan: the text as it was read, and every field's raw output in plan order. Equal texts are
        read once; the forks of all tasks run in the same passes."""
        keep = self.spec.option_order == "schema"
        contexts: dict[str, ReadContext] = {}
        forks: list[list[Fork]] = []
        for text, plan in tasks:
            if text not in contexts:
                contexts[text] = self._read_context(text)
            forks.append([Fork(contexts[text], f, self.renderer.fork(f, keep_order=keep)) for f in plan.fields])
        logits = iter(field_logits(self.body, self.heads, [fork for own in forks for fork in own]))
        return [
            (contexts[text], [RawField(fork.field, fork.layout, next(logits)) for fork in own])
            for (text, _), own in zip(tasks, forks, strict=True)
        ]

    def check_length(self, text: str, plan: FillPlan) -> None:
        """Raises RuntimeLimitError when the text and the longest field do not fit the backbone's positions."""
        limit = self.body.geometry.max_positions
        trunk = len(self.renderer.trunk(text).ids)
        longest = max((len(self.renderer.fork(field).ids) for field in plan.fields), default=0)
        if trunk + longest > limit:
            raise RuntimeLimitError(
                f"the text has {trunk} tokens and the longest field {longest}; this backbone reads at most {limit} "
                "together. Split the text, or use a backbone with a longer context"
            )

    def _read_context(self, text: str) -> ReadContext:
        layout = self.renderer.trunk(text)
        state = prefill(self.body, layout.ids)
        return ReadContext(layout, state, prepare_heads(self.heads, layout, state))

    def decode(self, plan: FillPlan, read: ReadContext, raw: list[RawField], options: Options) -> FillResult:
        """Values, meta and usage from raw outputs. All fields that cannot be filled are named in one FillError."""
        values: dict[str, Any] = {}
        meta: dict[str, FieldMeta] = {}
        failures: list[FillError] = []
        for item in raw:
            pointer = item.field.pointer
            try:
                values[pointer], meta[pointer] = self.decode_field(item, read, options)
            except FillError as failure:
                failures.append(failure)
        if len(failures) == 1:
            raise failures[0]
        if failures:
            lines = "\n".join(f"  {failure.message}" for failure in failures)
            raise FillError(f"{len(failures)} fields could not be filled:\n{lines}")
        value = assemble(plan, values)
        check(plan, value)
        prompt = len(read.layout.ids) + sum(len(item.layout.ids) for item in raw)
        return FillResult(
            model=self.model_id,
            value=value,
            json=value,
            meta=meta,
            usage=Usage(prompt_tokens=prompt),
            plan=plan.fingerprint,
        )

    def decode_field(self, item: RawField, read: ReadContext, options: Options) -> tuple[Any, FieldMeta]:
        """Value and meta of one field."""
        temperature = self.temperature(item.field)
        if item.field.mode.extracts:
            return extract(item.field, item.logits, read.layout, options, temperature)
        return decide(item.field, item.logits.tolist(), item.layout.order, temperature)

    def temperature(self, field: FieldPlan) -> float:
        """The checkpoint's calibration temperature for this field's head."""
        return self.spec.temperatures.get(self.heads[field.mode].kind, 1.0)


@dataclass(frozen=True, slots=True)
class Job:
    """One request of ``fill_many``: a context, a schema (or a type, as in ``fill``), and options by name (SPEC 9)."""

    context: Context
    schema: Mapping[str, Any] | type
    options: Mapping[str, Any] = field(default_factory=dict)


def fill_many(model: Model, jobs: Sequence[Job]) -> list[FillResult | DegError]:
    """Fill many requests together; each result has the same bits as ``model.fill`` alone. A job that cannot be filled
    gives its error in its place and costs the others nothing."""
    results: list[FillResult | DegError | None] = [None] * len(jobs)
    ready: list[tuple[int, str, FillPlan, Options]] = []
    for index, job in enumerate(jobs):
        try:
            options = parse_options(dict(job.options))
            plan = compile_schema(_document(job.schema))
            refuse_unsupported(plan)
            text = render_context(job.context)
            model.check_length(text, plan)
        except DegError as error:
            results[index] = error
        else:
            ready.append((index, text, plan, options))
    reads = model.read([(text, plan) for _, text, plan, _ in ready])
    for (index, _, plan, options), (context, raw) in zip(ready, reads, strict=True):
        try:
            results[index] = _typed(jobs[index].schema, model.decode(plan, context, raw, options))
        except FillError as error:
            results[index] = error
    return cast("list[FillResult | DegError]", results)


def _document(schema: Mapping[str, Any] | type) -> Mapping[str, Any]:
    if not is_schema_type(schema):
        return cast("Mapping[str, Any]", schema)
    try:
        return schema_of(cast("type", schema))
    except TypeError as error:
        raise SchemaError([{"loc": [], "msg": str(error)}]) from error


def _typed(schema: Mapping[str, Any] | type, result: FillResult) -> FillResult:
    if not is_schema_type(schema):
        return result
    return msgspec.structs.replace(result, value=instance_of(cast("type", schema), result.json))
