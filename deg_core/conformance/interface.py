"""Whether a class has what its protocol names, before anything of it is run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from deg_core.conformance.report import CheckFailed
from deg_core.contract.plan import Mode
from deg_core.errors import PluginError
from deg_core.protocols import PROTOCOL_VERSION
from deg_core.protocols.array_decoder import ArrayDecoder
from deg_core.protocols.capabilities import Capabilities
from deg_core.protocols.family import Family
from deg_core.protocols.head import ArrayQuery, Head

if TYPE_CHECKING:
    from deg_core.conformance.decoder_case import DecoderCase
    from deg_core.conformance.family_case import FamilyCase
    from deg_core.conformance.head_case import HeadCase
    from deg_core.conformance.run import Conformance

ARITHMETICS: Final = frozenset({"fp32", "int8", "bf16"})
QUERIES: Final = (*(mode for mode in Mode if mode is not Mode.GENERATE), *ArrayQuery)


def protocol_version(run: Conformance) -> None:
    """The registry imports the class and refuses another protocol; its own words say what is wrong."""
    ours = ".".join(map(str, PROTOCOL_VERSION))
    try:
        _ = run.plugin_class
    except PluginError as error:
        raise CheckFailed(f"a class with protocol_version up to {ours}", error.message) from error


def family_interface(case: FamilyCase) -> None:
    """Attributes and methods of ``Family``; the name it was registered under; capabilities that mean something."""
    family = case.family
    problems = missing(family, Family)
    name = getattr(family, "name", None)
    if name != case.name:
        problems.append(
            f"name is {name!r}, though it is registered as {case.name!r} (prepared weights go by this name)"
        )
    able = getattr(family, "capabilities", None)
    if not isinstance(able, Capabilities):
        problems.append(f"capabilities is {able!r}, not a Capabilities record")
    else:
        if not able.compute or not able.compute <= ARITHMETICS:
            problems.append(f"capabilities.compute is {sorted(able.compute)}, not some of {sorted(ARITHMETICS)}")
        if "fp32" not in able.compute:
            problems.append("capabilities.compute lacks fp32, the arithmetic that all others are measured against")
    _refuse(problems, "Family", "deg_core/protocols/family.py")


def head_interface(case: HeadCase) -> None:
    """Attributes and methods of ``Head``; it is a torch module; what it answers can be asked."""
    from torch import nn

    head = case.head
    problems = missing(head, Head, calls={"__call__": ("fork", "prepared")})
    if not isinstance(head, nn.Module):
        problems.append(f"{type(head).__name__} is not a torch.nn.Module")
    kind, modes, optional = (getattr(head, name, None) for name in ("kind", "modes", "optional"))
    if not (isinstance(kind, str) and kind):
        problems.append(f"kind is {kind!r}, not a word (its losses and its temperature go by it)")
    if not isinstance(modes, frozenset) or not modes or not modes <= set(QUERIES):
        problems.append(f"modes is {modes!r}, not a frozenset of {', '.join(query.value for query in QUERIES)}")
    if not isinstance(optional, frozenset):
        problems.append(f"optional is {optional!r}, not a frozenset of names in state_dict()")
    _refuse(problems, "Head", "deg_core/protocols/head.py")


def decoder_interface(case: DecoderCase) -> None:
    """Attributes and methods of ``ArrayDecoder``."""
    decoder = case.decoder
    problems = missing(decoder, ArrayDecoder)
    if getattr(decoder, "name", None) != case.name:
        problems.append(f"name is {getattr(decoder, 'name', None)!r}, though it is registered as {case.name!r}")
    if not isinstance(getattr(decoder, "needs_count", None), bool):
        problems.append(f"needs_count is {getattr(decoder, 'needs_count', None)!r}, neither True nor False")
    _refuse(problems, "ArrayDecoder", "deg_core/protocols/array_decoder.py")


def missing(plugin: object, protocol: type[Any], calls: Mapping[str, tuple[str, ...]] | None = None) -> list[str]:
    """What ``plugin`` lacks of ``protocol``: attributes, methods, and methods that do not take the arguments that deg
    gives, which are given by place. ``calls`` names the arguments of methods to be looked at in another way."""
    problems = [
        f"{name} is missing"
        for name in sorted(protocol.__annotations__)
        if not isinstance(inspect.getattr_static(protocol, name, None), property) and not hasattr(plugin, name)
    ]
    for name, function in vars(protocol).items():
        if name.startswith("_") and name not in (calls or {}):
            continue
        if not inspect.isfunction(function):
            continue
        own = getattr(plugin, name, None)
        if not callable(own):
            problems.append(f"{name}() is missing")
            continue
        wanted = (calls or {}).get(name) or tuple(inspect.signature(function).parameters)[1:]
        if not _takes(own if name != "__call__" else getattr(plugin, "forward", own), len(wanted)):
            problems.append(f"{name}{_signature(own)} does not take ({', '.join(wanted)})")
    return problems


def _takes(function: Callable[..., Any], count: int) -> bool:
    try:
        inspect.signature(function).bind(*(None,) * count)
    except TypeError:
        return False
    except ValueError:  # a builtin without a signature
        return True
    return True


def _signature(function: Callable[..., Any]) -> str:
    try:
        return str(inspect.signature(function))
    except ValueError:
        return "(...)"


def _refuse(problems: list[str], protocol: str, file: str) -> None:
    if problems:
        raise CheckFailed(f"all that {protocol} names ({file})", "; ".join(problems))
