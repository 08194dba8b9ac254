"""The heads against the formulas of SPEC 12.3: shapes, losses, gradients, and bits that are the field's own."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
import torch
from torch import Generator, Tensor, nn

from deg_core.contract.plan import Mode
from deg_core.kernels.testing import relative_error, threads
from deg_core.plugins import get_plugins
from deg_core.protocols import PROTOCOL_VERSION
from deg_core.protocols.head import MAX_COUNT, ArrayQuery, ForkHidden, HeadInit, Target, load_head
from deg_heads.anchor import RARE, AnchorHead
from deg_heads.choice import ChoiceHead
from deg_heads.count import CountHead
from deg_heads.extract import EDGES, ExtractHead
from deg_heads.noul import NoulHead
from deg_heads.pointer import WIDTH, Pointer
from deg_heads.score import ScoreHead

HIDDEN = 48
HEADS = [ChoiceHead, ScoreHead, NoulHead, ExtractHead, CountHead, AnchorHead]
WORDS = {" yes": torch.linspace(-1, 1, HIDDEN), " no": torch.linspace(2, 0, HIDDEN)}


def make(head: type[nn.Module], *, trained: bool = True) -> nn.Module:
    """A head at its start, or with every parameter moved as training would."""
    made = head(HeadInit(HIDDEN, Generator().manual_seed(3), WORDS.__getitem__))
    if trained:
        with torch.no_grad():
            for parameter in made.parameters():
                parameter.add_(torch.randn_like(parameter) * 0.3)
    return made


def fork(outcomes: int) -> ForkHidden:
    return ForkHidden(torch.randn(HIDDEN), torch.randn(outcomes, HIDDEN))


def one_hot(index: int, count: int) -> Target:
    return Target(torch.nn.functional.one_hot(torch.tensor(index), count).float())


def places(*pairs: tuple[int, int], probs: Sequence[float] = ()) -> Target:
    return Target(torch.tensor(probs), tuple(start for start, _ in pairs), tuple(end for _, end in pairs))


def test_each_mode_has_one_head():
    served = [mode for head in HEADS for mode in head.modes]
    assert sorted(served) == sorted([*ArrayQuery, *(mode for mode in Mode if mode is not Mode.GENERATE)])
    assert {head.kind for head in HEADS} == {"choice", "score", "noul", "extract", "count", "anchor"}
    assert all(head.protocol_version[0] == PROTOCOL_VERSION[0] for head in HEADS)


def test_heads_are_found_by_their_kind():
    registry = get_plugins().heads
    assert [registry.resolve(head.kind) for head in HEADS] == HEADS


# Shapes and formulas


@pytest.mark.parametrize("head", [ChoiceHead, ScoreHead])
@pytest.mark.parametrize("outcomes", [2, 3, 255])
def test_pointer_logits(head: type[nn.Module], outcomes: int):
    made, seen = make(head), fork(outcomes)
    assert made.prepare(torch.randn(9, HIDDEN)) is None
    logits = made(seen, None)
    assert logits.shape == (outcomes,)
    assert logits.dtype == torch.float32
    p = made.pointer
    wanted = [
        (p.q @ seen.answer_D) @ (p.k @ line) / math.sqrt(WIDTH) + p.u @ line / math.sqrt(HIDDEN)
        for line in seen.outcomes_OD
    ]
    assert relative_error(logits.detach(), torch.stack(wanted).detach()) < 1e-5


@pytest.mark.parametrize("context", [0, 1, 200])
def test_extract_logits(context: int):
    head, seen, text = make(ExtractHead), fork(0), torch.randn(context, HIDDEN)
    logits = head(seen, head.prepare(text))
    assert logits.shape == (2, context + 1)
    null = head.null_w @ seen.answer_D / math.sqrt(HIDDEN) + head.null_b
    assert torch.allclose(logits[:, -1], null.expand(2))
    for row, pointer in enumerate((head.start, head.end)):
        wanted = pointer(seen.answer_D, pointer.keys(text))
        assert torch.allclose(logits[row, :-1], wanted)


@pytest.mark.parametrize("region", [(0, 600), (300, 340), (599, 600)])
def test_an_items_span_is_drawn_to_its_anchor(region: tuple[int, int]):
    """The bias of SPEC 12.3: by start or end, inside or outside, and the distance from the anchor in buckets."""
    head, seen, text = make(ExtractHead), fork(0), torch.randn(600, HIDDEN)
    prepared = head.prepare(text)
    plain = head(seen, prepared)
    moved = head(ForkHidden(seen.answer_D, seen.outcomes_OD, region), prepared)
    assert torch.equal(moved[:, -1], plain[:, -1])
    assert (-256, -64, -16, -4, 0, *(2**power for power in range(9))) == EDGES
    for token in range(600):
        distance = token - region[0]
        bucket = sum(distance >= edge for edge in EDGES)
        wanted = head.bias[:, int(region[0] <= token < region[1]), bucket]
        assert torch.allclose((moved - plain)[:, token], wanted, atol=1e-5)


def test_an_older_checkpoint_has_no_bias_and_is_served_as_before():
    head, seen, text = make(ExtractHead), fork(0), torch.randn(20, HIDDEN)
    kept = {name: value for name, value in head.state_dict().items() if name != "bias"}
    fresh = make(ExtractHead, trained=False)
    load_head(fresh, kept)
    inside = ForkHidden(seen.answer_D, seen.outcomes_OD, (3, 9))
    assert torch.equal(fresh(inside, fresh.prepare(text)), head(seen, head.prepare(text)))
    with pytest.raises(RuntimeError, match="null_w"):
        load_head(fresh, {name: value for name, value in kept.items() if name != "null_w"})


@pytest.mark.parametrize("region", [None, (0, 30), (4, 9), (9, 9)])
def test_anchor_logits(region: tuple[int, int] | None):
    head, seen, text = make(AnchorHead), fork(0), torch.randn(30, HIDDEN)
    logits = head(ForkHidden(seen.answer_D, seen.outcomes_OD, region), head.prepare(text))
    start, stop = region or (0, 30)
    assert logits.shape == (30,)
    p = head.pointer
    for token, line in enumerate(text):
        wanted = (p.q @ seen.answer_D) @ (p.k @ line) / math.sqrt(WIDTH) + p.u @ line / math.sqrt(HIDDEN) + head.b
        if start <= token < stop:
            assert torch.isclose(logits[token], wanted, atol=1e-4)
        else:
            assert logits[token] == -math.inf


def test_anchors_start_rare():
    head = make(AnchorHead, trained=False)
    assert torch.equal(head(fork(0), head.prepare(torch.randn(9, HIDDEN))), torch.full((9,), RARE))


def test_count_logits():
    head, seen = make(CountHead), fork(0)
    logits = head(seen, head.prepare(torch.randn(3, HIDDEN)))
    assert logits.shape == (MAX_COUNT + 1,)
    assert relative_error(logits, head.w @ seen.answer_D / math.sqrt(HIDDEN) + head.b) < 1e-5


def test_noul_logits():
    head, seen = make(NoulHead), fork(0)
    logits = head(seen, head.prepare(torch.randn(3, HIDDEN)))
    assert torch.allclose(logits, torch.stack([head.w @ seen.answer_D / math.sqrt(HIDDEN) + head.b, torch.tensor(0.0)]))


def test_hidden_states_may_come_in_low_precision():
    for head in HEADS:
        made = make(head)
        seen = ForkHidden(torch.randn(HIDDEN).bfloat16(), torch.randn(3, HIDDEN).bfloat16())
        assert made(seen, made.prepare(torch.randn(5, HIDDEN).bfloat16())).dtype == torch.float32


def test_noul_starts_between_yes_and_no():
    """From zero the adapters would get no gradient through it; it starts where the language model tells them apart."""
    head = make(NoulHead, trained=False)
    direction = WORDS[" yes"] - WORDS[" no"]
    assert torch.allclose(head.w / head.w.norm(), direction / direction.norm())
    assert head.b == 0
    yes, no = (head(ForkHidden(WORDS[word], torch.empty(0, HIDDEN)), None)[0] for word in (" yes", " no"))
    assert yes > no
    assert torch.isclose(yes - no, direction.norm())


def test_pointers_start_with_likeness_and_no_unary_term():
    pointer = make(ChoiceHead, trained=False).pointer
    assert torch.equal(pointer.q, pointer.k)
    assert pointer.q.data_ptr() != pointer.k.data_ptr()
    assert not pointer.u.any()
    answer = torch.randn(HIDDEN)
    logits = pointer(answer, pointer.keys(torch.stack([answer, -answer, torch.randn(HIDDEN)])))
    assert logits[0] > logits[2] > logits[1]


def test_the_start_follows_the_seed():
    for head in HEADS:
        first, second = make(head, trained=False).state_dict(), make(head, trained=False).state_dict()
        assert all(torch.equal(value, second[name]) for name, value in first.items())


# Independence


@pytest.mark.parametrize("head", [ChoiceHead, ScoreHead])
def test_logits_move_with_their_lines(head: type[nn.Module]):
    made, seen = make(head), fork(7)
    order = torch.randperm(7)
    with torch.inference_mode():
        straight = made(seen, None)
        turned = made(ForkHidden(seen.answer_D, seen.outcomes_OD[order]), None)
    assert torch.equal(turned, straight[order])


@pytest.mark.parametrize("head", HEADS)
def test_served_logits_do_not_depend_on_threads(head: type[nn.Module]):
    made, text = make(head), torch.randn(1300, HIDDEN)
    seen = ForkHidden(torch.randn(HIDDEN), torch.randn(9, HIDDEN), (100, 900))
    with torch.inference_mode():
        with threads(1):
            expected = made(seen, made.prepare(text))
        for workers in (2, 5, 7, 8):
            with threads(workers):
                assert torch.equal(made(seen, made.prepare(text)), expected), workers


@pytest.mark.parametrize("width", [HIDDEN, 576])
def test_served_bits_do_not_depend_on_threads(width: int):
    pointer = Pointer(width, Generator().manual_seed(0))
    pointer.u.data.normal_()
    answer, lines = torch.randn(width), torch.randn(700, width)
    with torch.inference_mode():
        for count in (1, 2, 5, 6, 13, 64, 255, 700):
            with threads(1):
                expected = pointer(answer, pointer.keys(lines[:count]))
            for workers in (2, 5, 8):
                with threads(workers):
                    assert torch.equal(pointer(answer, pointer.keys(lines[:count])), expected), (count, workers)


def test_trained_and_served_keys_agree():
    pointer, lines = make(ChoiceHead).pointer, torch.randn(70, HIDDEN)
    trained = pointer.keys(lines)
    with torch.inference_mode():
        served = pointer.keys(lines)
    assert trained[0].requires_grad
    for a, b in zip(trained, served, strict=True):
        assert relative_error(a.detach(), b) < 1e-6


# Losses


@pytest.mark.parametrize("head", [ChoiceHead, ScoreHead, NoulHead])
def test_decide_loss_is_the_cross_entropy_of_the_target(head: type[nn.Module]):
    made = make(head)
    count = 2 if head is NoulHead else 4
    logits = torch.randn(count)
    target = torch.softmax(torch.randn(count), 0)
    wanted = -sum(float(t) * float(lp) for t, lp in zip(target, logits.log_softmax(0), strict=True))
    assert float(made.loss(logits, Target(target))) == pytest.approx(wanted, rel=1e-5)
    kl = float(made.loss(logits, Target(target)) - made.loss(target.log(), Target(target)))
    assert kl == pytest.approx(float((target * (target.log() - logits.log_softmax(0))).sum()), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("head", [ChoiceHead, ScoreHead, NoulHead])
def test_decide_loss_is_nothing_when_right(head: type[nn.Module]):
    made = make(head)
    count = 2 if head is NoulHead else 5
    for gold in range(count):
        logits = torch.full((count,), -30.0)
        logits[gold] = 30.0
        assert float(made.loss(logits, one_hot(gold, count))) == pytest.approx(0, abs=1e-6)
        assert float(made.loss(-logits, one_hot(gold, count))) > 50


def extract_logits(start: int, end: int, tokens: int) -> Tensor:
    logits = torch.full((2, tokens + 1), -30.0)
    logits[0, start], logits[1, end] = 30.0, 30.0
    return logits


def test_extract_loss_is_nothing_when_right():
    head, tokens = make(ExtractHead), 9
    right = extract_logits(2, 5, tokens)
    assert float(head.loss(right, places((2, 5)))) == pytest.approx(0, abs=1e-6)
    assert float(head.loss(right, places((7, 8), (2, 5)))) == pytest.approx(0, abs=1e-6)
    assert float(head.loss(right, places((2, 5), probs=[1.0]))) == pytest.approx(0, abs=1e-6)
    assert float(head.loss(right, places((3, 5)))) > 50
    nothing = extract_logits(tokens, tokens, tokens)
    assert float(head.loss(nothing, places())) == pytest.approx(0, abs=1e-6)
    assert float(head.loss(right, places())) > 100


@pytest.mark.parametrize(
    "pairs",
    [[(0, 0)], [(1, 3)], [(1, 3), (6, 7)], [(1, 3), (1, 4)], [(1, 4), (2, 4), (1, 2)], [(5, 5), (5, 5), (0, 9)]],
)
def test_alternatives_share_their_probability(pairs: list[tuple[int, int]]):
    """-log of the summed probability of the places, starts and ends by themselves; a place counts once."""
    head, logits = make(ExtractHead), torch.randn(2, 11)
    p = logits.double().softmax(1)
    starts, ends = {start for start, _ in pairs}, {end for _, end in pairs}
    wanted = -math.log(sum(float(p[0, s]) for s in starts)) - math.log(sum(float(p[1, e]) for e in ends))
    assert float(head.loss(logits, places(*pairs))) == pytest.approx(wanted, rel=1e-5)


def test_alternatives_with_probabilities_are_a_soft_target():
    head, logits = make(ExtractHead), torch.randn(2, 11)
    log_p = logits.double().log_softmax(1)
    wanted = -0.7 * float(log_p[0, 1] + log_p[1, 3]) - 0.3 * float(log_p[0, 6] + log_p[1, 7])
    assert float(head.loss(logits, places((1, 3), (6, 7), probs=[0.7, 0.3]))) == pytest.approx(wanted, rel=1e-5)


def starts(*tokens: int) -> Target:
    return Target(torch.empty(0), starts=tokens)


@pytest.mark.parametrize("region", [None, (0, 11), (3, 7)])
@pytest.mark.parametrize("tokens", [(), (3,), (3, 5, 6)])
def test_anchor_loss_is_the_summed_cross_entropy_over_one_plus_the_items(
    region: tuple[int, int] | None, tokens: tuple[int, ...]
):
    head, logits = make(AnchorHead), torch.randn(11)
    start, stop = region or (0, 11)
    masked = torch.full((11,), -math.inf)
    masked[start:stop] = logits[start:stop]
    p = torch.sigmoid(logits.double())
    each = [-math.log(p[token] if token in tokens else 1 - p[token]) for token in range(start, stop)]
    assert float(head.loss(masked, starts(*tokens))) == pytest.approx(sum(each) / (1 + len(tokens)), rel=1e-5)


def test_anchor_loss_of_an_empty_region_is_nothing():
    head = make(AnchorHead)
    assert float(head.loss(torch.full((5,), -math.inf), starts())) == 0
    assert float(head.loss(torch.empty(0), starts())) == 0


@pytest.mark.parametrize(
    ("count", "bounds", "right"),
    [(0, (0, 64), 0), (64, (0, 64), 64), (200, (0, 64), 64), (3, (2, 5), 3), (5, (2, 5), 5), (0, (0, 0), 0)],
)
def test_count_loss_is_among_what_the_schema_allows(count: int, bounds: tuple[int, int], right: int):
    head, logits = make(CountHead), torch.randn(MAX_COUNT + 1)
    allowed = logits.double()[bounds[0] : bounds[1] + 1]
    wanted = float(allowed.logsumexp(0) - logits.double()[right])
    target = Target(torch.empty(0), count=count, bounds=bounds)
    assert float(head.loss(logits, target)) == pytest.approx(wanted, rel=1e-5, abs=1e-6)


def target_of(head: type[nn.Module]) -> Target:
    """A gold for each head, of four outcomes or six tokens."""
    special = {
        NoulHead: one_hot(1, 2),
        ExtractHead: places((1, 2), (3, 3)),
        CountHead: Target(torch.empty(0), count=3),
        AnchorHead: starts(1, 4),
    }
    return special.get(head, one_hot(2, 4))


@pytest.mark.parametrize("head", HEADS)
def test_gradients_reach_every_parameter(head: type[nn.Module]):
    made = make(head)
    answer, lines = torch.randn(HIDDEN, requires_grad=True), torch.randn(4, HIDDEN, requires_grad=True)
    text = torch.randn(6, HIDDEN, requires_grad=True)
    region = (1, 5) if head is ExtractHead else None
    logits = made(ForkHidden(answer, lines, region), made.prepare(text))
    made.loss(logits, target_of(head)).backward()
    for name, parameter in made.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name
    assert answer.grad.any()
    read = text if head in (ExtractHead, AnchorHead) else None if head in (NoulHead, CountHead) else lines
    assert read is None or read.grad.any(dim=1).all()


@pytest.mark.parametrize("head", HEADS)
def test_gradients_leave_the_start(head: type[nn.Module]):
    """An untrained head passes gradient on, so that adapters learn from the first step; an anchor head, which starts
    without a likeness, from the second."""
    made = make(head, trained=False)
    answer = torch.randn(HIDDEN, requires_grad=True)
    logits = made(ForkHidden(answer, torch.randn(4, HIDDEN)), made.prepare(torch.randn(6, HIDDEN)))
    made.loss(logits, target_of(head)).backward()
    if head is AnchorHead:
        assert made.pointer.q.grad.any()
    else:
        assert answer.grad.any()
