"""Every part of this package keeps what deg's protocols promise: one test for each check of deg's conformance kit."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.deg_conform("acme-parallel", "acme-mingru", "acme-bilinear", "acme-spaced")
def test_conforms(deg_check: Callable[[], None]) -> None:
    deg_check()
