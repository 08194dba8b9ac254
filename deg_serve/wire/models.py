"""``GET /v1/models``: one body that the clients of both decision wires read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import Struct


class ModelEntry(Struct, frozen=True, kw_only=True):
    """A name in the form that OpenAI clients read."""

    id: str
    created: int
    object: str = "model"
    owned_by: str = "deg"


class NamedModel(Struct, frozen=True, kw_only=True):
    """A name in the form that System One clients read."""

    name: str
    description: str
    release_date: str


class ModelList(Struct, frozen=True, kw_only=True):
    """Every name that a request may use; all of them mean the one model that is served."""

    data: list[ModelEntry]
    models: list[NamedModel]
    object: str = "list"


def list_models(names: Iterable[str], model_id: str, loaded: datetime) -> ModelList:
    """The list. ``loaded`` is when the server took the model into use; checkpoints carry no other date."""
    every = list(dict.fromkeys(names))
    day = loaded.astimezone(UTC).date().isoformat()
    return ModelList(
        data=[ModelEntry(id=name, created=int(loaded.timestamp())) for name in every],
        models=[NamedModel(name=name, description=f"{model_id} on this server", release_date=day) for name in every],
    )
