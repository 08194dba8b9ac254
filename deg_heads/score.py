"""Score: the choice pointer's form over the level lines, with weights of its own."""

from __future__ import annotations

from deg_core.contract.plan import Mode
from deg_heads.choice import PointerHead


class ScoreHead(PointerHead):
    """decide.score; the null outcome of a nullable scale is the last line."""

    kind = "score"
    modes = frozenset({Mode.SCORE})
