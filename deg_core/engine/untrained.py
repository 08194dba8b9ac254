"""A backbone without a checkpoint: which registered heads answer for it, and which family reads a snapshot folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from deg_core.contract.plan import Mode
from deg_core.errors import CheckpointError, DegError
from deg_core.plugins.checkpoint import ComputeDefaults, DegJson
from deg_core.plugins.manager import Plugins
from deg_core.protocols.head import ArrayQuery
from deg_core.rendering.template import TEMPLATE_VERSION

READOUT: Final[dict[str, str]] = {
    Mode.CHOICE.value: "readout-choice",
    Mode.SCORE.value: "readout-score",
    Mode.NOUL.value: "readout-noul",
    Mode.SPAN.value: "readout-extract",
    Mode.NUMBER.value: "readout-extract",
    Mode.DATE.value: "readout-extract",
    ArrayQuery.COUNT.value: "readout-count",
}
CONFIG: Final = "config.json"


def untrained(backbone: str, plugins: Plugins) -> DegJson:
    """What a checkpoint of this backbone would say that nobody has trained: heads that read from the language model,
    arrays by index. Raises UnknownNameError or PluginError."""
    able = plugins.families.resolve(backbone).capabilities.compute
    return DegJson(
        model_id=f"{backbone}-readout",
        backbone=backbone,
        heads=dict(READOUT),
        template_version=TEMPLATE_VERSION,
        option_order="canonical",
        array_mode="index",
        compute=ComputeDefaults(cpu="int8" if "int8" in able else "fp32"),
    )


def is_snapshot(folder: Path) -> bool:
    """Whether a folder holds a backbone as it was published."""
    return (folder / CONFIG).is_file()


def family_of(folder: Path, plugins: Plugins) -> str:
    """The registered family that reads a snapshot. Of several, the one that the others are kinds of.

    Raises CheckpointError when none does, or when several unrelated ones do.
    """
    found: dict[str, type[Any]] = {}
    refused: list[str] = []
    for name in plugins.families.names():
        family = plugins.families.resolve(name)
        try:
            family().read_config(folder)
        except (DegError, OSError, LookupError, TypeError, ValueError) as error:
            refused.append(f"  {name}: {error.message if isinstance(error, DegError) else error}")
        else:
            found[name] = family
    general = [name for name, family in found.items() if all(issubclass(each, family) for each in found.values())]
    if len(general) == 1:
        return general[0]
    if found:
        raise CheckpointError(f"{folder} can be read by {', '.join(found)}; say which with backbone")
    lines = "\n".join(refused)
    raise CheckpointError(f"{folder} is no checkpoint, and no backbone that is known reads it:\n{lines}")
