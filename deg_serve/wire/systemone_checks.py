"""A System One body against its schema: every violation at once, in the words that its clients know.

The order is the live service's: an unknown type of question first (400), then the schema (422), then unknown top-level
fields, the model, and the rules of single questions (400).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import msgspec

from deg_core.contract.jsontext import load_json
from deg_core.contract.limits import MAX_FIELDS
from deg_core.errors import RequestError
from deg_serve.wire.fill import unknown_model
from deg_serve.wire.questions import MAX_LEVELS, MAX_OPTIONS
from deg_serve.wire.systemone import ExtractQuestion, GenerateQuestion
from deg_serve.wire.systemone_errors import Detail, detail, sentence, unprocessable, usage_error

_FIELDS: Final = ("state", "model", "questions", "options")
_OURS: Final[dict[str, type[ExtractQuestion] | type[GenerateQuestion]]] = {
    "extract": ExtractQuestion,
    "generate": GenerateQuestion,
}
TYPES: Final = ("noul", "choice", "score", *_OURS)

Loc = list[str | int]
_KEPT: Final = 512  # characters of a string that a problem repeats


def read_body(body: bytes, names: Collection[str]) -> dict[str, Any]:
    """The body, which may be relied on afterwards. Raises WireRefusal or UnknownModelError."""
    try:
        given = load_json(body)
    except RequestError as error:
        raise unprocessable([_not_json(found["loc"], found["msg"]) for found in error.problems]) from None
    if not isinstance(given, dict):
        msg = "Input should be a valid dictionary or object to extract fields from"
        raise unprocessable([detail("model_attributes_type", ["body"], msg, given)])
    _refuse_unknown_types(given.get("questions"))
    found = _violations(given)
    if found:
        raise unprocessable(found)
    unknown = [name for name in given if name not in _FIELDS]
    if unknown:
        raise usage_error(f"unknown fields {', '.join(map(repr, unknown))}; allowed: {', '.join(_FIELDS)}")
    if given["model"] not in names:
        raise unknown_model(given["model"], names)
    for name, question in given["questions"].items():
        _check_rules(name, question)
    return given


def _not_json(loc: Loc, msg: str) -> Detail:
    if loc:
        return detail("value_error", ["body", *loc], msg, None)
    return detail("json_invalid", ["body"], "JSON decode error", {}, {"error": msg})


def _refuse_unknown_types(questions: Any) -> None:
    if not isinstance(questions, dict):
        return
    for name, question in questions.items():
        if isinstance(question, dict) and "type" in question and question["type"] not in TYPES:
            raise usage_error(
                f"question {name!r} has the unknown type {question['type']!r}; allowed: {', '.join(TYPES)}"
            )


def _violations(given: dict[str, Any]) -> list[Detail]:
    found: list[Detail] = []
    for name in ("state", "model", "questions"):
        if name not in given:
            found.append(_missing(["body", name], given))
    if "state" in given:
        found += _text_like(given["state"], ["body", "state"])
    if "model" in given and not isinstance(given["model"], str):
        found.append(detail("string_type", ["body", "model"], "Input should be a valid string", given["model"]))
    if given.get("options") is not None and not isinstance(given["options"], dict):
        found.append(_not_dict(["body", "options"], given["options"]))
    questions = given.get("questions", {"-": None})
    if not isinstance(questions, dict):
        return [*found, _not_dict(["body", "questions"], questions)]
    if not questions:
        msg = "Dictionary should have at least 1 item after validation, not 0"
        found.append(detail("too_short", ["body", "questions"], msg, {}, {"min_length": 1}))
    if len(questions) > MAX_FIELDS:  # a schema would be refused for them, after a second of reading it
        msg = f"Dictionary should have at most {MAX_FIELDS} items after validation, not {len(questions)}"
        return [*found, detail("too_long", ["body", "questions"], msg, {}, {"max_length": MAX_FIELDS})]
    if "questions" in given:
        for name, question in questions.items():
            found += _question(question, ["body", "questions", name])
    return found


def _question(question: Any, loc: Loc) -> list[Detail]:
    if not isinstance(question, dict):
        msg = "Input should be a valid dictionary or object to extract fields from"
        return [detail("model_attributes_type", loc, msg, question)]
    if "type" not in question:
        msg = "Unable to extract tag using discriminator 'type'"
        return [detail("union_tag_not_found", loc, msg, _short(question), {"discriminator": "'type'"})]
    kind = question["type"]
    loc = [*loc, kind]
    found = _text_like(question.get("instructions"), [*loc, "instructions"], null=True)
    if kind in _OURS:
        return found or _ours(question, loc)
    criteria = question.get("criteria")
    if kind == "noul":
        return found + _noul_criteria(criteria, [*loc, "criteria"])
    if "criteria" not in question:
        return [*found, _missing([*loc, "criteria"], question)]
    return found + (_options if kind == "choice" else _levels)(criteria, [*loc, "criteria"])


def _ours(question: dict[str, Any], loc: Loc) -> list[Detail]:
    try:
        msgspec.convert(question, _OURS[question["type"]])
    except msgspec.ValidationError as error:
        return [detail("value_error", loc, str(error), _short(question))]
    return []


def _noul_criteria(criteria: Any, loc: Loc) -> list[Detail]:
    if criteria is None:
        return []
    if not isinstance(criteria, dict):
        return [_not_dict(loc, criteria)]
    sides = ("true", "false")
    return [found for side in sides for found in _text_like(criteria.get(side), [*loc, side], null=True)]


def _options(criteria: Any, loc: Loc) -> list[Detail]:
    if not isinstance(criteria, dict):
        return [_not_dict(loc, criteria)]
    return [found for option, text in criteria.items() for found in _text_like(text, [*loc, option], null=True)]


def _levels(criteria: Any, loc: Loc) -> list[Detail]:
    if not isinstance(criteria, list):
        return [detail("list_type", loc, "Input should be a valid list", criteria)]
    if not criteria:
        msg = "List should have at least 1 item after validation, not 0"
        return [detail("too_short", loc, msg, [], {"field_type": "List", "min_length": 1, "actual_length": 0})]
    return [found for index, level in enumerate(criteria) for found in _text_like(level, [*loc, index])]


def _text_like(value: Any, loc: Loc, *, null: bool = False) -> list[Detail]:
    """Text, an object or an array; a value that is none of these fails as each of them."""
    if isinstance(value, (str, dict, list)) or (null and value is None):
        return []
    return [
        detail("string_type", [*loc, "str"], "Input should be a valid string", value),
        detail("dict_type", [*loc, "dict[any,any]"], "Input should be a valid dictionary", value),
        detail("list_type", [*loc, "list[any]"], "Input should be a valid list", value),
    ]


def _check_rules(name: str, question: dict[str, Any]) -> None:
    if not name:
        raise sentence("Question key cannot be empty.")
    criteria = question.get("criteria")
    match question["type"]:
        case "noul":
            described = isinstance(criteria, dict) and (criteria.get("true") or criteria.get("false"))
            if not question.get("instructions") and not described:
                raise sentence(f"Noul question must have criteria or instructions: {name}")
        case "choice" if not criteria:
            raise sentence(f"Choice question must have at least one choice: {name}")
        case "choice" if len(criteria or ()) > MAX_OPTIONS:
            raise sentence(f"Too many choices. Must have at most {MAX_OPTIONS} choices.")
        case "score" if len(criteria or ()) > MAX_LEVELS:
            raise sentence(f"Too many score levels. Must have at most {MAX_LEVELS} levels.")


def _missing(loc: Loc, given: dict[str, Any]) -> Detail:
    return detail("missing", loc, "Field required", _short(given))


def _not_dict(loc: Loc, given: Any) -> Detail:
    return detail("dict_type", loc, "Input should be a valid dictionary", given)


def _short(given: dict[str, Any]) -> dict[str, Any]:
    """What was given, for the reply; long texts are cut, so that a mistake beside a long state is not answered with
    that state."""
    return {key: value[:_KEPT] if isinstance(value, str) else value for key, value in given.items()}
