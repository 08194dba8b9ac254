"""From start and end logits to a span, its reading, or null (SPEC 4 and 12.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch

from deg_core.contract.parsers import Reading
from deg_core.contract.plan import FieldPlan
from deg_core.contract.result import FieldMeta
from deg_core.engine.pairs import Independent, Linked, Pairs
from deg_core.engine.spans import Scored, TextSpans
from deg_core.errors import FillError
from deg_core.protocols.language import Answer, SpanScores
from deg_core.protocols.spans import LinkedSpans
from deg_core.rendering.layout import TrunkLayout

_GUESS_FLOOR = math.log(0.05)  # a less likely span than this is no temptation
MISSING: Any = object()  # the value of an optional field that is left out


def extract(field: FieldPlan, raw: Answer, spans: TextSpans, temperature: float) -> tuple[Any, FieldMeta]:
    """Value and meta of an extract field; the value is ``MISSING`` when the key is to be left out.

    ``raw`` are start and end logits [2, T + 1] over the context tokens with the null logit last, the same with a link
    between the two, or scores of whole spans. Raises FillError when the field may not be null and nothing in the text
    reads as a valid value.
    """
    ranked, null = ranked_spans(field, raw, spans, temperature)
    margin = spans.options.null_margin or 0.0
    first_failure: tuple[Scored, Reading] | None = None
    best: tuple[Scored, Reading] | None = None
    for scored in ranked:
        reading = spans.read(field, scored.start, scored.end)
        if reading.null_reason is None:
            best = (scored, reading)
            break
        first_failure = first_failure or (scored, reading)
        if field.on_null != "forbid" and scored.score < null + margin:
            break  # nothing after this could win over null
    if best is not None and (field.on_null == "forbid" or best[0].score >= null + margin):
        return best[1].value, _meta(field, null, best)
    if field.on_null == "forbid":
        raise FillError(_nothing(field, spans.trunk, first_failure), pointer=field.pointer)
    failed = first_failure if best is None and first_failure and first_failure[0].score >= null + margin else None
    meta = FieldMeta(
        mode=field.mode.value,
        confidence=math.exp(null),
        p_null=math.exp(null),
        null_reason=failed[1].null_reason if failed else "not_found",
        ambiguous=failed[1].ambiguous if failed else False,
        guess=_guess(best, spans.trunk.text),
    )
    return (None if field.on_null == "null" else MISSING), meta


def ranked_spans(field: FieldPlan, raw: Answer, spans: TextSpans, temperature: float) -> tuple[Iterator[Scored], float]:
    """The field's spans with their log-probabilities, most probable first, ties in text order; and that of null."""
    if isinstance(raw, SpanScores):
        log_p = torch.log_softmax(raw.scores.double() / temperature, dim=0).tolist()
        scored = [Scored(value, *span) for value, span in zip(log_p, raw.spans, strict=False)]
        return iter(sorted(scored, key=lambda one: (-one.score, one.start, one.end))), log_p[-1]
    pairs: Pairs
    if isinstance(raw, LinkedSpans):
        pairs = Linked(raw, temperature)
    else:
        pairs = Independent(torch.log_softmax(raw.double() / temperature, dim=1))
    return spans.ranked(field, pairs), pairs.null


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
