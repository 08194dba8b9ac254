"""``Model.fill`` and ``fill_many``, top to bottom: compile, read once, ask in rounds, decode, write, assemble, check
(SPEC 7).

Requests that are filled together share their passes and, where their texts are equal, the reading; each result has the
bits that it has alone.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import msgspec
from torch import Tensor

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import ITEM, FieldPlan, FillPlan, Mode
from deg_core.contract.request import Context, Options, parse_options, render_context
from deg_core.contract.result import FieldMeta, FillResult, Usage
from deg_core.contract.types import instance_of, is_schema_type, schema_of
from deg_core.engine.assemble import assemble, check
from deg_core.engine.cache import DEFAULT_BYTES, TrunkCache
from deg_core.engine.decide import decide
from deg_core.engine.extract import extract
from deg_core.engine.fields import Ask, ReadContext, prepare_heads, query_answers
from deg_core.engine.generate import Generation, TextJob
from deg_core.engine.memory import check_fields, check_text
from deg_core.engine.rounds import SPECULATED, RawField, Run, Settings
from deg_core.engine.settle import Settled, settle
from deg_core.engine.spans import TextSpans
from deg_core.engine.support import refuse_unmeetable, refuse_unsupported
from deg_core.errors import DegError, FillError, RuntimeLimitError, SchemaError
from deg_core.plugins.checkpoint import DegJson
from deg_core.plugins.manager import get_plugins
from deg_core.protocols.array_decoder import ArrayDecoder
from deg_core.protocols.head import ArrayQuery, Head, Query
from deg_core.protocols.language import Answer, speaks
from deg_core.protocols.state import TrunkState
from deg_core.rendering.layout import Renderer
from deg_core.rendering.readout import BLANK
from deg_core.runtime.body import Body
from deg_core.runtime.prefill import prefill

DEFAULT_DECODER = "count_peaks"
Rounds: TypeAlias = Generator[list[Ask], list[Answer], None]


class Model:
    """A loaded checkpoint. Read-only after loading but for its caches, so one instance may serve many threads one after
    another."""

    def __init__(
        self,
        spec: DegJson,
        body: Body,
        renderer: Renderer,
        heads: Mapping[Query, Head],
        compute: str,
        generation: Generation | None = None,
        *,
        cache_bytes: int = DEFAULT_BYTES,
    ) -> None:
        """``cache_bytes`` bounds what is kept of texts that were read; 0 keeps nothing."""
        self.spec = spec
        self.body = body
        self.renderer = renderer
        self.heads = heads
        self.compute = compute
        self.generation = generation
        self.cache: TrunkCache[ReadContext] = TrunkCache(cache_bytes, lambda read: read.bytes)
        self._decoders: dict[str, ArrayDecoder] = {}
        self._blank: TrunkState | None = None

    @property
    def model_id(self) -> str:
        """The id that responses carry."""
        return self.spec.model_id

    @property
    def anchors(self) -> bool:
        """Whether arrays of extracted fields are read by anchors; a checkpoint without an anchor head reads all by
        index (SPEC 12.6)."""
        return self.spec.array_mode == "anchor" and ArrayQuery.ANCHOR in self.heads

    def fill(self, context: Context, schema: Mapping[str, Any] | type, **options: Any) -> FillResult:
        """Fill ``schema`` from ``context``; ``options`` are those of SPEC 9.

        ``schema`` may also be a Pydantic model, a msgspec Struct, a dataclass or a TypedDict: its JSON Schema is
        filled, and the result's ``value`` is an instance of it.

        Raises SchemaError or RequestError for bad input, RuntimeLimitError when the text does not fit the memory,
        UnsupportedError for what the checkpoint has no head for, FillError when a required value is not in the text.
        """
        (result,) = fill_many(self, [Job(context, schema, options)])
        if isinstance(result, DegError):
            raise result
        return result

    def start(self, text: str, plan: FillPlan, options: Options) -> Run:
        """A request whose text was read and whose first round is ready to be asked."""
        settings = Settings(
            anchors=self.anchors,
            anchor_min_tokens=self.spec.anchor_min_tokens,
            decoder=self.decoder(options),
            keep_order=self.spec.option_order == "schema",
            speculated=0 if speaks(self.heads.get(ArrayQuery.COUNT)) else SPECULATED,  # such items are dear
        )
        return Run(plan, self.context(text), self.renderer, options, settings)

    def answer(self, runs: Sequence[Run]) -> None:
        """Ask everything that the runs ask; each round of all of them in the same passes."""
        going: list[tuple[Run, Rounds, list[Ask]]] = []

        def go_on(run: Run, asking: Rounds, answers: list[Answer] | None) -> None:
            try:
                going.append((run, asking, next(asking) if answers is None else asking.send(answers)))
            except StopIteration:
                return
            except RuntimeLimitError as failure:
                run.failure = failure

        for run in runs:
            go_on(run, run.rounds(), None)
        while going:
            waiting, going = going, []
            together = [ask for _, _, asks in waiting for ask in asks]
            answers = iter(query_answers(self.body, self.heads, together, self.blank))
            for run, asking, asks in waiting:
                go_on(run, asking, [next(answers) for _ in asks])

    def settle(self, run: Run) -> Settled:
        """The values of a run that was answered. Raises one FillError for all that has none, and what kept the run from
        asking."""
        if run.failure is not None:
            raise run.failure
        settled = settle(run.shape, run.root, lambda raw: self.decode_field(raw, run.spans))
        raise_all(settled.failures)
        return settled

    def read(self, tasks: Sequence[tuple[str, FillPlan]]) -> list[tuple[ReadContext, list[RawField]]]:
        """For each text and plan: the text as it was read, and the raw output of every decided or extracted field
        outside arrays, in plan order."""
        runs = []
        for text, plan in tasks:
            outside = tuple(f for f in plan.fields if ITEM not in f.path and f.mode is not Mode.GENERATE)
            runs.append(self.start(text, FillPlan(fields=outside, nodes=plan.nodes, schema=plan.schema), Options()))
        self.answer(runs)
        return [(run.context, list(run.root.leaves.values())) for run in runs]

    def context(self, text: str) -> ReadContext:
        """The text as it is read, from the cache where it was read before."""

        def read() -> ReadContext:
            layout = self.renderer.trunk(text)
            state = prefill(self.body, layout.ids)
            return ReadContext(layout, state, prepare_heads(self.heads, layout, state))

        return self.cache.get(text, read)

    def blank(self) -> TrunkState:
        """The state of a text without content, read when it is first needed."""
        if self._blank is None:
            self._blank = prefill(self.body, self.renderer.trunk(BLANK).ids)
        return self._blank

    def check(self, text: str, plan: FillPlan, options: Options) -> None:
        """Raises RequestError, UnsupportedError or RuntimeLimitError for what cannot be filled, before any of the work
        is done."""
        refuse_unmeetable(plan, options)
        needs_count = self.decoder(options).needs_count or self.spec.anchor_min_tokens > 0
        refuse_unsupported(plan, self.heads, anchors=self.anchors, needs_count=needs_count)
        writes = any(field.mode is Mode.GENERATE for field in plan.fields)
        check_text(self.body, text, self.renderer.count, readings=2 if writes else 1)
        check_fields(self.body, plan.fields, self.renderer.count)

    def decoder(self, options: Options) -> ArrayDecoder:
        """The array decoder that the request, or else the checkpoint, names."""
        name = options.array_decode or self.spec.array_decoder or DEFAULT_DECODER
        if name not in self._decoders:
            self._decoders[name] = get_plugins().array_decoders.resolve(name)()
        return self._decoders[name]

    def decode_field(self, raw: RawField, spans: TextSpans) -> tuple[Any, FieldMeta]:
        """Value and meta of one field. Raises FillError when it must have a value and has none."""
        temperature = self.temperature(raw.field)
        if raw.field.mode.extracts:
            return extract(raw.field, raw.logits, spans, temperature)
        return decide(raw.field, cast("Tensor", raw.logits).tolist(), raw.layout.order, temperature)

    def temperature(self, field: FieldPlan) -> float:
        """The checkpoint's calibration temperature for this field's head."""
        return self.spec.temperatures.get(self.heads[field.mode].kind, 1.0)


@dataclass(frozen=True, slots=True)
class Job:
    """One request of ``fill_many``: a context, a schema (or a type, as in ``fill``), and options by name (SPEC 9)."""

    context: Context
    schema: Mapping[str, Any] | type
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Request:
    """A job on its way."""

    index: int
    text: str
    plan: FillPlan
    options: Options
    run: Run | None = None
    settled: Settled = field(default_factory=Settled)
    written_tokens: int = 0
    extra_prompt: int = 0


def fill_many(model: Model, jobs: Sequence[Job]) -> list[FillResult | DegError]:
    """Fill many requests together; each result has the same bits as ``model.fill`` alone. A job that cannot be filled
    gives its error in its place and costs the others nothing."""
    results: list[FillResult | DegError | None] = [None] * len(jobs)
    requests: list[_Request] = []
    for index, job in enumerate(jobs):
        try:
            options = parse_options(dict(job.options), array_decoders=get_plugins().array_decoders.names())
            request = _Request(index, render_context(job.context), compile_schema(_document(job.schema)), options)
            model.check(request.text, request.plan, options)
            request.run = model.start(request.text, request.plan, options)
        except DegError as error:
            results[index] = error
        else:
            requests.append(request)
    model.answer([request.run for request in requests if request.run is not None])
    for request in requests:
        assert request.run is not None
        try:
            request.settled = model.settle(request.run)
        except (FillError, RuntimeLimitError) as error:
            results[request.index] = error
    requests = [request for request in requests if results[request.index] is None]
    for request, failure in _write(model, requests):
        results[request.index] = failure
    for request in requests:
        if results[request.index] is None:
            try:
                results[request.index] = _typed(jobs[request.index].schema, _result(model, request))
            except FillError as error:
                results[request.index] = error
    return cast("list[FillResult | DegError]", results)


def raise_all(failures: Sequence[FillError]) -> None:
    """Raise one FillError for all of them; nothing when there is none."""
    if len(failures) == 1:
        raise failures[0]
    if failures:
        lines = "\n".join(f"  {failure.message}" for failure in failures)
        raise FillError(f"{len(failures)} fields could not be filled:\n{lines}")


def _write(model: Model, requests: Sequence[_Request]) -> list[tuple[_Request, FillError]]:
    """Write every text of all requests in one batch. Returns the requests whose texts could not be written."""
    writing = [request for request in requests if request.settled.wanted]
    if not writing:
        return []
    assert model.generation is not None
    jobs = [
        TextJob(request.text, request.settled.known(), request.settled.wanted, request.options) for request in writing
    ]
    failed: list[tuple[_Request, FillError]] = []
    for request, done in zip(writing, model.generation.write(jobs), strict=True):
        settled = request.settled
        request.extra_prompt = done.prompt_tokens
        for wanted, text in zip(settled.wanted, done.texts, strict=True):
            if isinstance(text, FillError):
                settled.failures.append(text)
                continue
            settled.values[wanted.pointer] = text.text
            settled.meta[wanted.pointer] = FieldMeta(
                mode=Mode.GENERATE.value,
                generated_tokens=text.tokens,
                finish=None if text.finish == "stop" else text.finish,
            )
            request.written_tokens += text.tokens
        try:
            raise_all(settled.failures)
        except FillError as failure:
            failed.append((request, failure))
    return failed


def _result(model: Model, request: _Request) -> FillResult:
    settled, run = request.settled, request.run
    assert run is not None
    value = assemble(request.plan, settled.values, settled.items)
    check(request.plan, value)
    return FillResult(
        model=model.model_id,
        value=value,
        json=value,
        meta={name: settled.meta[name] for name in settled.order},
        usage=Usage(
            prompt_tokens=len(run.context.layout.ids) + run.tokens + request.extra_prompt,
            generated_tokens=request.written_tokens,
        ),
        plan=request.plan.fingerprint,
    )


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
