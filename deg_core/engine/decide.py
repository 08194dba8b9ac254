"""From decide logits to a value with its distribution: pure Python floats, no ties left to chance (SPEC 8, 10)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from deg_core.contract.plan import FieldPlan, Mode
from deg_core.contract.result import FieldMeta


def softmax(logits: Sequence[float], temperature: float) -> list[float]:
    """Probabilities at a temperature."""
    peak = max(logits)
    weights = [math.exp((logit - peak) / temperature) for logit in logits]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def confidence(probabilities: Sequence[float]) -> float:
    """``(count * peak - 1) / (count - 1)``: 0 when all outcomes are equal, 1 when one has everything."""
    count = len(probabilities)
    return (count * max(probabilities) - 1) / (count - 1)


def decide(
    field: FieldPlan, logits: Sequence[float], order: Sequence[int], temperature: float
) -> tuple[Any, FieldMeta]:
    """Value and meta of a decide field. ``logits[k]`` belongs to the plan's outcome ``order[k]``; of equally probable
    outcomes the first in rendered order wins, which for choices does not depend on the caller's order."""
    rendered = softmax(logits, temperature)
    if field.mode is Mode.NOUL:
        p_true = rendered[0]
        return p_true >= 0.5, FieldMeta(mode=field.mode.value, probability=p_true)
    best = max(range(len(rendered)), key=lambda k: (rendered[k], -k))
    probabilities = [0.0] * len(rendered)
    for k, index in enumerate(order):
        probabilities[index] = rendered[k]
    outcome, expected = order[best], None
    if field.mode is Mode.CHOICE:
        value: Any = field.options[outcome]
    else:
        value = field.levels[outcome] if outcome < len(field.levels) else None
        mass = math.fsum(probabilities[: len(field.levels)])
        weighted = math.fsum(level * p for level, p in zip(field.levels, probabilities, strict=False))
        expected = weighted / mass if mass > 0 else None
    return value, FieldMeta(
        mode=field.mode.value,
        probability=rendered[best],
        confidence=confidence(rendered),
        probabilities=probabilities,
        expected=expected,
    )
