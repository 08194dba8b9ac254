"""Finding and loading the compiled functions, and choosing among the levels of instructions that they are there for."""

from __future__ import annotations

import ctypes
import importlib.machinery
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from deg_core.errors import UnknownNameError

LEVELS = ("plain", "avx2", "avx512", "vnni", "amx")  # each has what those before it have
ABI = 6  # as in native.h: a build of other sources is not called
_PRODUCT = LEVELS.index("vnni")  # from here on the int8 product has an exact instruction

_P, _I, _F = ctypes.c_void_p, ctypes.c_int64, ctypes.c_float
_ARGUMENTS: dict[str, list[type]] = {
    "deg_quantize": [_P, _I, _I, _P, _F, _P, _I, _P, _I, _I],
    "deg_rescale": [_P, _P, _P, _P, _I, _I, _I],
    "deg_rms_norm": [_P, _I, _I, _I, _P, _I, _F, _P, _I, _I],
    "deg_silu_mul": [_P, _I, _P, _I, _P, _I, _I, _I],
    "deg_rotate": [_P, _I, _I, _I, _P, _P, _I, _P, _I, _I],
    "deg_copy": [_P, _I, _I, _P, _I, _I, _I, _I, _I, _I],
    "deg_attention": [_P, _I, _I, _I, _I, _F, _I, _P],
    "deg_pack_dense": [_P, _I, _I, _I, _I, _P],
    "deg_dense": [_P, _I, _I, _P, _I, _I, _P, _P],
    "deg_large_pages": [_P, _I],
    "deg_pack": [_P, _I, _I, _I, _I, _P],
    "deg_product": [_P, _P, _I, _P, _P, _I, _I, _I, _P, _I, _P, _I, _P],
    "deg_feed_forward": [_P, _P, _F, _I, _I, _P, _P, _I, _I, _P, _P, _I, _P, _I, _P],
}
_VOID = (
    "deg_rescale",
    "deg_rms_norm",
    "deg_silu_mul",
    "deg_rotate",
    "deg_copy",
    "deg_large_pages",
    "deg_pack",
    "deg_pack_dense",
)

_in_use: int | None = None  # place in LEVELS; -1 is none of this, None not yet decided


def available() -> bool:
    """Whether the compiled kernels are there, fit this version, and are not switched off."""
    return _level() >= 0


def level() -> str | None:
    """The name of the level in use; None where the kernels are not available."""
    return LEVELS[_level()] if _level() >= 0 else None


def functions() -> ctypes.CDLL | None:
    """The compiled functions, None where they are not available."""
    return _library() if _level() >= 0 else None


def has_product() -> bool:
    """Whether there is an int8 product at the level in use."""
    return _level() >= _PRODUCT


@contextmanager
def at_most(name: str) -> Iterator[str | None]:
    """Inside, no level above ``name`` is used by any thread, and none of the kernels with the name "0". Gives the level
    that is used, which is a lower one where the processor lacks it. For tests and measurements."""
    global _in_use
    before = _level()
    _in_use = _choose(name)
    try:
        yield level()
    finally:
        _in_use = before
        library = _library()
        if library is not None and before >= 0:
            library.deg_use(before)


def _level() -> int:
    global _in_use
    if _in_use is None:
        _in_use = _choose(os.environ.get("DEG_NATIVE", "1"))
    return _in_use


def _choose(name: str) -> int:
    if name not in ("0", "1", *LEVELS):
        raise UnknownNameError(f"DEG_NATIVE is {name!r}; allowed: 0 (off), 1 (the best there is), {', '.join(LEVELS)}")
    library = _library() if name != "0" else None
    if library is None:
        return -1
    return int(library.deg_use(len(LEVELS) - 1 if name == "1" else LEVELS.index(name)))


def load() -> ctypes.CDLL | None:
    """The library beside this file, None where there is none that fits. A plain shared library, though it is built and
    named as an extension is."""
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        path = Path(__file__).with_name("_native" + suffix)
        if not path.is_file():
            continue
        try:
            found = ctypes.CDLL(str(path))
            if found.deg_abi() != ABI:
                return None
        except (OSError, AttributeError):  # built for another machine, or not by this project
            return None
        for name, arguments in _ARGUMENTS.items():
            function = getattr(found, name, None)  # products are there on x86-64 alone
            if function is not None:
                function.argtypes, function.restype = arguments, None if name in _VOID else ctypes.c_int
        return found
    return None


_library = cache(load)
