"""Limits on the work of reading one schema, which references could otherwise multiply without bound.

A limit that is passed is a problem that names it, and ends the reading: what follows would be more of the same.
"""

from __future__ import annotations

from typing import Final

from deg_core.contract.jsonvalue import Loc, show
from deg_core.contract.nodes import Site
from deg_core.contract.problems import Problems

MAX_NESTING: Final = 64
"""Deepest nesting of schemas in schemas, each ``$ref`` and nullable wrapper counting as one level."""
MAX_READS: Final = 50_000
"""Most schemas that one reading looks at, each step of a reference counting as one."""
MAX_LISTED: Final = 250_000
"""Most enum values and const branches, counted at each place where they are read."""
MAX_PATTERN_TEXT: Final = 60_000
"""Most characters of the different patterns, a set, an escape or a whole pattern counting as 20 more."""
MAX_SEARCH_TIME: Final = 0.4
"""Processor seconds for searching listed values for the patterns beside them; usual ones take microseconds."""
MAX_FIELDS: Final = 20_000
"""Most leaves, arrays and objects of one plan, after references are followed."""


class LimitReached(Exception):
    """A limit on the work was passed; the problem is reported already."""


class Work:
    """The account of one reading."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._reads = 0
        self._listed = 0
        self._searched = 0.0
        self._pattern_text = 0
        self._patterns: dict[str, str | None] = {}

    def count_read(self) -> None:
        """One more schema is looked at."""
        self._reads += 1
        if self._reads > MAX_READS:
            self._problems.add((), "reads", limit=MAX_READS)
            raise LimitReached

    def count_listed(self, loc: Loc, number: int) -> None:
        """So many more values are listed at ``loc``."""
        self._listed += number
        if self._listed > MAX_LISTED:
            self._problems.add(loc, "listed", limit=MAX_LISTED)
            raise LimitReached

    def count_search(self, seconds: float, site: Site) -> None:
        """So much more time went into searching listed values for the pattern of ``site``."""
        self._searched += seconds
        if self._searched > MAX_SEARCH_TIME and "pattern" in site.schema:
            self._problems.add(site.at("pattern"), "pattern-time", found=show(site.schema["pattern"]))
            raise LimitReached

    def pattern_problem(self, pattern: str, loc: Loc) -> str | None:
        """Why the pattern written at ``loc`` is not valid; None when it is."""
        if pattern not in self._patterns:
            # The regex engine is loaded only for schemas that use it.
            from deg_core.contract.patterns import pattern_cost, pattern_problem

            self._pattern_text += pattern_cost(pattern)
            if self._pattern_text > MAX_PATTERN_TEXT:
                self._problems.add(loc, "pattern-text", limit=MAX_PATTERN_TEXT)
                raise LimitReached
            self._patterns[pattern] = pattern_problem(pattern)
        return self._patterns[pattern]
