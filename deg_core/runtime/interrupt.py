"""Work that nobody waits for any more, ended between two layers: a thread that runs a model cannot be ended from
outside, so it asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_unwanted: ContextVar[Callable[[], bool] | None] = ContextVar("deg_unwanted", default=None)


class Interrupted(Exception):
    """The work was given up on the way. No DegError, so that nobody takes it for the outcome of one request."""


@contextmanager
def interruptible(unwanted: Callable[[], bool]) -> Iterator[None]:
    """Within, on this thread, models give up with Interrupted once ``unwanted`` says so. It is called often, and must
    be quick and give no error."""
    token = _unwanted.set(unwanted)
    try:
        yield
    finally:
        _unwanted.reset(token)


def give_up_if_unwanted() -> None:
    """Raises Interrupted where the work is not wanted any more."""
    unwanted = _unwanted.get()
    if unwanted is not None and unwanted():
        raise Interrupted("nobody waits for this work any more")
