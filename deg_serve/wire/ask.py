"""What every wire's request comes down to: one fill, and how its result is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from deg_core.contract.request import Context, Options
from deg_core.contract.result import FillResult
from deg_core.errors import Problem, ProblemsError, SchemaError

Loc = list[str | int]


@dataclass(frozen=True, slots=True)
class Ask:
    """A request that was read and is well-formed.

    ``schema`` is None when everything can be answered without the model. ``reply`` gives the body of the answer from
    the result of the fill (None without a fill). ``schema_loc`` turns a place in the schema into one in the request.
    """

    context: Context
    schema: Mapping[str, Any] | None
    options: Options
    reply: Callable[[FillResult | None], Any]
    schema_loc: Callable[[Loc], Loc] = field(default=lambda loc: ["schema", *loc])

    def located(self, error: SchemaError) -> ProblemsError:
        """The error with its places in the request."""
        return SchemaError([Problem(loc=self.schema_loc(found["loc"]), msg=found["msg"]) for found in error.problems])
