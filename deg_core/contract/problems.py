"""Collecting every problem of a document, each with its place and the rule it breaks."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final, NamedTuple

from deg_core.contract.jsonvalue import Loc
from deg_core.contract.rules import RULES
from deg_core.errors import Problem

_HINTS: Final = 32
"""Most "did you mean" look-ups for one document: a hostile schema must not buy quadratic work with typos."""
_CANDIDATES: Final = 1_000
_LONGEST_WORD: Final = 64


class Found(NamedTuple):
    """One problem with the id of its rule (`deg_core.contract.rules.RULES`)."""

    loc: Loc
    rule: str
    msg: str


class Problems:
    """Problems in the order found; the same sentence at the same place is kept once."""

    def __init__(self) -> None:
        self._found: dict[Found, None] = {}
        self._hints = _HINTS

    def add(self, loc: Loc, rule: str, **values: object) -> None:
        """Report that ``rule`` is broken at ``loc``; ``values`` fill the rule's sentence."""
        self._found[Found(loc, rule, RULES[rule].says.format(**values))] = None

    def hint(self, word: str, candidates: Iterable[str], text: str = "; did you mean {}?") -> str:
        """`` did you mean X?`` for a mistyped word, or an empty string."""
        if self._hints <= 0 or len(word) > _LONGEST_WORD:
            return ""
        self._hints -= 1
        pool = [name for _, name in zip(range(_CANDIDATES), candidates, strict=False) if len(name) <= _LONGEST_WORD]
        close = get_close_matches(word, pool, n=1, cutoff=0.7)
        return text.format(close[0]) if close else ""

    def __len__(self) -> int:
        return len(self._found)

    @property
    def found(self) -> list[Found]:
        return list(self._found)

    def as_problems(self) -> list[Problem]:
        """The ``{loc, msg}`` form that errors carry."""
        return [Problem(loc=list(found.loc), msg=found.msg) for found in self._found]
