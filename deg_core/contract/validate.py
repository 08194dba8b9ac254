"""The final check of a filled value against its schema (SPEC 4 and 8), so that what is given back is always valid.

`jsonschema` does the checking, in the draft that ``$schema`` names, with three changes, so that right answers never
become errors: ``pattern`` is the dialect of `deg_core.contract.patterns` under a time limit, ``multipleOf`` counts in
decimals (19.99 is a multiple of 0.01), and the five formats are asserted. No reference outside the document is fetched.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from threading import Lock
from typing import Any, Final, TypeAlias

import jsonschema
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

from deg_core.contract.arithmetic import is_multiple, is_number
from deg_core.contract.jsonvalue import checked_copy, show
from deg_core.contract.keywords import FORMATS
from deg_core.contract.metaschema import draft_of
from deg_core.contract.parsers.format import check_format
from deg_core.contract.patterns import PatternError, PatternTimeout, compile_pattern
from deg_core.contract.plan import JSONValue
from deg_core.contract.problems import Problems
from deg_core.errors import Problem

FormatCheck: TypeAlias = Callable[[str], bool]

_LONGEST_MESSAGE: Final = 300
_CACHE_SIZE: Final = 256
_CACHE_TEXT: Final = 100_000


def _pattern(_: Any, source: str, instance: JSONValue, __: JSONValue) -> Iterator[ValidationError]:
    if not isinstance(instance, str):
        return
    try:
        if not compile_pattern(source).found_in(instance):
            yield ValidationError(f"{show(instance)} does not match the pattern {show(source)}")
    except (PatternError, PatternTimeout) as error:
        yield ValidationError(f"the pattern {show(source)} cannot be checked: {error}")


def _multiple_of(_: Any, step: int | float, instance: JSONValue, __: JSONValue) -> Iterator[ValidationError]:
    if is_number(instance) and not is_multiple(instance, step):
        yield ValidationError(f"{show(instance)} is not a multiple of {show(step)}")


_OVERRIDES: Final = {"pattern": _pattern, "multipleOf": _multiple_of}
_CLASSES: Final = {
    draft: jsonschema.validators.extend(base, _OVERRIDES)
    for draft, base in (
        ("draft-04", jsonschema.Draft4Validator),
        ("draft-06", jsonschema.Draft6Validator),
        ("draft-07", jsonschema.Draft7Validator),
        ("2019-09", jsonschema.Draft201909Validator),
        ("2020-12", jsonschema.Draft202012Validator),
    )
}


def _keep_class(kind: Any) -> None:
    """Let the validator class judge subschemas itself: below a nested ``$schema``, jsonschema would go on with a class
    of its own, without our keywords. One document has one draft, so nothing is lost by not reading it there."""
    evolve = kind.evolve

    def evolve_within(self: Any, **changes: Any) -> Any:
        schema = changes.get("schema")
        if isinstance(schema, dict) and "$schema" in schema:
            changes["schema"] = {keyword: value for keyword, value in schema.items() if keyword != "$schema"}
        return evolve(self, **changes)

    kind.evolve = evolve_within


for _class in _CLASSES.values():
    _keep_class(_class)


class ValueValidator:
    """A schema made ready to check values. ``formats`` replaces or adds format checks by name."""

    def __init__(self, schema: Mapping[str, JSONValue], *, formats: Mapping[str, FormatCheck] | None = None) -> None:
        checker = jsonschema.FormatChecker(formats=())
        checks: dict[str, FormatCheck] = {name: partial(check_format, name) for name in FORMATS}
        for name, check in {**checks, **(formats or {})}.items():
            checker.checks(name)(partial(_holds, check))
        draft = draft_of(schema) or "2020-12"
        self._validator = _CLASSES[draft](schema, registry=Registry(), format_checker=checker)

    def problems(self, value: JSONValue) -> list[Problem]:
        """Every way in which ``value`` breaks the schema, each at its place in the value; empty when it is valid."""
        unreadable = Problems()
        plain = checked_copy(value, unreadable)
        if len(unreadable):
            return unreadable.as_problems()
        try:
            errors = list(self._validator.iter_errors(plain))
        except Unresolvable as error:
            return [
                Problem(loc=[], msg=f"the schema refers to {show(str(error.ref))}, which this document does not hold")
            ]
        except RecursionError:
            return [Problem(loc=[], msg="the schema refers to itself without end")]
        errors.sort(key=lambda error: [(isinstance(step, str), step) for step in error.absolute_path])
        return [_problem(error) for error in errors]


def _holds(check: FormatCheck, instance: JSONValue) -> bool:
    return not isinstance(instance, str) or check(instance)


def _problem(error: ValidationError) -> Problem:
    """One located problem; for a union, that of the branch that came closest."""
    closest = best_match([error]) if error.context else error
    message = str(closest.message)
    if len(message) > _LONGEST_MESSAGE:
        message = f"{show(closest.instance)} does not satisfy {closest.validator} {show(closest.validator_value)}"
    return Problem(loc=list(closest.absolute_path), msg=message)


_cache: OrderedDict[str, ValueValidator] = OrderedDict()
_cache_lock = Lock()


def validator_for(schema: Mapping[str, JSONValue]) -> ValueValidator:
    """The validator of a schema, from a bounded cache. The schema must be a JSON document, as a plan's is."""
    key = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    with _cache_lock:
        known = _cache.get(key)
        if known is not None:
            _cache.move_to_end(key)
            return known
    made = ValueValidator(json.loads(key))
    if len(key) <= _CACHE_TEXT:
        with _cache_lock:
            _cache[key] = made
            if len(_cache) > _CACHE_SIZE:
                _cache.popitem(last=False)
    return made


def value_problems(
    schema: Mapping[str, JSONValue], value: JSONValue, *, formats: Mapping[str, FormatCheck] | None = None
) -> list[Problem]:
    """Every way in which ``value`` breaks ``schema``, as ``{loc, msg}``; empty when it is valid.

    ``loc`` is the place in the value. ``formats`` replaces or adds format checks by name.
    """
    if formats is not None:
        return ValueValidator(schema, formats=formats).problems(value)
    return validator_for(schema).problems(value)
