"""Schemas to measure on: a generated set of growing size, and JSON Schema files."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from deg_core.contract.jsontext import load_json
from deg_core.errors import RequestError

SIZES: Final = (3, 10, 30, 100, 300)
"""Leaves of the generated schemas."""
EACH: Final = 8
"""Generated schemas of each size."""
_VOCABULARY: Final = (
    "account address agent amount area arrival batch buyer case category channel city claim client code contact "
    "country currency date delivery department detail discount due email event fee file grade group height invoice "
    "item kind language level limit line location manager model name note number office order origin owner page "
    "partner payment period phone place plan policy price priority product project quality quantity rate reason region "
    "report request result score seller service shift size source stage state status step stock subject supplier task "
    "tax team term time title total type unit user value vendor version weight window year zone"
)
_WORDS: Final = tuple(_VOCABULARY.split())
_FORMATS: Final = ("date", "date-time", "email", "uri", "uuid")


@dataclass(frozen=True, slots=True)
class NamedSchema:
    """A document with the group that figures are given by."""

    group: str
    name: str
    document: Any


def generated_schemas(*, sizes: Sequence[int] = SIZES, each: int = EACH, seed: int = 0) -> list[NamedSchema]:
    """Schemas with so many leaves of every supported kind, in nested objects, arrays and ``$defs``; the same for the
    same seed. About half of the leaves are described, and about a third of those with a type are nullable."""
    made = []
    for size in sizes:
        for index in range(each):
            chance = random.Random(f"{seed}/{size}/{index}")
            made.append(NamedSchema(f"generated, {size} fields", f"{size}-{index}", _Maker(chance).document(size)))
    return made


class _Maker:
    """The making of one generated schema."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.definitions: dict[str, Any] = {}

    def document(self, leaves: int) -> dict[str, Any]:
        root = self.object(leaves)
        if self.definitions:
            root["$defs"] = self.definitions
        return root

    def words(self, low: int, high: int) -> str:
        return " ".join(self.chance.choice(_WORDS) for _ in range(self.chance.randint(low, high)))

    def object(self, leaves: int) -> dict[str, Any]:
        """An object with so many leaves in it and in what it holds."""
        properties: dict[str, Any] = {}
        while leaves > 0:
            name = f"{self.words(1, 2).replace(' ', '_')}_{len(properties)}"
            if leaves >= 4 and self.chance.random() < 0.25:
                part = self.chance.randint(2, min(leaves, 30))
                properties[name] = self.container(part)
                leaves -= part
            else:
                properties[name] = self.leaf()
                leaves -= 1
        return {
            "type": "object",
            "description": self.words(3, 8),
            "properties": properties,
            "required": sorted(self.chance.sample(sorted(properties), k=len(properties) // 2)),
            "additionalProperties": False,
        }

    def container(self, leaves: int) -> dict[str, Any]:
        inner = self.object(leaves)
        kind = self.chance.randrange(3)
        if kind == 0:
            return inner
        if kind == 1:
            return {"type": "array", "items": inner, "maxItems": self.chance.randint(2, 20)}
        name = f"part_{len(self.definitions)}"
        self.definitions[name] = inner
        return {"$ref": f"#/$defs/{name}"}

    def leaf(self) -> dict[str, Any]:
        schema = self.scalar()
        if "type" in schema and self.chance.random() < 1 / 3:
            schema["type"] = [schema["type"], "null"]
        if self.chance.random() < 0.5:
            schema["description"] = self.words(3, 15)
        return schema

    def scalar(self) -> dict[str, Any]:
        kind = self.chance.randrange(8)
        if kind == 0:
            return {"enum": sorted({self.words(1, 2) for _ in range(self.chance.randint(2, 12))} | {"other", "none"})}
        if kind == 1:
            values = sorted(self.chance.sample(_WORDS, k=self.chance.randint(2, 6)))
            return {"oneOf": [{"const": value, "description": self.words(2, 6)} for value in values]}
        if kind == 2:
            return {"type": "boolean"}
        if kind == 3:
            return {"type": "integer", "minimum": 1, "maximum": self.chance.randint(3, 10)}
        if kind == 4:
            return {"type": "number", "minimum": 0}
        if kind == 5:
            return {"type": "string", "format": self.chance.choice(_FORMATS)}
        if kind == 6:
            return {"type": "string", "pattern": f"^[A-Z]{{{self.chance.randint(1, 4)}}}-[0-9]+$"}
        return {"type": "string", "maxLength": self.chance.choice([40, 80, 200])}


def read_schemas(paths: Sequence[Path]) -> tuple[list[NamedSchema], list[str]]:
    """Schemas of files and of all ``*.json`` in folders, in order of their names; and the files that are not JSON.

    A schema's group is the folder of ``paths``, or the folder right inside it that the file stands under; files
    named by themselves are grouped by the folder that they stand in. Raises FileNotFoundError for a path that is not
    there.
    """
    found: list[NamedSchema] = []
    unreadable: list[str] = []
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(f"{path}: there is no such file or folder")
        files = sorted(file for file in path.rglob("*.json") if file.is_file()) if path.is_dir() else [path]
        for file in files:
            try:
                document = load_json(file.read_bytes())
            except (RequestError, OSError):
                unreadable.append(str(file))
                continue
            found.append(NamedSchema(_group(path, file), file.name, document))
    return found, unreadable


def _group(path: Path, file: Path) -> str:
    if not path.is_dir():
        return file.resolve().parent.name
    inside = file.relative_to(path).parts
    return inside[0] if len(inside) > 1 else path.resolve().name
