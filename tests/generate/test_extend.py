"""Reading on from a state: what was read stays, nothing is held twice, and memory changes no bit."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import torch
from torch import Tensor

from deg_core.engine.engine import Model
from deg_core.kernels.testing import relative_error, threads
from deg_core.protocols.state import KV, TrunkState
from deg_core.runtime import prefill as prefill_module
from deg_core.runtime.body import Body
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import extend, prefill


@pytest.fixture(params=["int8", "fp32"])
def compute(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def body(compute: str, tiny_models: Mapping[str, Model]) -> Body:
    return tiny_models[compute].body


def ids(body: Body, count: int) -> list[int]:
    return torch.randint(body.geometry.vocab_size, (count,)).tolist()


def keys(state: TrunkState) -> list[Tensor]:
    return [layer.k_GPK for layer in state.layers if isinstance(layer, KV)]


def assert_equal(found: TrunkState, expected: TrunkState) -> None:
    assert found.length == expected.length
    assert torch.equal(found.hidden_PD, expected.hidden_PD)
    for a, b in zip(found.layers, expected.layers, strict=True):
        assert isinstance(a, KV)
        assert isinstance(b, KV)
        assert torch.equal(a.k_GPK, b.k_GPK)
        assert torch.equal(a.v_GPK, b.v_GPK)


@pytest.mark.parametrize("chunk", [7, 16, 512])
def test_it_is_a_reading_of_everything(body: Body, compute: str, chunk: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(prefill_module, "CHUNK", chunk)
    first, second, third = ids(body, 40), ids(body, 17), ids(body, 3)
    state = extend(body, extend(body, prefill(body, first), second), third)
    whole = prefill(body, first + second + third)
    assert state.length == whole.length == 60
    assert state.hidden_PD.shape == (3, body.geometry.hidden_size)
    close = 1e-5 if compute == "fp32" else 0.05
    assert relative_error(state.hidden_PD, whole.hidden_PD[-3:]) < close
    for found, expected in zip(keys(state), keys(whole), strict=True):
        assert relative_error(found, expected) < close


def test_reserved_room_changes_no_bit(body: Body):
    first, second = ids(body, 530), ids(body, 33)
    with threads(1):
        plain = prefill(body, first)
        longer = extend(body, plain, second)
        fork = run_forks(body, [(longer, first[:20])])[0]
    for reserve in (0, 32, 33, 200):
        for workers in (1, 2, 5):
            with threads(workers):
                roomy = prefill(body, first, reserve=reserve)
                assert_equal(roomy, plain)
                assert_equal(extend(body, roomy, second), longer)
                assert torch.equal(run_forks(body, [(extend(body, roomy, second), first[:20])])[0], fork)


def test_room_is_used_in_place_once(body: Body):
    """The first continuation lies behind the state, another one elsewhere; neither state changes."""
    state = prefill(body, ids(body, 50), reserve=30)
    before = [key.clone() for key in keys(state)]
    first, second, third = ids(body, 20), ids(body, 20), ids(body, 10)
    one = extend(body, state, first)
    kept = [key.clone() for key in keys(one)]
    two = extend(body, state, second)
    assert keys(one)[0].data_ptr() == keys(state)[0].data_ptr()
    assert keys(two)[0].data_ptr() != keys(state)[0].data_ptr()
    further = extend(body, one, third)
    assert keys(further)[0].data_ptr() == keys(one)[0].data_ptr()
    assert keys(extend(body, further, [1]))[0].data_ptr() != keys(further)[0].data_ptr()  # 80 of 80 tokens are taken
    for states, expected in ((keys(state), before), (keys(one), kept)):
        assert all(torch.equal(a, b) for a, b in zip(states, expected, strict=True))
    assert_equal(two, extend(body, state, second))


def test_nothing_more_is_the_state_itself(body: Body):
    state = prefill(body, ids(body, 5))
    assert extend(body, state, []) is state


def test_memory_is_what_is_kept_and_what_is_reserved(body: Body):
    per_token = body.geometry.kv_floats_per_token * 4
    hidden = body.geometry.hidden_size * 4
    state = prefill(body, ids(body, 600), reserve=40)
    assert state.bytes == 640 * per_token + 600 * hidden
    assert extend(body, state, ids(body, 10)).bytes == 640 * per_token + 10 * hidden
