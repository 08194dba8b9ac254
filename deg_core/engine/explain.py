"""The four stages of one field: what is planned, what the model reads, what its head says, how that is read."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from typing import Any, cast

import torch
from torch import Tensor

from deg_core.contract.plan import ITEM, ArrayPlan, FieldPlan, FillPlan, Mode
from deg_core.contract.request import Options
from deg_core.engine.engine import Model
from deg_core.engine.extract import MISSING, ranked_spans
from deg_core.engine.fields import ReadContext
from deg_core.engine.rounds import RawField, Run
from deg_core.engine.spans import TextSpans
from deg_core.errors import FillError, UnsupportedError
from deg_core.protocols.head import ArrayQuery
from deg_core.rendering.layout import ForkLayout
from deg_core.rendering.places import locator_text
from deg_core.rendering.template import outcome_line


def explain_field(
    model: Model, text: str, plan: FillPlan, pointer: str, options: Options, *, top: int = 5
) -> dict[str, Any]:
    """A JSON-ready account of the field or array at the concrete ``pointer`` (``/lines/0/price``).

    Fields outside arrays are asked alone, which changes no bit of them; for one in an array, all of that array is found
    first. Raises KeyError when the filled value has nothing at that pointer, FillError when the array cannot be filled,
    UnsupportedError for a written text.
    """
    plan = _part(plan, pointer)
    model.check(text, plan, options)
    run = model.start(text, plan, options)
    model.answer([run])
    if not plan.arrays and run.failure is None:
        return _leaf(model, run, next(iter(run.root.leaves.values())), pointer, top)
    settled = model.settle(run)
    if pointer in settled.raws:
        return _leaf(model, run, settled.raws[pointer], pointer, top)
    if any(wanted.pointer == pointer for wanted in settled.wanted):
        raise _written(pointer)
    item, found = settled.arrays[pointer]
    account: dict[str, Any] = {"plan": _plan_entry(found.plan, pointer), "queries": {}}
    for query, logits in found.logits.items():
        layout = model.renderer.array(plan, found.plan, query, item.places)
        shown = _counts(logits, top) if query is ArrayQuery.COUNT else _anchors(logits, run.context, top)
        account["queries"][query.value] = {"fork": _fork(model, run.context, layout), "head": shown}
    decoder = model.decoder(options).name if ArrayQuery.ANCHOR in found.logits else None
    account["reading"] = {"decoder": decoder, "meta": settled.meta[pointer].as_dict()}
    return account


def _part(plan: FillPlan, pointer: str) -> FillPlan:
    """What has to be filled for the value at a concrete pointer: one field, or the outermost array around it with all
    that it holds. Raises KeyError when there is no such place, UnsupportedError when nothing is asked there."""
    for field in plan.fields:
        if field.pointer == pointer and ITEM not in field.path:
            if field.mode is Mode.GENERATE:
                raise _written(pointer)
            return replace(plan, fields=(field,), arrays=())
    for array in plan.arrays:
        if ITEM not in array.path and f"{pointer}/".startswith(f"{array.pointer}/"):
            depth = len(array.path)
            return replace(
                plan,
                fields=tuple(field for field in plan.fields if field.path[:depth] == array.path),
                arrays=tuple(inner for inner in plan.arrays if inner.path[:depth] == array.path),
            )
    raise KeyError(pointer)


def _written(pointer: str) -> UnsupportedError:
    return UnsupportedError(f"{pointer} is a written text: no head decides it, so there is nothing to explain")


def _leaf(model: Model, run: Run, raw: RawField, pointer: str, top: int) -> dict[str, Any]:
    account = {"plan": _plan_entry(raw.field, pointer), "fork": _fork(model, run.context, raw.layout)}
    temperature = model.temperature(raw.field)
    if raw.field.mode.extracts:
        account["head"] = _spans(raw, run.spans, temperature, top)
    else:
        account["head"] = _outcomes(raw, temperature, top)
    try:
        value, meta = model.decode_field(raw, run.spans)
        account["reading"] = {"left_out": True} if value is MISSING else {"value": value}
        account["reading"]["meta"] = meta.as_dict()
    except FillError as error:
        account["reading"] = {"error": str(error)}
    return account


def _plan_entry(node: FieldPlan | ArrayPlan, pointer: str) -> dict[str, Any]:
    return {key: value for key, value in asdict(node).items() if key != "path"} | {"pointer": pointer}


def _fork(model: Model, read: ReadContext, layout: ForkLayout) -> dict[str, Any]:
    tokenizer = model.renderer.tokenizer
    return {
        "text": tokenizer.decode(layout.ids),
        "tokens": [tokenizer.decode([token]) for token in layout.ids],
        "trunk_tokens": len(read.layout.ids),
    }


def _counts(logits: Tensor, top: int) -> dict[str, Any]:
    ranked = sorted(enumerate(logits.tolist()), key=lambda pair: -pair[1])
    return {"logits": [{"items": count, "logit": logit} for count, logit in ranked[:top]]}


def _anchors(logits: Tensor, read: ReadContext, top: int) -> dict[str, Any]:
    ranked = sorted(enumerate(torch.sigmoid(logits.double()).tolist()), key=lambda pair: (-pair[1], pair[0]))
    layout = read.layout
    return {
        "tokens": [
            {
                "at": layout.offsets[token][0],
                "text": locator_text(layout.text, layout.offsets, (token, len(layout.offsets))),
                "probability": probability,
            }
            for token, probability in ranked[:top]
            if logits[token] > -math.inf
        ]
    }


def _outcomes(raw: RawField, temperature: float, top: int) -> dict[str, Any]:
    logits = cast("Tensor", raw.logits).tolist()
    lines = (
        ["true", "false"]
        if raw.field.mode is Mode.NOUL
        else [outcome_line(raw.field, index) for index in raw.layout.order]
    )
    ranked = sorted(zip(lines, logits, strict=True), key=lambda pair: -pair[1])
    return {"temperature": temperature, "logits": [{"outcome": line, "logit": logit} for line, logit in ranked[:top]]}


def _spans(raw: RawField, spans: TextSpans, temperature: float, top: int) -> dict[str, Any]:
    ranked, null = ranked_spans(raw.field, raw.logits, spans, temperature)
    shown = []
    for scored, _ in zip(ranked, range(top), strict=False):
        reading = spans.read(raw.field, scored.start, scored.end)
        words = spans.trunk.text[scored.start : scored.end]
        shown.append(
            {"span": [scored.start, scored.end], "text": words, "probability": math.exp(scored.score)}
            | ({"value": reading.value} if reading.null_reason is None else {"fails": reading.null_reason})
        )
    return {"temperature": temperature, "p_null": math.exp(null), "spans": shown}
