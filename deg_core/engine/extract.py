"""From start and end logits to a span, its reading, or null (SPEC 4 and 12.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from deg_core.contract.parsers import Reading, candidates, decimal_mark, read_span, trim_span
from deg_core.contract.plan import FieldPlan, Mode
from deg_core.contract.request import Options
from deg_core.contract.result import FieldMeta
from deg_core.errors import FillError
from deg_core.rendering.layout import TrunkLayout, cover

MAX_SPAN_TOKENS = 128
TOP_SPANS = 32
_GUESS_FLOOR = math.log(0.05)  # a less likely span than this is no temptation
MISSING: Any = object()  # the value of an optional field that is left out


@dataclass(frozen=True, slots=True)
class Scored:
    """A span of the text [start, end) in code points, with its log-probability."""

    score: float
    start: int
    end: int


def extract(
    field: FieldPlan, logits_2T: Tensor, trunk: TrunkLayout, options: Options, temperature: float
) -> tuple[Any, FieldMeta]:
    """Value and meta of an extract field; the value is ``MISSING`` when the key is to be left out.

    ``logits_2T`` are start and end logits over the context tokens with the null logit last. Raises FillError when the
    field may not be null and nothing in the text reads as a valid value.
    """
    log_p = torch.log_softmax(logits_2T.double() / temperature, dim=1)
    null = float(log_p[0, -1] + log_p[1, -1])
    margin = options.null_margin or 0.0
    first_failure: tuple[Scored, Reading] | None = None
    best: tuple[Scored, Reading] | None = None
    number = field.mode is Mode.NUMBER
    for scored in ranked_spans(field, log_p, trunk):
        reading = read_span(
            field,
            trunk.text[scored.start : scored.end],
            date_order=options.date_order,
            default_offset=options.default_offset,
            decimal=decimal_mark(trunk.text, (scored.start, scored.end)) if number else None,
        )
        if reading.null_reason is None:
            best = (scored, reading)
            break
        first_failure = first_failure or (scored, reading)
        if field.on_null != "forbid" and scored.score < null + margin:
            break  # nothing after this could win over null
    if best is not None and (field.on_null == "forbid" or best[0].score >= null + margin):
        return best[1].value, _meta(field, null, best)
    if field.on_null == "forbid":
        raise FillError(_nothing(field, trunk, first_failure), pointer=field.pointer)
    failed = first_failure if best is None and first_failure and first_failure[0].score >= null + margin else None
    meta = FieldMeta(
        mode=field.mode.value,
        confidence=math.exp(null),
        p_null=math.exp(null),
        null_reason=failed[1].null_reason if failed else "not_found",
        ambiguous=failed[1].ambiguous if failed else False,
        guess=_guess(best, trunk.text),
    )
    return (None if field.on_null == "null" else MISSING), meta


def _meta(field: FieldPlan, null: float, chosen: tuple[Scored, Reading]) -> FieldMeta:
    scored, reading = chosen
    return FieldMeta(
        mode=field.mode.value,
        confidence=math.exp(scored.score),
        span=[scored.start, scored.end],
        p_null=math.exp(null),
        assumed_offset=reading.assumed_offset,
        ambiguous=reading.ambiguous,
        rule=reading.rule,
    )


def _guess(best: tuple[Scored, Reading] | None, text: str) -> dict[str, Any] | None:
    """A valid span that lost to null but tempted."""
    if best is None or best[0].score < _GUESS_FLOOR:
        return None
    scored, reading = best
    return {"value": reading.value, "span": [scored.start, scored.end], "confidence": math.exp(scored.score)}


def _nothing(field: FieldPlan, trunk: TrunkLayout, failure: tuple[Scored, Reading] | None) -> str:
    if not trunk.offsets:
        found = "the text is empty"
    elif failure is None:
        found = f"nothing in the text reads as {field.format or field.json_type}"
    else:
        scored, reading = failure
        found = f"the likeliest span {trunk.text[scored.start : scored.end][:60]!r} fails: {reading.null_reason}"
    return f"{found}, and the field is required and not nullable; make it nullable to get null instead"


def ranked_spans(field: FieldPlan, log_p: Tensor, trunk: TrunkLayout) -> Iterator[Scored]:
    """Spans of the text, most probable first; ties in text order."""
    if not trunk.offsets:
        return iter(())
    found = candidates(field, trunk.text)
    if found is None:
        return _plain_spans(field, log_p, trunk)
    log_start, log_end = log_p.tolist()
    scored = []
    for start, end in found:
        first, last = cover(trunk.offsets, start, end)
        scored.append(Scored(log_start[first] + log_end[last], start, end))
    return iter(sorted(scored, key=lambda s: (-s.score, s.start, s.end)))


def _plain_spans(field: FieldPlan, log_p: Tensor, trunk: TrunkLayout) -> Iterator[Scored]:
    """The best token spans of at most ``MAX_SPAN_TOKENS``, trimmed, from a band of scores; a field that must have a
    value goes on through all of them."""
    tokens = len(trunk.offsets)
    width = min(MAX_SPAN_TOKENS, tokens)
    ends = torch.cat([log_p[1, :tokens], torch.full((width - 1,), -math.inf, dtype=log_p.dtype)])
    band = log_p[0, :tokens, None] + ends.unfold(0, width, 1)  # [start, length - 1]
    flat = band.flatten()
    counts = [min(TOP_SPANS, flat.numel())]
    if field.on_null == "forbid":
        counts.append(flat.numel())
    seen: set[tuple[int, int]] = set()
    for count in counts:
        score, place = flat.topk(count)
        for value, index in sorted(zip((-score).tolist(), place.tolist(), strict=True)):
            first, length = divmod(index, width)
            if value == math.inf or first + length >= tokens:
                continue
            span = trim_span(trunk.text, trunk.offsets[first][0], trunk.offsets[first + length][1])
            if span not in seen and span[0] < span[1]:
                seen.add(span)
                yield Scored(-value, *span)
