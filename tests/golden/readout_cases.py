"""The questions that ``readout.json`` keeps, word for word: those of the fork cases, in items of arrays, and turned.

Written anew by ``python -m tests.golden.readout_cases``: by hand, with a raised ``READOUT_VERSION``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import Mode
from deg_core.protocols.head import ArrayQuery, Query
from deg_core.rendering.places import Place
from deg_core.rendering.readout import READOUT_VERSION, ReadoutRenderer
from tests.fixtures.tiny import tiny_tokenizer
from tests.golden.fork_cases import fields

GOLDEN = Path(__file__).parent / "readout.json"
ROWS: dict[str, Any] = {
    "type": "array",
    "title": "Lines",
    "description": "what was\nbought",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "kind": {"enum": ["new", "used"]},
            "parts": {"type": "array", "items": {"type": "number"}},
        },
    },
}
QUERIES: tuple[Query, ...] = (*(mode for mode in Mode if mode is not Mode.GENERATE), ArrayQuery.COUNT)


def renderer() -> ReadoutRenderer:
    """With the tiny tokenizer."""
    from deg_backbones.llama.model import LlamaFamily

    return ReadoutRenderer(LlamaFamily(), tiny_tokenizer(), QUERIES)


def questions() -> dict[str, str]:
    """What the model reads behind the text, decoded from the tokens."""
    made = renderer()
    plan = compile_schema({"type": "object", "properties": {"lines": ROWS}})
    lines, parts = plan.arrays
    second = (Place("/lines", index=1),)
    forks = {name: made.fork(field) for name, field in fields().items()}
    forks["choice turned by two"] = made.turned(fields()["choice plain"], (), 2)
    forks["count"] = made.array(plan, lines, ArrayQuery.COUNT)
    forks["count in an item"] = made.array(plan, parts, ArrayQuery.COUNT, second)
    forks["text in an item"] = made.fork(plan.field("/lines/*/name"), second)
    forks["choice in an item"] = made.fork(plan.field("/lines/*/kind"), second)
    forks["item of items"] = made.fork(plan.field("/lines/*/parts/*"), (*second, Place("/lines/1/parts", index=0)))
    return {name: made.tokenizer.decode(fork.ids) for name, fork in forks.items()}


def main() -> None:
    """Rewrite ``readout.json`` from what is rendered now."""
    content = {"readout_version": READOUT_VERSION, "questions": questions()}
    GOLDEN.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
