"""What a fill gives back (SPEC 8)."""

from __future__ import annotations

from typing import Any

import msgspec


class FieldMeta(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How one value came about; which entries are there depends on ``mode``.

    Decide: ``probability`` of the value, ``confidence``, ``probabilities`` in option or level order (null last), and
    for a scale the ``expected`` level. Extract: ``confidence`` and ``span`` of the chosen outcome, ``p_null``, and for
    a null its ``null_reason`` and, where a span tempted, the ``guess``. ``ambiguous`` says that another reading was
    possible, ``rule`` which convention decided, ``assumed_offset`` that a date-time's offset is the default's. An array
    has its number of ``items``, and of those ``dropped``; a written text its ``generated_tokens``, and ``finish``
    when a limit ended it: "length" the token budget, "max_length" that nothing more fitted.
    """

    mode: str
    probability: float | None = None
    confidence: float | None = None
    probabilities: list[float] | None = None
    expected: float | None = None
    span: list[int] | None = None
    p_null: float | None = None
    null_reason: str | None = None
    guess: dict[str, Any] | None = None
    assumed_offset: bool = False
    ambiguous: bool = False
    rule: str | None = None
    items: int | None = None
    dropped: int | None = None
    generated_tokens: int | None = None
    finish: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON object; extract fields always show ``span``, null included."""
        out: dict[str, Any] = msgspec.to_builtins(self)
        if self.mode.startswith("extract."):
            out.setdefault("span", None)
        return out


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens read (the context once, plus every field's fork) and written."""

    prompt_tokens: int
    generated_tokens: int = 0


class FillResult(msgspec.Struct, frozen=True, kw_only=True):
    """A filled schema. ``value`` is valid against the schema, or, where the schema was given as a type, an instance of
    that type; ``json`` is the JSON value in either case. ``meta`` is keyed by concrete RFC 6901 pointer."""

    model: str
    value: Any
    json: Any
    meta: dict[str, FieldMeta]
    usage: Usage
    plan: str

    def as_dict(self) -> dict[str, Any]:
        """The response body of SPEC 8."""
        return {
            "model": self.model,
            "value": self.json,
            "meta": {pointer: meta.as_dict() for pointer, meta in self.meta.items()},
            "usage": msgspec.to_builtins(self.usage),
            "plan": self.plan,
        }
