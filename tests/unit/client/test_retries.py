"""How long a client waits, and when it gives up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_serve.client import Retries, UnreachableError
from deg_serve.client.retries import seconds_of

DRAWS = st.floats(0, 1, exclude_max=True)


def failure(*, repeatable: bool = True, retry_after: float | None = None) -> UnreachableError:
    error = UnreachableError("no connection", repeatable=repeatable)
    error.retry_after = retry_after
    return error


@given(failed=st.integers(1, 10**6), draw=DRAWS, first=st.floats(0, 5), longest=st.floats(0, 60))
def test_a_pause_grows_within_its_bounds(failed: int, draw: float, first: float, longest: float):
    retries = Retries(attempts=10**7, first=first, longest=longest)
    pause = retries.pause(failure(), failed, lambda: draw)
    bound = min(longest, first * 2.0 ** min(failed - 1, 30))
    assert pause is not None
    assert bound / 2 <= pause <= bound


@given(asked=st.floats(0, 120), draw=DRAWS)
def test_retry_after_is_honoured_up_to_a_bound(asked: float, draw: float):
    pause = Retries(first=0.5, patience=60).pause(failure(retry_after=asked), 1, lambda: draw)
    if asked > 60:
        assert pause is None
    else:
        assert pause is not None
        assert asked <= pause <= asked + 0.5


def test_nothing_is_repeated_that_may_not_be():
    retries = Retries(attempts=3)
    assert retries.pause(failure(repeatable=False), 1) is None
    assert retries.pause(failure(), 2) is not None
    assert retries.pause(failure(), 3) is None
    assert Retries(attempts=1).pause(failure(), 1) is None


@pytest.mark.parametrize("wrong", [{"attempts": 0}, {"first": -1.0}, {"patience": -0.1}])
def test_impossible_settings_are_refused(wrong: dict[str, float]):
    with pytest.raises(ValueError, match="cannot be"):
        Retries(**wrong)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("7", 7.0), (" 120 ", 120.0), ("0", 0.0), ("", None), ("soon", None), ("-3", None), ("1.5", None), ("٣", None)],
)
def test_seconds(text: str, seconds: float | None):
    assert seconds_of({"retry-after": text} if text else {}) == seconds


@given(ahead=st.integers(-5000, 5000), skew=st.integers(-(10**6), 10**6))
def test_a_date_counts_from_the_servers_clock(ahead: int, skew: int):
    there = datetime(2026, 5, 3, 12, 0, tzinfo=UTC) + timedelta(seconds=skew)
    headers = {
        "date": format_datetime(there, usegmt=True),
        "retry-after": format_datetime(there + timedelta(seconds=ahead), usegmt=True),
    }
    assert seconds_of(headers) == max(0, ahead)


def test_a_date_without_the_servers_own_counts_from_this_clock():
    then = datetime.now(UTC) + timedelta(hours=1)
    found = seconds_of({"retry-after": format_datetime(then, usegmt=True)})
    assert found is not None
    assert 3500 < found <= 3600
