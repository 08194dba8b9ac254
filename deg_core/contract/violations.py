"""Which constraint keywords a single value violates; extraction, compilation and validation share this definition."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deg_core.contract.arithmetic import exact, is_multiple, is_number
from deg_core.contract.plan import JSONScalar, JSONValue


def _number(test: Callable[[JSONScalar, JSONValue], bool]) -> Callable[[JSONScalar, JSONValue], bool]:
    return lambda value, limit: not is_number(value) or test(value, limit)


def _string(test: Callable[[str, JSONValue], bool]) -> Callable[[JSONScalar, JSONValue], bool]:
    return lambda value, limit: not isinstance(value, str) or test(value, limit)


def _pattern_holds(text: str, source: JSONValue) -> bool:
    # The regex engine is loaded only for schemas that use it.
    from deg_core.contract.patterns import compile_pattern

    return compile_pattern(source).found_in(text)


def _format_holds(text: str, name: JSONValue) -> bool:
    # Like the regex engine: only for schemas that use it.
    from deg_core.contract.parsers.format import check_format

    return check_format(name, text)


_TESTS: dict[str, Callable[[JSONScalar, JSONValue], bool]] = {
    "minLength": _string(lambda text, limit: len(text) >= limit),
    "maxLength": _string(lambda text, limit: len(text) <= limit),
    "pattern": _string(_pattern_holds),
    "format": _string(_format_holds),
    "minimum": _number(lambda value, limit: exact(value) >= exact(limit)),  # type: ignore[arg-type]
    "maximum": _number(lambda value, limit: exact(value) <= exact(limit)),  # type: ignore[arg-type]
    "exclusiveMinimum": _number(lambda value, limit: exact(value) > exact(limit)),  # type: ignore[arg-type]
    "exclusiveMaximum": _number(lambda value, limit: exact(value) < exact(limit)),  # type: ignore[arg-type]
    "multipleOf": _number(lambda value, limit: is_multiple(value, limit)),  # type: ignore[arg-type]
}


def scalar_violations(value: JSONScalar, constraints: Mapping[str, JSONValue], *, strict: bool = False) -> list[str]:
    """The keywords of ``constraints`` that ``value`` violates, in their order.

    As in JSON Schema a keyword concerns its own type only: minLength says nothing about a number. Lengths count code
    points, numbers compare as decimals, a pattern is searched anywhere. A search that takes too long counts as
    violated; with ``strict`` it raises PatternTimeout.
    """
    violated: list[str] = []
    for keyword, limit in constraints.items():
        try:
            if not _TESTS[keyword](value, limit):
                violated.append(keyword)
        except TimeoutError:
            if strict:
                raise
            violated.append(keyword)
    return violated
