"""What of the contract this build fills."""

from __future__ import annotations

from deg_core.contract.plan import FillPlan, Mode
from deg_core.errors import UnsupportedError


def refuse_unsupported(plan: FillPlan) -> None:
    """Name every part of the plan that this build compiles but does not fill. Raises UnsupportedError."""
    parts = [f"{array.pointer} (array)" for array in plan.arrays]
    parts += [f"{field.pointer} (x-generate)" for field in plan.fields if field.mode is Mode.GENERATE]
    if parts:
        raise UnsupportedError(
            f"this version fills objects of decided and extracted fields; it cannot fill yet: {', '.join(parts)}. "
            "Leave these out of the schema"
        )
