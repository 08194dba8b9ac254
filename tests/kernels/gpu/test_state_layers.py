"""What runs along a row in state layers: the gated delta rule and the short convolution; and the norms of rows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

pytest.importorskip("triton", reason="Triton is not installed: pip install triton")

from deg_core.kernels.gpu.conv import reference as conv_reference
from deg_core.kernels.gpu.conv import triton as conv
from deg_core.kernels.gpu.delta_rule import fla
from deg_core.kernels.gpu.delta_rule import reference as delta_reference
from deg_core.kernels.gpu.delta_rule import triton as delta
from deg_core.kernels.gpu.norm import reference as norm_reference
from deg_core.kernels.gpu.norm.triton import gated_rms_norm, rms_norm
from deg_core.kernels.gpu.tables import block_table, row_table
from deg_core.kernels.testing import poisoned_memory, relative_error
from tests.kernels.gpu.rows import assert_each_alone, assert_rows_alone, cut

LENGTHS = (1, 9, 5, 2)
EPS = 1e-6
HEADS = [(1, 2, 16, 8), (1, 3, 12, 10), (2, 2, 128, 17)]  # key heads, value heads, key dim, value dim

Streams = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]


def draw(keys: int, heads: int, k: int, v: int, device: torch.device) -> tuple[Streams, list[Tensor | None]]:
    """Queries, keys and values as parts of one matrix, decays, strengths; states for all rows but the second."""
    tokens = sum(LENGTHS)
    mixed = torch.randn(tokens, 2 * keys * k + heads * v).to(device)
    q, key, value = mixed.split([keys * k, keys * k, heads * v], dim=1)
    shaped = q.unflatten(1, (keys, k)), key.unflatten(1, (keys, k)), value.unflatten(1, (heads, v))
    g, beta = -torch.rand(tokens, heads).to(device), torch.rand(tokens, heads).to(device)
    states = [None if row == 1 else torch.randn(heads, k, v).to(device) for row in range(len(LENGTHS))]
    return (*shaped, g, beta), states


def picked_rows(streams: Streams, states: list[Tensor | None], rows: Sequence[int]) -> tuple[Tensor, list[Tensor]]:
    parts = [cut(stream, LENGTHS, rows) for stream in streams]
    return delta.fork_delta_rule(*parts, [states[row] for row in rows], [LENGTHS[row] for row in rows], EPS)


@pytest.mark.parametrize("heads", HEADS)
def test_it_is_the_delta_rule(heads: tuple[int, int, int, int], device: torch.device):
    streams, states = draw(*heads, device)
    with poisoned_memory():
        out, after = delta.fork_delta_rule(*streams, states, LENGTHS, EPS)
    expected, expected_after = delta_reference.fork_delta_rule(*streams, states, LENGTHS, EPS)
    assert relative_error(out, expected) < 2e-5
    assert relative_error(torch.stack(after), torch.stack(expected_after)) < 2e-5


def test_a_rows_bits_are_its_own(device: torch.device):
    streams, states = draw(*HEADS[0], device)

    def run(rows: Sequence[int]) -> list[Tensor]:
        out, after = picked_rows(streams, states, rows)
        parts = out.split([LENGTHS[row] for row in rows])
        return [torch.cat([part.flatten(), state.flatten()]) for part, state in zip(parts, after, strict=True)]

    assert_each_alone(run)


def test_a_row_may_be_cut_anywhere(device: torch.device):
    streams, _ = draw(*HEADS[0], device)
    row = [cut(stream, LENGTHS, [1]) for stream in streams]
    whole, after = delta.fork_delta_rule(*row, [None], (9,), EPS)
    first, between = delta.fork_delta_rule(*(x[:5] for x in row), [None], (5,), EPS)
    second, cut_after = delta.fork_delta_rule(*(x[5:] for x in row), between, (4,), EPS)
    assert torch.equal(torch.cat([first, second]), whole)
    assert torch.equal(cut_after[0], after[0])


def test_padding_leaves_the_state_as_it_is(device: torch.device):
    """A token with beta = g = 0 neither writes nor decays (SPEC 12.1)."""
    (q, k, v, g, beta), states = draw(*HEADS[1], device)
    _, after = delta.fork_delta_rule(q[:6], k[:6], v[:6], g[:6], beta[:6], states[:1], (6,), EPS)
    g[4:6], beta[4:6] = 0, 0
    _, padded = delta.fork_delta_rule(q[:6], k[:6], v[:6], g[:6], beta[:6], states[:1], (6,), EPS)
    _, short = delta.fork_delta_rule(q[:4], k[:4], v[:4], g[:4], beta[:4], states[:1], (4,), EPS)
    assert torch.equal(padded[0], short[0])
    assert not torch.equal(padded[0], after[0])


def test_a_state_may_be_written_back_to_its_place(device: torch.device):
    streams, _ = draw(1, 2, 16, 8, device)
    streams = tuple(stream[:3].contiguous() for stream in streams)  # type: ignore[assignment]
    states = torch.randn(3, 2, 16, 8).to(device)
    expected, after = delta.fork_delta_rule(*streams, list(states), (1, 1, 1), EPS)
    places = torch.tensor([state.data_ptr() for state in states], device=device)
    found = delta.run(*streams, row_table((1, 1, 1), device), (places, places), EPS)
    assert torch.equal(found, expected)
    assert torch.equal(states, torch.stack(after))


def test_states_of_another_shape_are_refused(device: torch.device):
    streams, states = draw(*HEADS[0], device)
    with pytest.raises(ValueError, match=r"all must be \(2, 16, 8\)"):
        delta.fork_delta_rule(*streams, [torch.zeros(2, 8, 16, device=device), *states[1:]], LENGTHS, EPS)


@pytest.mark.gpu
def test_the_chunked_kernels_read_what_the_recurrence_reads():
    pytest.importorskip("fla", reason="flash-linear-attention is not installed")
    q, k, v = (torch.randn(130, 2, 64, device="cuda") for _ in range(3))
    g, beta = -torch.rand(130, 2, device="cuda"), torch.rand(130, 2, device="cuda")
    state = torch.randn(2, 64, 64, device="cuda")
    assert fla.reads(130, torch.bfloat16, q.device, EPS)
    out, after = fla.read(q, k, v, g, beta, state, torch.bfloat16)
    expected, expected_after = delta.fork_delta_rule(q, k, v, g, beta, [state], (130,), EPS)
    assert relative_error(out, expected) < 2e-2
    assert relative_error(after, expected_after[0]) < 2e-2


def test_the_chunked_kernels_are_for_gpus_and_longer_texts_alone():
    cpu, cuda = torch.device("cpu"), torch.device("cuda")
    assert not fla.reads(4096, torch.bfloat16, cpu, EPS)
    assert not fla.reads(63, torch.bfloat16, cuda, EPS)
    assert not fla.reads(4096, torch.float32, cuda, EPS)
    assert not fla.reads(4096, torch.bfloat16, cuda, 1e-5)  # it normalises with an epsilon of its own


@pytest.mark.parametrize(("taps", "channels"), [(4, 17), (3, 130)])
def test_it_is_the_convolution(taps: int, channels: int, device: torch.device, dtype: torch.dtype):
    lengths = (1, 63, 2, 17)
    x = torch.randn(sum(lengths), channels + 8).to(device, dtype)[:, 8:]
    weight = torch.randn(taps, channels).to(device)
    tails = [None if row == 1 else torch.randn(taps - 1, channels).to(device, dtype) for row in range(4)]
    with poisoned_memory():
        y, after = conv.causal_conv(x, weight, tails, lengths)
    expected, expected_after = conv_reference.causal_conv(x, weight, tails, lengths)
    assert relative_error(y, expected) < 2e-6
    assert all(torch.equal(found, kept) for found, kept in zip(after, expected_after, strict=True))

    def run(rows: Sequence[int]) -> list[Tensor]:
        picked = [lengths[row] for row in rows]
        out, ends = conv.causal_conv(cut(x, lengths, rows), weight, [tails[row] for row in rows], picked)
        return [torch.cat([part, end]) for part, end in zip(out.split(picked), ends, strict=True)]

    assert_each_alone(run)


@pytest.mark.parametrize("taps", [4, 3])
def test_a_convolution_may_be_cut_anywhere_and_keep_its_tail_in_place(taps: int, device: torch.device):
    x, weight = torch.randn(40, 24).to(device), torch.randn(taps, 24).to(device)
    whole, after = conv.causal_conv(x, weight, [None], (40,))
    tails, parts = [None], []
    for piece in x.split([1, 33, 2, 4]):
        part, tails = conv.causal_conv(piece, weight, tails, (len(piece),))
        parts.append(part)
    assert torch.equal(torch.cat(parts), whole)
    assert torch.equal(tails[0], after[0])
    tail = x[: taps - 1].clone()
    place = torch.tensor([tail.data_ptr()], device=device)
    tables = row_table((1,), device), block_table((1,), conv.TOKENS, device)
    for token in range(taps - 1, 9):
        y = conv.run(x[token : token + 1], weight, *tables, (place, place))
        assert torch.equal(y[0], whole[token])
        assert torch.equal(tail, x[token - taps + 2 : token + 1])


@pytest.mark.parametrize("width", [17, 64, 130])
def test_norms_of_rows(width: int, device: torch.device, dtype: torch.dtype, tolerance: float):
    x = torch.randn(17, 3, width + 8).to(device, dtype)[:, :, 8:]
    gate, weight = torch.randn(17, 3, width).to(device, dtype), torch.randn(width).to(device)
    with poisoned_memory():
        flat, heads, gated = rms_norm(x[:, 0], weight, 1e-5), rms_norm(x, weight, 1e-5), None
        gated = gated_rms_norm(x, gate, weight, 1e-5, torch.float32)
    assert (heads.dtype, gated.dtype) == (dtype, torch.float32)
    assert relative_error(heads, norm_reference.rms_norm(x, weight, 1e-5)) < tolerance
    assert relative_error(gated, norm_reference.gated_rms_norm(x, gate, weight, 1e-5, torch.float32)) < 2e-6
    assert torch.equal(flat, heads[:, 0])


def test_norms_a_rows_bits_are_its_own(device: torch.device):
    x, weight = torch.randn(19, 40).to(device), torch.randn(40).to(device)
    assert_rows_alone(lambda rows: rms_norm(rows, weight, 1e-5), x, (1, 17))
    gate = torch.randn(2, 20).to(device)

    def gated(rows: Tensor) -> Tensor:
        return gated_rms_norm(rows.unflatten(1, (2, 20)), gate.expand(len(rows), 2, 20), weight[:20], 1e-5)

    assert_rows_alone(gated, x, (17,))
