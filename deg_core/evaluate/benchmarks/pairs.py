"""Twenty fixed pairs of a context and a schema, with the right answers: what latency and throughput are measured on.

They were written for this purpose before anything was measured and are not changed to suit a result; `digest` says
which ones a report is about. Four of five have no array; they hold 3 to 40 fields and 60 to 900 words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

from deg_core.contract.compiler import compile_schema
from deg_core.contract.jsontext import load_json
from deg_core.contract.plan import FillPlan
from deg_core.contract.request import Context, render_context
from deg_core.records import Record
from deg_core.records.check import value_leaves

SOURCE: Final = "pairs"
_FOLDER: Final = "pair_data"
QUICK: Final = ("bakery-review", "seed-order")
"""What ``--quick`` runs: one pair of few fields, and one with an array and more than twenty."""


@dataclass(frozen=True, slots=True)
class Pair:
    """``context`` is a text or JSON as it is sent; ``record`` is the same with the rendered text, for scoring.

    ``fields`` counts the leaves of the right answer, those of array items one by one.
    """

    name: str
    context: Context
    record: Record
    fields: int

    @property
    def schema(self) -> dict[str, Any]:
        return self.record.schema

    @property
    def plan(self) -> FillPlan:
        return compile_schema(self.record.schema)

    @property
    def words(self) -> int:
        """Words of the text that is read."""
        return len(self.record.context.split())


def load_pairs(names: tuple[str, ...] | None = None) -> list[Pair]:
    """The pairs in order of their names; with ``names`` only those. Raises KeyError for a name that is not there."""
    found = {pair.name: pair for pair in map(_read, _files())}
    chosen = sorted(found) if names is None else names
    return [found[name] for name in chosen]


def digest() -> str:
    """SHA-256 of all pair files, names included."""
    whole = hashlib.sha256()
    for file in _files():
        data = file.read_bytes()
        whole.update(f"{file.name}\n{len(data)}\n".encode() + data)
    return whole.hexdigest()


def _files() -> Iterator[Traversable]:
    folder = resources.files(__package__) / _FOLDER
    return iter(sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda f: f.name))


def _read(file: Traversable) -> Pair:
    raw = load_json(file.read_bytes())
    context: Context = "\n".join(raw["lines"]) if "lines" in raw else raw["context"]
    record = Record(
        uid=f"{SOURCE}/{raw['name']}",
        source=SOURCE,
        split="test",
        domain=raw["domain"],
        context=render_context(context),
        schema=raw["schema"],
        value=raw["value"],
        spans={pointer: (start, end) for pointer, (start, end) in raw["spans"].items()},
    )
    leaves = sum(1 for _ in value_leaves(compile_schema(record.schema), record.value))
    return Pair(raw["name"], context, record, leaves)
