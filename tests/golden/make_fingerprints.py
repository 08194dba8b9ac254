"""Writes fingerprints.json anew from the schemas in it. Run by hand, when fingerprints are meant to change.

python -m tests.golden.make_fingerprints
"""

from __future__ import annotations

import json
from pathlib import Path

from deg_core.contract.compiler import compile_schema

GOLDEN = Path(__file__).parent / "fingerprints.json"


def main() -> None:
    cases = json.loads(GOLDEN.read_text(encoding="utf-8"))
    for case in cases:
        plan = compile_schema(case["schema"])
        case["fields"] = {field.pointer: field.fingerprint for field in plan}
        case["plan"] = plan.fingerprint
    GOLDEN.write_text(json.dumps(cases, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
