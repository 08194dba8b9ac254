"""When a request is sent again, and after how long.

A fill changes nothing on the server, so it is safe to repeat; what is repeated is what may go better the next time: no
connection, and the statuses 429, 502, 503 and 504, unless the reply says ``x-should-retry: false``. A reply that broke
off or timed out is not: its work may still be going on, and twice as much of it helps nobody.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from deg_serve.client.errors import ClientError

REPEATABLE: Final = frozenset((429, 502, 503, 504))


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """At most ``attempts`` in all; 1 never repeats.

    The pause before attempt n + 1 is random between half and all of ``first * 2**(n - 1)`` seconds, at most
    ``longest``. A ``Retry-After`` is honoured instead, plus up to ``first`` seconds so that not everybody comes back at
    once; one beyond ``patience`` seconds ends the attempts.
    """

    attempts: int = 4
    first: float = 0.5
    longest: float = 8.0
    patience: float = 60.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or min(self.first, self.longest, self.patience) < 0:
            raise ValueError(f"{self} cannot be: attempts must be at least 1, and no time negative")

    def pause(self, error: ClientError, failed: int, draw: Callable[[], float] = random.random) -> float | None:
        """Seconds before the next attempt after ``failed`` attempts, None to give up. ``draw`` gives [0, 1)."""
        if not error.repeatable or failed >= self.attempts:
            return None
        if error.retry_after is not None:
            if error.retry_after > self.patience:
                return None
            return error.retry_after + draw() * self.first
        # Beyond 2**30 any pause is the longest one, and the power itself would not fit a float for ever.
        bound = min(self.longest, self.first * 2.0 ** min(failed - 1, 30))
        return bound * (0.5 + draw() / 2)


def seconds_of(headers: Mapping[str, str]) -> float | None:
    """What ``Retry-After`` asks for: a number of seconds, or a date, from which the reply's own ``Date`` is taken (the
    two clocks may differ). None where there is none, or none that can be read; never negative."""
    asked = headers.get("retry-after", "").strip()
    if asked.isascii() and asked.isdecimal():
        return float(asked[:18])
    then = _date(asked)
    if then is None:
        return None
    return max(0.0, (then - (_date(headers.get("date", "")) or datetime.now(UTC))).total_seconds())


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
