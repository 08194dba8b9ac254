"""The request around a schema (SPEC 9): options, context, and the one rendering of a context (SPEC 7).

Every problem of a request is reported at once, with its place; unknown fields and options are refused.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from deg_core.contract.arithmetic import is_number
from deg_core.contract.jsontext import load_json
from deg_core.contract.jsonvalue import checked_copy, show
from deg_core.contract.plan import JSONValue
from deg_core.contract.problems import Problems
from deg_core.errors import RequestError

Context: TypeAlias = str | dict[str, Any] | list[Any]
DateOrder: TypeAlias = Literal["MDY", "DMY"]

ARRAY_DECODERS: Final = ("threshold", "count_peaks", "hybrid")
DATE_ORDERS: Final = ("MDY", "DMY")
MAX_SEED: Final = 2**63 - 1
_OFFSET: Final = re.compile(r"Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]")


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a fill is done (SPEC 9). Made by `parse_options`, which checks the values.

    ``max_new_tokens`` is the budget of each generated field, ``max_items`` the cap of arrays without maxItems,
    ``date_order`` how a numeric date is read ("MDY" or "DMY"), ``default_offset`` the offset of a date-time without
    one, ``seed`` what sampling at ``temperature`` > 0 starts from, ``array_decode`` how array items are found (None is
    the checkpoint's own way), and ``null_margin`` (nats) how far a value must beat null; None is the server's.
    """

    max_new_tokens: Annotated[int, Meta(ge=1)] = 256
    max_items: Annotated[int, Meta(ge=0)] | None = None
    date_order: DateOrder | None = None
    default_offset: Annotated[str, Meta(pattern=f"^(?:{_OFFSET.pattern})$")] = "Z"
    temperature: Annotated[float, Meta(ge=0)] = 0.0
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] | None = None
    array_decode: str | None = None
    null_margin: float | None = None


class FillRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ``POST /v1/fill`` body. ``schema`` is not compiled yet."""

    context: Context
    schema: dict[str, Any]
    model: str = "deg-latest"
    options: Options = msgspec.field(default_factory=Options)


def parse_options(
    given: Mapping[str, JSONValue] | None, *, array_decoders: Collection[str] = ARRAY_DECODERS
) -> Options:
    """Options from their JSON form; None is all defaults. ``array_decoders`` are the names that are registered.

    Raises:
        RequestError: with every problem.
    """
    problems = Problems()
    options = _read_options(given, problems, array_decoders)
    if len(problems):
        raise RequestError(problems.as_problems())
    return options


def parse_request(
    body: Mapping[str, JSONValue] | str | bytes, *, array_decoders: Collection[str] = ARRAY_DECODERS
) -> FillRequest:
    """A request from its JSON text or value. The schema is checked for being an object only.

    Raises:
        RequestError: with every problem.
    """
    problems = Problems()
    if isinstance(body, (str, bytes)):
        body = load_json(body)
    value = checked_copy(body, problems)
    if not isinstance(value, dict):
        problems.add((), "request-body", found=show(value))
    if len(problems):
        raise RequestError(problems.as_problems())
    _refuse_unknown(value, FillRequest, (), "field", problems)
    for name in ("context", "schema"):
        if name not in value:
            problems.add((name,), "request-missing", name=name)
    context, schema = value.get("context", ""), value.get("schema", {})
    if not isinstance(context, (str, dict, list)):
        problems.add(
            ("context",), "request-value", name="context", wanted="a string, an object or an array", found=show(context)
        )
    if not isinstance(schema, dict):
        problems.add(("schema",), "request-value", name="schema", wanted="an object", found=show(schema))
    model = value.get("model", "deg-latest")
    if not isinstance(model, str) or not model:
        problems.add(("model",), "request-value", name="model", wanted="the name of a model", found=show(model))
    options = _read_options(value.get("options"), problems, array_decoders)
    if len(problems):
        raise RequestError(problems.as_problems())
    return FillRequest(context=context, schema=schema, model=model, options=options)


def render_context(context: Context) -> str:
    """The text that the model reads, and that span offsets count in (SPEC 7).

    A string stands as it is. An object or array is JSON with the separators ``", "`` and ``": "``, keys in the order
    given, characters beyond ASCII unescaped.

    Raises:
        RequestError: for other values, for what JSON cannot hold, and for lone surrogates, with their places.
    """
    problems = Problems()
    given: object = context
    if not isinstance(given, (str, Mapping, list, tuple)):
        problems.add(
            ("context",), "request-value", name="context", wanted="a string, an object or an array", found=show(context)
        )
    plain = checked_copy(context, problems, loc=("context",))
    if len(problems):
        raise RequestError(problems.as_problems())
    if isinstance(plain, str):
        return plain
    return json.dumps(plain, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)


# Options


def _is_integer(low: int, high: int | None = None) -> Callable[[JSONValue], bool]:
    def test(value: JSONValue) -> bool:
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        return value >= low and (high is None or value <= high)

    return test


def _is_finite(value: JSONValue) -> bool:
    return is_number(value) and math.isfinite(value)


# Name -> (test of a value, words for it). None stands for itself where the default is None.
_CHECKS: Final[dict[str, tuple[Callable[[JSONValue], bool], str]]] = {
    "max_new_tokens": (_is_integer(1), "an integer of at least 1"),
    "max_items": (_is_integer(0), "an integer of at least 0, or null"),
    "date_order": (lambda value: value in DATE_ORDERS, '"MDY", "DMY" or null'),
    "default_offset": (
        lambda value: isinstance(value, str) and _OFFSET.fullmatch(value) is not None,
        '"Z" or an offset such as "+02:00"',
    ),
    "temperature": (lambda value: _is_finite(value) and value >= 0, "a number of at least 0"),
    "seed": (_is_integer(0, MAX_SEED), "an integer from 0 to 2**63 - 1, or null"),
    "null_margin": (_is_finite, "a finite number (nats), or null"),
}
_NULLABLE: Final = frozenset(("max_items", "date_order", "seed", "null_margin"))
_FLOATS: Final = frozenset(("temperature", "null_margin"))


def _refuse_unknown(
    value: dict[str, JSONValue], struct: type[msgspec.Struct], loc: tuple[str, ...], noun: str, problems: Problems
) -> None:
    known = struct.__struct_fields__
    for name in value:
        if name not in known:
            hint = problems.hint(name, known)
            problems.add(
                (*loc, name), "request-unknown", noun=noun, name=show(name), hint=hint, allowed=", ".join(known)
            )


def _read_options(given: JSONValue, problems: Problems, array_decoders: Collection[str]) -> Options:
    """The options, defaults where a value was reported."""
    loc = ("options",)
    if given is None:
        return Options()
    value = checked_copy(given, problems, loc=loc)
    if not isinstance(value, dict):
        problems.add(loc, "request-value", name="options", wanted="an object", found=show(value))
        return Options()
    _refuse_unknown(value, Options, loc, "option", problems)
    kept: dict[str, Any] = {}
    for name, (test, wanted) in _CHECKS.items():
        if name not in value or (value[name] is None and name in _NULLABLE):
            continue
        if test(value[name]):
            kept[name] = float(value[name]) if name in _FLOATS else value[name]
        else:
            problems.add((*loc, name), "request-value", name=name, wanted=wanted, found=show(value[name]))
    decoder = value.get("array_decode")
    if decoder is None or (isinstance(decoder, str) and decoder in array_decoders):
        kept["array_decode"] = decoder
    else:
        wanted = f"one of {', '.join(array_decoders)}, or null"
        problems.add((*loc, "array_decode"), "request-value", name="array_decode", wanted=wanted, found=show(decoder))
    options = Options(**kept)
    if options.temperature > 0 and options.seed is None and "seed" not in [p.loc[-1] for p in problems.found if p.loc]:
        problems.add((*loc, "seed"), "request-seed")
    return options
