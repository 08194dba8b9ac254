"""The texts around a field that is written (SPEC 12.1 and 12.7), for a base model that was never trained on them.

Behind the context stand, once, the values that are known, and then for each field on its own what to write::

    KNOWN VALUES:
    /order_id = "7731"
    /urgent = true
    WRITE /reply
    TITLE Reply
    DESCRIPTION a short, polite reply to the customer
    LIMITS at most 400 characters
    Write only this text, nothing else.

Then the user's turn ends and the assistant's begins. The wording is what an untuned instruct model of 135 million
parameters answered best: an instruction that repeats the description is echoed more often than followed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from deg_core.contract.plan import FieldPlan, JSONValue
from deg_core.protocols.family import Family
from deg_core.protocols.tokenizer import Tokenizer
from deg_core.rendering.template import one_line

INSTRUCTION: Final = "Write only this text, nothing else."


def known_values_text(values: Iterable[tuple[str, JSONValue]]) -> str:
    """The block of decided and extracted values, ``(concrete pointer, value)`` in leaf order; "" if there are none."""
    lines = [f"{one_line(pointer)} = {json.dumps(value, ensure_ascii=False)}\n" for pointer, value in values]
    return "".join(["KNOWN VALUES:\n", *lines]) if lines else ""


def limits_text(field: FieldPlan) -> str:
    """The constraints of a text in words; "" when it has none."""
    limits = field.constraint
    low, high, pattern = limits.get("minLength") or 0, limits.get("maxLength"), limits.get("pattern")
    parts = []
    if low and low == high:
        parts.append(f"exactly {_characters(low)}")
    else:
        parts += [f"at least {_characters(low)}"] if low else []
        parts += [f"at most {_characters(high)}"] if high is not None else []
    if pattern:
        parts.append(f"matching the regular expression {one_line(pattern)}")
    return ", ".join(parts)


def header_text(field: FieldPlan, pointer: str, locators: Sequence[str] = ()) -> str:
    """What one field asks for. ``pointer`` is the concrete one; ``locators`` are the lines that say which items of
    arrays the field stands in, outermost first."""
    lines = [f"WRITE {one_line(pointer)}", *locators]
    for word, text in (("TITLE", field.title), ("DESCRIPTION", field.description), ("LIMITS", limits_text(field))):
        if line := one_line(text or ""):
            lines.append(f"{word} {line}")
    return "\n".join([*lines, INSTRUCTION])


class WritingRenderer:
    """Token ids of these texts. Text from a schema or a context never becomes a control token."""

    def __init__(self, family: Family, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        turn, self.end = family.chat_answer(tokenizer)
        self._turn = tuple(turn)

    def known_values(self, values: Iterable[tuple[str, JSONValue]]) -> tuple[int, ...]:
        """Ids that continue the trunk, shared by all fields of a request."""
        return tuple(self._tokenizer.encode(known_values_text(values)))

    def header(self, field: FieldPlan, pointer: str, locators: Sequence[str] = ()) -> tuple[int, ...]:
        """Ids that continue the known values, up to where the field's text begins."""
        return (*self._tokenizer.encode(header_text(field, pointer, locators)), *self._turn)


def _characters(count: int) -> str:
    return f"{count} character{'s' * (count != 1)}"
