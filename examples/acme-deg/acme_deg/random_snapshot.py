"""``python -m acme_deg.random_snapshot NAME FOLDER``: weights that no training made, to try a family out with."""

from __future__ import annotations

import sys
from pathlib import Path

from torch import Generator

from acme_deg import snapshot
from acme_deg.mingru import MinGruFamily
from acme_deg.parallel import ParallelFamily

FAMILIES = {family.name: family for family in (ParallelFamily, MinGruFamily)}


def main(arguments: list[str]) -> int:
    """Write a snapshot of the family's default size."""
    if len(arguments) != 2 or arguments[0] not in FAMILIES:
        sys.stderr.write(f"usage: python -m acme_deg.random_snapshot {'|'.join(FAMILIES)} FOLDER\n")
        return 2
    family = FAMILIES[arguments[0]]()
    config = family.config_type()
    snapshot.write(Path(arguments[1]), config, family.random_weights(config, Generator().manual_seed(0)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
