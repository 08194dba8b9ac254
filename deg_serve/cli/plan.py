"""``deg plan``: how a schema will be filled, without any weights."""

from __future__ import annotations

import json
from typing import Any

import click

from deg_core.contract.plan import FieldPlan, FillPlan, pointer
from deg_serve.cli.inputs import read_json
from deg_serve.cli.output import print_json, print_table


@click.command()
@click.argument("schema")
@click.option("--json", "as_json", is_flag=True, help="Print the whole plan as JSON.")
def plan(*, schema: str, as_json: bool) -> None:
    """Show how SCHEMA, a JSON Schema file or - for standard input, will be filled."""
    from deg_core.contract.compiler import compile_schema

    compiled = compile_schema(read_json(schema))
    if as_json:
        print_json(as_dict(compiled))
        return
    columns = ("field", "mode", "if absent", "outcomes", "constraints", "instructions")
    print_table(columns, [_row(field) for field in compiled.fields])
    if compiled.arrays:
        click.echo()
        print_table(
            ("array", "items", "unique"),
            [
                (array.pointer, f"{array.min_items}..{_or_open(array.max_items)}", "yes" if array.unique_items else "")
                for array in compiled.arrays
            ],
        )
    click.echo(f"\nplan {compiled.fingerprint}")


def as_dict(compiled: FillPlan) -> dict[str, Any]:
    """The JSON form of a plan: pointers instead of paths; what a field does not have is left out."""
    return {
        "fingerprint": compiled.fingerprint,
        "fields": [_field(field) for field in compiled.fields],
        "arrays": [
            {
                "pointer": array.pointer,
                "min_items": array.min_items,
                "max_items": array.max_items,
                "unique_items": array.unique_items,
                "required": array.required,
                **_present({"title": array.title, "description": array.description}),
            }
            for array in compiled.arrays
        ],
        "objects": [pointer(path) for path in compiled.objects],
    }


def _field(field: FieldPlan) -> dict[str, Any]:
    found: dict[str, Any] = {
        "pointer": field.pointer,
        "mode": field.mode.value,
        "json_type": field.json_type,
        "required": field.required,
        "nullable": field.nullable,
        "on_null": field.on_null,
    }
    if field.options:
        found["options"] = list(field.options)
    if any(field.option_descriptions):
        found["option_descriptions"] = list(field.option_descriptions)
    if field.levels:
        found["levels"] = list(field.levels)
        found["null_outcome"] = field.null_outcome
    if any(field.level_labels):
        found["level_labels"] = list(field.level_labels)
    rest = {
        "format": field.format,
        "constraints": dict(field.constraints) or None,
        "max_tokens": field.max_tokens,
        "title": field.title,
        "description": field.description,
    }
    return {**found, **_present(rest), "fingerprint": field.fingerprint}


def _present(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _row(field: FieldPlan) -> tuple[str, ...]:
    outcomes = [*map(_scalar, field.options), *map(str, field.levels)] + ["null"] * field.null_outcome
    constraints = [f"{keyword} {value}" for keyword, value in field.constraints]
    if field.format:
        constraints.insert(0, field.format)
    absent = "" if field.mode.decides else {"null": "null", "omit": "left out", "forbid": "error"}[field.on_null]
    words = " - ".join(text for text in (field.title, field.description) if text)
    return (field.pointer, field.mode.value, absent, " | ".join(outcomes), ", ".join(constraints), words)


def _scalar(value: object) -> str:
    """An option as JSON writes it, strings bare."""
    return value if isinstance(value, str) else json.dumps(value)


def _or_open(limit: int | None) -> str:
    return "" if limit is None else str(limit)
