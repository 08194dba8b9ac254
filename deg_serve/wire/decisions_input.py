"""The input of a Decisions request as the text that is read. Everything in it is rendered, or refused by name.

A string stands as it is. User messages stand one after another, their parts on lines of their own; so one message of
one text is that text, whichever way it was sent. As soon as anybody else speaks, each item says who: ``user:``,
``system:``, ``assistant:``, ``call NAME (ID):``, ``result (ID):``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from deg_serve.wire.decisions import (
    AssistantMessage,
    CustomToolCall,
    FunctionCall,
    InputImage,
    InputItem,
    InputJson,
    InputText,
    LeadMessage,
    OutputText,
    Refusal,
    ToolOutput,
    UserMessage,
)
from deg_serve.wire.decisions_errors import convert, refuse
from deg_serve.wire.texts import as_text

JSON_LEVELS: Final = 32
JSON_VALUES: Final = 10_000
JSON_BYTES: Final = 256 * 1024

_MESSAGES: Final[Mapping[str, type]] = {
    "user": UserMessage,
    "developer": LeadMessage,
    "system": LeadMessage,
    "assistant": AssistantMessage,
}
_TOOLS: Final[Mapping[str, type]] = {
    "function_call": FunctionCall,
    "function_call_output": ToolOutput,
    "custom_tool_call": CustomToolCall,
    "custom_tool_call_output": ToolOutput,
}
_CALL_OF: Final = {"function_call_output": FunctionCall, "custom_tool_call_output": CustomToolCall}


def render_input(given: str | Sequence[dict[str, Any]]) -> str:
    """The text of ``input``. Raises WireRefusal at the first item that is malformed or cannot be rendered."""
    if isinstance(given, str):
        return given
    items = [_item(value, f"input[{index}]") for index, value in enumerate(given)]
    _check_calls(items)
    alone = all(isinstance(item, UserMessage) for item in items)
    texts = [_text(item, f"input[{index}]", named=not alone) for index, item in enumerate(items)]
    return "\n".join(texts)


def render_parts(parts: str | Sequence[Any], where: str) -> str:
    """Parts of a message, of a tool's output or of instructions, one a line."""
    if isinstance(parts, str):
        return parts
    return "\n".join(_part(part, f"{where}[{index}]") for index, part in enumerate(parts))


def _item(value: dict[str, Any], where: str) -> InputItem:
    kind = value.get("type", "message")
    if kind == "message":
        role = value.get("role")
        if role is None:
            raise refuse(f"{where} has no role", f"{where}.role", "missing_required_parameter")
        if not isinstance(role, str) or role not in _MESSAGES:
            raise refuse(f"{where}.role must be one of {', '.join(_MESSAGES)}", f"{where}.role", "invalid_value")
        return convert(value, _MESSAGES[role], where)
    if not isinstance(kind, str) or kind not in _TOOLS:
        allowed = ", ".join(("message", *_TOOLS))
        raise refuse(f"{where}.type must be one of {allowed}", f"{where}.type", "invalid_value")
    return convert(value, _TOOLS[kind], where)


def _check_calls(items: Sequence[InputItem]) -> None:
    calls: dict[str, type] = {}
    for index, item in enumerate(items):
        if isinstance(item, FunctionCall | CustomToolCall):
            calls[item.call_id] = type(item)
        elif isinstance(item, ToolOutput) and calls.get(item.call_id) is not _CALL_OF[item.type]:
            where = f"input[{index}].call_id"
            raise refuse(f"{where} names no {_CALL_OF[item.type].__name__} before it", where, "invalid_value")


def _text(item: InputItem, where: str, *, named: bool) -> str:
    match item:
        case UserMessage() | LeadMessage() | AssistantMessage():
            body = render_parts(item.content, f"{where}.content")
            phase = f" ({item.phase})" if isinstance(item, AssistantMessage) and item.phase else ""
            return f"{item.role}{phase}: {body}" if named else body
        case FunctionCall():
            return f"call {_name(item)} ({item.call_id}): {item.arguments}"
        case CustomToolCall():
            return f"call {_name(item)} ({item.call_id}): {item.input}"
        case _:
            return f"result ({item.call_id}): {render_parts(item.output, f'{where}.output')}"


def _name(call: FunctionCall | CustomToolCall) -> str:
    return f"{call.namespace}.{call.name}" if call.namespace else call.name


def _part(part: Any, where: str) -> str:
    match part:
        case InputText() | OutputText():
            return part.text
        case Refusal():
            return part.refusal
        case InputJson():
            _check_json(part.data, f"{where}.data")
            return as_text(part.data)
        case InputImage():
            raise refuse(f"{where} is an image; this model reads text only", where, "unsupported_content")
    raise AssertionError(part)


def _check_json(data: Any, where: str) -> None:
    levels, values = _measure(data)
    size = len(msgspec.json.encode(data))
    measures = ((levels, JSON_LEVELS, "levels"), (values, JSON_VALUES, "values"), (size, JSON_BYTES, "bytes"))
    for found, limit, unit in measures:
        if found > limit:
            raise refuse(f"{where} has {found} {unit}; at most {limit} are allowed", where, "invalid_value")


def _measure(data: Any) -> tuple[int, int]:
    """Container levels, and values (containers and scalars)."""
    members = data.values() if isinstance(data, dict) else data if isinstance(data, list) else None
    if members is None:
        return 0, 1
    inner = [_measure(member) for member in members]
    return 1 + max((levels for levels, _ in inner), default=0), 1 + sum(values for _, values in inner)
