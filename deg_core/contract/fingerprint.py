r"""Fingerprints of leaves and plans (SPEC 6): SHA-256, lower-case hexadecimal, over the bytes described here.

**Bytes of a value.** `canonical_bytes` is ``json.dumps`` with ``ensure_ascii=False``, separators ``,`` and ``:``,
object keys sorted by code point, encoded as UTF-8. Floats are their shortest decimal form as Python writes it
(``0.1``, ``1e-07``); a float with an integral value below 2**53 is written as the integer, so 1.0 and 1 are the same.

**A leaf.** The bytes of the array

    ["deg-field-1", PATH, mode, json_type, required, nullable, on_null, title, description,
     options, option_descriptions, levels, level_labels, null_outcome, format, CONSTRAINTS, max_tokens, ARRAYS]

where an absent text, format or budget is ``null``; PATH is an array with a string for each property name and the number
``0`` for "each item"; CONSTRAINTS is an array of ``[keyword, value]`` in keyword order; ARRAYS has one entry
``[min_items, max_items, unique_items, required, title, description]`` for each array around the leaf, outermost first.
So a leaf's fingerprint covers all that its outcome may depend on: its own place, annotations, outcomes and constraints,
and the arrays that say how many items there are. It covers no sibling, no order of properties, and nothing of the
objects around it but their names. Options are covered in the order given; ``1`` and ``1.0`` do not differ.

**A plan.** SHA-256 of the ASCII text made of these lines, each ended by ``\n``:

    deg-plan-1
    parallel <fingerprint>      for each decide and extract leaf, each different one once, in ascending order
    generate <fingerprint>      for each generate leaf, in schema order

So the order of decide and extract leaves does not matter, that of generate leaves does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Final

from deg_core.contract.arithmetic import plain
from deg_core.contract.plan import ITEM, ArrayPlan, FieldPlan, JSONValue, Mode

FIELD_TAG: Final = "deg-field-1"
PLAN_TAG: Final = "deg-plan-1"


def canonical_bytes(value: JSONValue) -> bytes:
    """The one spelling of a JSON value, as the module documents. The value must be finite and free of surrogates."""
    return _encode(_plain(value))


def _encode(value: JSONValue) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8")


def _plain(value: JSONValue) -> JSONValue:
    if isinstance(value, float):
        return plain(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def field_fingerprint(field: FieldPlan, arrays: Sequence[ArrayPlan] = ()) -> str:
    """The fingerprint of a leaf. ``arrays`` are the arrays around it, outermost first."""
    around = [(a.min_items, a.max_items, a.unique_items, a.required, a.title, a.description) for a in arrays]
    spec = (
        FIELD_TAG,
        [0 if step is ITEM else step for step in field.path],
        field.mode.value,
        field.json_type,
        field.required,
        field.nullable,
        field.on_null,
        field.title,
        field.description,
        field.options,
        field.option_descriptions,
        field.levels,
        field.level_labels,
        field.null_outcome,
        field.format,
        field.constraints,
        field.max_tokens,
        around,
    )
    # Options and constraints are in their plain spelling already: the compiler puts them there.
    return hashlib.sha256(_encode(spec)).hexdigest()


def plan_fingerprint(fields: Sequence[FieldPlan]) -> str:
    """The fingerprint of a plan, from the fingerprints of its leaves."""
    parallel = sorted({field.fingerprint for field in fields if field.mode is not Mode.GENERATE})
    lines = [PLAN_TAG, *(f"parallel {name}" for name in parallel)]
    lines.extend(f"generate {field.fingerprint}" for field in fields if field.mode is Mode.GENERATE)
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode("ascii")).hexdigest()
