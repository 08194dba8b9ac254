"""The requests of a load: the same few texts asked over every wire, as bytes that are ready to be sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from deg_core.evaluate.benchmarks.pairs import Pair
from deg_core.evaluate.benchmarks.sweep import first_fields

LONGEST: Final = 160
"""Most words of a text: a load is about the server, not about reading."""
FIELDS: Final = 4

_TONES: Final = ("calm", "uneasy", "upset")
_KINDS: Final = {"order": "something was bought", "report": "something is told", "complaint": "something is wrong"}


@dataclass(frozen=True, slots=True)
class Sent:
    """A request: its path and JSON body. ``fill`` is the context and schema of one that a model can be asked too."""

    path: str
    body: bytes
    fill: tuple[Any, Mapping[str, Any]] | None = None


def requests_of(pairs: Sequence[Pair], *, written: bool) -> list[Sent]:
    """Three requests for each short pair without arrays: a fill of its first fields, and questions over the two
    decision wires. With ``written`` the first pair's requests also have a text written."""
    short = [pair for pair in pairs if pair.words <= LONGEST and not pair.plan.arrays]
    found: list[Sent] = []
    for place, pair in enumerate(short):
        write = written and place == 0
        schema = dict(first_fields(pair, FIELDS), required=[])
        if write:
            text = {"type": "string", "x-generate": True, "x-max-tokens": 8, "description": "A title."}
            schema["properties"] = {**schema["properties"], "title": text}
        context = pair.context
        found += [
            Sent("/v1/fill", _bytes({"context": context, "schema": schema}), (context, schema)),
            Sent("/v1/decisions", _bytes(_decisions(pair.record.context, write=write))),
            Sent("/v1/systemone", _bytes(_systemone(context, write=write))),
        ]
    return found


def _decisions(text: str, *, write: bool) -> dict[str, Any]:
    questions: list[dict[str, Any]] = [
        {"type": "predicate", "name": "urgent", "instructions": "Must somebody act today?"},
        {
            "type": "choice",
            "name": "kind",
            "instructions": "What is it?",
            "choices": [{"value": value, "description": told} for value, told in _KINDS.items()],
        },
        {"type": "score", "name": "tone", "instructions": "The tone.", "levels": [{"label": tone} for tone in _TONES]},
    ]
    if write:
        questions.append({"type": "generate", "name": "title", "instructions": "A title.", "max_tokens": 8})
    return {"model": "deg-latest", "input": text, "questions": questions}


def _systemone(state: Any, *, write: bool) -> dict[str, Any]:
    questions: dict[str, Any] = {
        "urgent": {"type": "noul", "instructions": "Must somebody act today?"},
        "kind": {"type": "choice", "instructions": "What is it?", "criteria": _KINDS},
        "tone": {"type": "score", "instructions": "The tone.", "criteria": list(_TONES)},
        "day": {"type": "extract", "instructions": "The first date.", "value_type": "date"},
    }
    if write:
        questions["title"] = {"type": "generate", "instructions": "A title.", "max_tokens": 8}
    return {"model": "deg-latest", "state": state, "questions": questions}


def _bytes(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()
