"""Where deg keeps what it downloads and converts."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def deg_home() -> Path:
    """The cache folder: ``DEG_HOME`` when it is set, else ``deg`` in the platform's cache folder.

    The folder is not created here. Reading the environment at every call lets one process serve two homes (tests do).
    """
    chosen = os.environ.get("DEG_HOME")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "deg" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "deg"
    xdg = os.environ.get("XDG_CACHE_HOME")
    return (Path(xdg) if xdg and os.path.isabs(xdg) else Path.home() / ".cache") / "deg"
