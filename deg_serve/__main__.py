"""``python -m deg_serve --ckpt DIR --port 8790``: the same as ``deg serve``."""

from __future__ import annotations

import sys

from deg_serve.cli.main import run

if __name__ == "__main__":
    sys.exit(run(["serve", *sys.argv[1:]]))
