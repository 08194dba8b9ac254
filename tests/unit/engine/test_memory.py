"""What a family's states cost: counted for a text, and in how many forks run together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from deg_core.engine import memory
from deg_core.engine.memory import FEWEST_FORK_TOKENS, context_bytes, fork_token_budget
from deg_core.runtime.fork import FORK_TOKENS
from tests.fixtures.hybrid import SHAPES, read_body, write_snapshot


@pytest.mark.parametrize("name", ["qwen", "lfm2"])
def test_states_are_counted(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shape = SHAPES[name]
    body = read_body(shape.family, write_snapshot(tmp_path, shape))
    assert body.geometry.state_floats_per_row > 0
    larger = replace(body, geometry=replace(body.geometry, state_floats_per_row=3 * 10**6))
    without = replace(body, geometry=replace(body.geometry, state_floats_per_row=0))
    assert context_bytes(larger, 100) - context_bytes(without, 100) == 2 * 4 * 3 * 10**6
    monkeypatch.setattr(memory, "free_bytes", lambda: 2**40)
    assert fork_token_budget(larger) == fork_token_budget(without) == FORK_TOKENS
    monkeypatch.setattr(memory, "free_bytes", lambda: 2**26)
    assert FEWEST_FORK_TOKENS <= fork_token_budget(larger) < fork_token_budget(without) <= FORK_TOKENS
