"""``Model.fill``, top to bottom: compile, read once, fork per field, decode, assemble, check (SPEC 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import FieldPlan, FillPlan, Mode
from deg_core.contract.request import Options, parse_options, render_context
from deg_core.contract.result import FieldMeta, FillResult, Usage
from deg_core.engine.assemble import assemble, check
from deg_core.engine.decide import decide
from deg_core.engine.extract import extract
from deg_core.engine.fields import ReadContext, field_logits, prepare_heads
from deg_core.engine.support import refuse_unsupported
from deg_core.errors import FillError, RuntimeLimitError
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

    def fill(self, context: str | dict[str, Any] | list[Any], schema: Mapping[str, Any], **options: Any) -> FillResult:
        """Fill ``schema`` from ``context``; ``options`` are those of SPEC 9.

        Raises SchemaError or RequestError for bad input, RuntimeLimitError when the text is too long,
        UnsupportedError for parts of the contract that this build does not fill, FillError when a required value is
        not in the text.
        """
        chosen = parse_options(options)
        plan = compile_schema(schema)
        refuse_unsupported(plan)
        text = render_context(context)
        read, raw = self.read(text, plan)
        return self.decode(plan, read, raw, chosen)

    def read(self, text: str, plan: FillPlan) -> tuple[ReadContext, list[RawField]]:
        """Read the text once and run every field's fork: the raw outputs, in plan order."""
        layout = self.renderer.trunk(text)
        keep = self.spec.option_order == "schema"
        forks = [self.renderer.fork(field, keep_order=keep) for field in plan.fields]
        self._check_length(len(layout.ids), max((len(fork.ids) for fork in forks), default=0))
        state = prefill(self.body, layout.ids)
        context = ReadContext(layout, state, prepare_heads(self.heads, layout, state))
        logits = field_logits(self.body, self.heads, context, plan.fields, forks)
        return context, [RawField(*parts) for parts in zip(plan.fields, forks, logits, strict=True)]

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
            raise FillError("; ".join(failure.message for failure in failures))
        value = assemble(plan, values)
        check(plan, value)
        prompt = len(read.layout.ids) + sum(len(item.layout.ids) for item in raw)
        return FillResult(
            model=self.model_id, value=value, meta=meta, usage=Usage(prompt_tokens=prompt), plan=plan.fingerprint
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

    def _check_length(self, trunk: int, longest_fork: int) -> None:
        limit = self.body.geometry.max_positions
        if trunk + longest_fork > limit:
            raise RuntimeLimitError(
                f"the text has {trunk} tokens and the longest field {longest_fork}; this backbone reads at most "
                f"{limit} together. Split the text, or use a backbone with a longer context"
            )

