"""Types as schemas, and values back as instances: Pydantic models, msgspec Structs, dataclasses, TypedDicts.

Extensions are written where the type's own library takes schema extras: ``Field(json_schema_extra={"x-generate":
True})`` in Pydantic, ``Annotated[str, msgspec.Meta(extra_json_schema={"x-generate": True})]`` in the others.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import TYPE_CHECKING, Any, TypeVar, is_typeddict

import msgspec

from deg_core.contract.plan import JSONValue
from deg_core.errors import FillError

if TYPE_CHECKING:
    from pydantic.json_schema import GenerateJsonSchema

T = TypeVar("T")


def is_schema_type(type_: object) -> bool:
    """Whether `schema_of` takes the object: a Pydantic model, msgspec Struct, dataclass or TypedDict class."""
    if not isinstance(type_, type):
        return is_typeddict(type_)
    return (
        issubclass(type_, msgspec.Struct)
        or dataclasses.is_dataclass(type_)
        or is_typeddict(type_)
        or _is_pydantic(type_)
    )


def schema_of(type_: type) -> dict[str, JSONValue]:
    """The JSON Schema of a type, its root written out and nested types under ``$defs``.

    Titles that a library would make up from field names are left out: the field's name says as much already. Decimals
    become numbers.

    Raises:
        TypeError: when the object is none of the supported kinds, or its library cannot express one of its fields.
    """
    if not is_schema_type(type_):
        raise TypeError(
            f"{_name(type_)} is not a Pydantic model, a msgspec Struct, a dataclass or a TypedDict; "
            "give one of these, or a JSON Schema as a dict"
        )
    if _is_pydantic(type_):
        schema = _pydantic_schema(type_)
    else:
        schema = _decimals_as_numbers(msgspec.json.schema(type_, ref_template="#/$defs/{name}"))
    definitions = schema.get("$defs", {})
    schema["$defs"] = {name: _untitled(definition, name) for name, definition in definitions.items()}
    return _untitled(_root_written_out(schema), _name(type_))


def instance_of(type_: type[T], value: JSONValue) -> T:
    """The filled value as an instance of the type that its schema came from.

    Raises:
        FillError: when the type itself refuses the value, for instance by a validator that its schema does not show.
        TypeError: when the type is none of the supported kinds.
    """
    if not is_schema_type(type_):
        raise TypeError(f"{_name(type_)} is not a Pydantic model, a msgspec Struct, a dataclass or a TypedDict")
    try:
        if _is_pydantic(type_):
            return _pydantic_instance(type_, value)
        return msgspec.convert(value, type_)
    except (msgspec.ValidationError, ValueError) as error:
        raise FillError(f"{_name(type_)} does not accept the filled value: {error}") from error


def _name(type_: object) -> str:
    return getattr(type_, "__qualname__", None) or repr(type_)


def _untitled(schema: dict[str, JSONValue], name: str) -> dict[str, JSONValue]:
    """The schema without a title that only repeats the name of its class."""
    return {key: value for key, value in schema.items() if key != "title" or value != name}


def _root_written_out(schema: dict[str, JSONValue]) -> dict[str, JSONValue]:
    """The schema with the definition that its root refers to in the root's place."""
    prefix = "#/$defs/"
    ref = schema.get("$ref")
    definitions = schema.get("$defs", {})
    if not isinstance(ref, str) or not ref.startswith(prefix) or ref.removeprefix(prefix) not in definitions:
        return schema if definitions else {key: value for key, value in schema.items() if key != "$defs"}
    name = ref.removeprefix(prefix)
    root = {**definitions[name], **{key: value for key, value in schema.items() if key not in ("$ref", "$defs")}}
    # A type that refers to itself keeps its definition, so that the cycle is reported where it is.
    others = {key: value for key, value in definitions.items() if key != name}
    if ref in _refs({**root, "$defs": others}):
        others[name] = definitions[name]
    return {**root, "$defs": others} if others else root


def _refs(schema: JSONValue) -> set[str]:
    """Every reference inside a schema."""
    found: set[str] = set()
    stack = [schema]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                found.add(node["$ref"])
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
    return found


def _decimals_as_numbers(schema: JSONValue) -> Any:
    """msgspec writes a decimal as a string with a format of its own; what stands in a text is a number."""
    if isinstance(schema, list):
        return [_decimals_as_numbers(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "string" and schema.get("format") == "decimal":
        return {**{key: value for key, value in schema.items() if key != "format"}, "type": "number"}
    return {key: _decimals_as_numbers(value) for key, value in schema.items()}


# Pydantic is imported only when a class of its is at hand, which means that it is loaded already.


def _is_pydantic(type_: object) -> bool:
    if "pydantic" not in sys.modules:
        return False
    from pydantic import BaseModel

    if isinstance(type_, type) and issubclass(type_, BaseModel):
        return True
    return hasattr(type_, "__pydantic_core_schema__") and dataclasses.is_dataclass(type_)


def _pydantic_schema(type_: type) -> dict[str, JSONValue]:
    from pydantic import PydanticUserError, TypeAdapter

    try:
        return TypeAdapter(type_).json_schema(schema_generator=_generator())
    except PydanticUserError as error:
        raise TypeError(f"{_name(type_)} has a field without a JSON Schema: {error}") from error


def _generator() -> type[GenerateJsonSchema]:
    from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
    from pydantic_core import core_schema

    class Generator(GenerateJsonSchema):
        """Pydantic's own, without made-up titles and with decimals as numbers."""

        def field_title_should_be_set(self, schema: Any) -> bool:
            return False

        def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
            number = core_schema.float_schema()
            if schema.get("decimal_places") is not None:
                number["multiple_of"] = float(f"1e-{schema['decimal_places']}")
            for name in ("multiple_of", "le", "ge", "lt", "gt"):
                if schema.get(name) is not None:
                    number[name] = float(schema[name])
            return self.float_schema(number)

    return Generator


def _pydantic_instance(type_: type[T], value: JSONValue) -> T:
    from pydantic import TypeAdapter

    return TypeAdapter(type_).validate_python(value)
