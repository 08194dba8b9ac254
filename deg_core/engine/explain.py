"""The four stages of one field: what is planned, what the model reads, what its head says, how that is read."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import torch

from deg_core.contract.parsers import decimal_mark, read_span
from deg_core.contract.plan import FillPlan, Mode
from deg_core.contract.request import Options
from deg_core.engine.engine import Model, RawField
from deg_core.engine.extract import MISSING, ranked_spans
from deg_core.engine.fields import ReadContext
from deg_core.errors import FillError
from deg_core.rendering.template import outcome_line


def explain_field(
    model: Model, text: str, plan: FillPlan, pointer: str, options: Options, *, top: int = 5
) -> dict[str, Any]:
    """A JSON-ready account of the field at ``pointer``; only its own fork is run, which changes no bit of it."""
    alone = FillPlan(fields=(plan.field(pointer),), schema=plan.schema)
    model.check_length(text, alone)
    ((read, (raw,)),) = model.read([(text, alone)])
    tokenizer = model.renderer.tokenizer
    account: dict[str, Any] = {
        "plan": {key: value for key, value in asdict(raw.field).items() if key != "path"} | {"pointer": pointer},
        "fork": {
            "text": tokenizer.decode(raw.layout.ids),
            "tokens": [tokenizer.decode([token]) for token in raw.layout.ids],
            "trunk_tokens": len(read.layout.ids),
        },
    }
    temperature = model.temperature(raw.field)
    if raw.field.mode.extracts:
        account["head"] = _spans(raw, read, options, temperature, top)
    else:
        account["head"] = _outcomes(raw, temperature, top)
    try:
        value, meta = model.decode_field(raw, read, options)
        account["reading"] = {"left_out": True} if value is MISSING else {"value": value}
        account["reading"]["meta"] = meta.as_dict()
    except FillError as error:
        account["reading"] = {"error": str(error)}
    return account


def _outcomes(raw: RawField, temperature: float, top: int) -> dict[str, Any]:
    logits = raw.logits.tolist()
    lines = (
        ["true", "false"]
        if raw.field.mode is Mode.NOUL
        else [outcome_line(raw.field, index) for index in raw.layout.order]
    )
    ranked = sorted(zip(lines, logits, strict=True), key=lambda pair: -pair[1])
    return {"temperature": temperature, "logits": [{"outcome": line, "logit": logit} for line, logit in ranked[:top]]}


def _spans(raw: RawField, read: ReadContext, options: Options, temperature: float, top: int) -> dict[str, Any]:
    log_p = torch.log_softmax(raw.logits.double() / temperature, dim=1)
    text = read.layout.text
    spans = []
    for scored, _ in zip(ranked_spans(raw.field, log_p, read.layout), range(top), strict=False):
        words = text[scored.start : scored.end]
        decimal = decimal_mark(text, (scored.start, scored.end)) if raw.field.mode is Mode.NUMBER else None
        reading = read_span(
            raw.field, words, date_order=options.date_order, default_offset=options.default_offset, decimal=decimal
        )
        spans.append(
            {"span": [scored.start, scored.end], "text": words, "probability": math.exp(scored.score)}
            | ({"value": reading.value} if reading.null_reason is None else {"fails": reading.null_reason})
        )
    return {"temperature": temperature, "p_null": math.exp(float(log_p[:, -1].sum())), "spans": spans}
