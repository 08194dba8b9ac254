"""Write the golden files anew (``python -m tests.golden.regenerate``): by hand, with a raised ``TEMPLATE_VERSION``."""

from __future__ import annotations

import json
from pathlib import Path

from deg_core.rendering.template import TEMPLATE_VERSION
from tests.golden.fork_cases import fork_texts


def main() -> None:
    """Rewrite ``forks.json`` from what is rendered now."""
    content = {"template_version": TEMPLATE_VERSION, "forks": fork_texts()}
    path = Path(__file__).parent / "forks.json"
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
