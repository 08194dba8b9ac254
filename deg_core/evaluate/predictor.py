"""What is evaluated: anything that fills a schema from a text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from deg_core.engine.engine import Model


@dataclass(frozen=True, slots=True)
class Prediction:
    """A filled value; by pointer where there is one: the probability given to the answer, and the span it came from
    ([start, end) in code points). ``tokens`` were read and written."""

    value: Any
    confidence: Mapping[str, float] = field(default_factory=dict)
    spans: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    tokens: tuple[int, int] | None = None


class Predictor(Protocol):
    """``name`` is for people; ``fingerprint`` changes with anything that may change an answer."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    def predict(self, context: str, schema: Mapping[str, Any]) -> Prediction:
        """Fill ``schema`` from ``context``. Raises FillError when no value came, RuntimeLimitError for a text that
        is too long."""
        ...


class ModelPredictor:
    """A loaded checkpoint as a predictor."""

    def __init__(self, model: Model, *, options: Mapping[str, Any] | None = None) -> None:
        self.model = model
        self.options = dict(options or {})

    @property
    def name(self) -> str:
        return self.model.model_id

    @property
    def fingerprint(self) -> str:
        """Covers deg.json (weight hashes and temperatures with it), arithmetic and options."""
        spec = msgspec.to_builtins(self.model.spec)
        spec.pop("provenance")
        content = json.dumps([spec, self.model.compute, self.options], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(content.encode()).hexdigest()

    def predict(self, context: str, schema: Mapping[str, Any]) -> Prediction:
        result = self.model.fill(context, schema, **self.options)
        confidence, spans = {}, {}
        for pointer, meta in result.meta.items():
            if meta.probability is None:
                sure = meta.confidence
            elif meta.probabilities is None:  # yes or no: the probability is that of true
                sure = max(meta.probability, 1 - meta.probability)
            else:
                sure = meta.probability
            if sure is not None:
                confidence[pointer] = sure
            if meta.span is not None:
                spans[pointer] = (meta.span[0], meta.span[1])
        usage = result.usage
        return Prediction(result.value, confidence, spans, (usage.prompt_tokens, usage.generated_tokens))
