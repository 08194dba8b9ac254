"""The parts of a step: rates, the attention of forks, packing, losses, adapters."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Generator, Tensor, nn

from deg_backbones.llama.model import LlamaFamily
from deg_core.contract.compiler import compile_schema
from deg_core.errors import CheckpointError
from deg_core.kernels.int8 import quantize_weight
from deg_core.kernels.native import at_most
from deg_core.kernels.testing import relative_error
from deg_core.protocols.head import HeadInit, Target
from deg_core.rendering.layout import ForkLayout, Renderer, TrunkLayout
from deg_core.runtime.body import Body
from deg_core.runtime.fork import run_forks
from deg_core.runtime.lora import merge
from deg_core.runtime.prefill import prefill
from deg_core.runtime.weights import ServingWeights
from deg_core.training.adapters import Adapters, TrainingWeights
from deg_core.training.attention import attend_forks
from deg_core.training.config import TrainConfig
from deg_core.training.forward import packed_hidden
from deg_core.training.gold import Example, ForkExample
from deg_core.training.losses import ItemLoss, item_losses, total_loss
from deg_core.training.optim import build_optimizer, lr_factor, set_rates
from deg_core.training.packing import GRID, ForkGroup, pack
from tests.fixtures.tiny import HEAD_OF, HEADS, Tiny, tiny_tokenizer

FAMILY = LlamaFamily()
RENDERER = Renderer(FAMILY, tiny_tokenizer())
SCHEMA = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["order", "refund", "complaint"], "description": "what " * 20},
        "yes": {"type": "boolean"},
        "level": {"type": "integer", "minimum": 1, "maximum": 4},
        "who": {"type": ["string", "null"], "title": "Who " * 16},
        "n": {"type": ["number", "null"]},
    },
}
TEXTS = ("Pay 12.50 EUR to Ann.", "Nothing here but words, and more words than before; 3 of them.", "x")


def config(**changes: Any) -> TrainConfig:
    return replace(TrainConfig(out=Path("out"), records=(), backbone="llama", steps=100, warmup=10), **changes)


# Rates


def test_rates_warm_up_then_stay_then_fall_to_nothing():
    wsd = config(schedule="wsd", decay_frac=0.25)
    factors = [lr_factor(wsd, step) for step in range(100)]
    assert factors[:10] == pytest.approx([(n + 1) / 10 for n in range(10)])
    assert set(factors[10:75]) == {1.0}
    assert factors[75:] == pytest.approx([(25 - n) / 25 for n in range(25)])
    assert lr_factor(wsd, 100) == 0.0
    assert lr_factor(replace(wsd, decay_frac=0.0), 99) == 1.0


def test_rates_fall_along_a_cosine_to_a_tenth():
    cosine = config(schedule="cosine")
    assert lr_factor(cosine, 9) == 1.0
    assert lr_factor(cosine, 10) == pytest.approx(1.0)
    assert lr_factor(cosine, 55) == pytest.approx(0.55)
    assert lr_factor(cosine, 100) == pytest.approx(0.1)
    assert lr_factor(cosine, 1000) == pytest.approx(0.1)
    factors = [lr_factor(cosine, step) for step in range(10, 101)]
    assert factors == sorted(factors, reverse=True)


def test_no_warm_up():
    assert lr_factor(config(warmup=0), 0) == 1.0


def test_each_group_has_its_own_rate():
    optimizer = build_optimizer(
        config(lr_adapters=0.1, lr_heads=0.2), [nn.Parameter(torch.zeros(1))], [nn.Parameter(torch.zeros(1))]
    )
    for factor in (0.5, 0.25):
        set_rates(optimizer, factor)
        assert [group["lr"] for group in optimizer.param_groups] == [0.1 * factor, 0.2 * factor]
        assert all(group["weight_decay"] == 0 for group in optimizer.param_groups)


# Attention of forks


def groups_of(lengths: Sequence[int]) -> tuple[ForkGroup, ...]:
    """The groups of forks of these lengths, as a pack makes them."""
    trunk = TrunkLayout((0,), 0, (), "")
    forks = [ForkExample(None, ForkLayout((1,) * length, (), ()), Target(torch.empty(0))) for length in lengths]
    return pack([Example("u", "s", trunk, tuple(forks))]).records[0].groups


def plain_attention(
    q: Tensor, k: Tensor, v: Tensor, trunk_k: Tensor, trunk_v: Tensor, lengths: Sequence[int]
) -> Tensor:
    outs = []
    start = 0
    for length in lengths:
        own = slice(start, start + length)
        keys, values = torch.cat([trunk_k, k[:, own]], dim=1), torch.cat([trunk_v, v[:, own]], dim=1)
        scores = q[:, own] @ keys.transpose(1, 2) / math.sqrt(q.shape[-1])
        later = torch.ones(length, length, dtype=torch.bool).triu(1)
        hidden = torch.cat([torch.zeros(length, trunk_k.shape[1], dtype=torch.bool), later], dim=1)
        outs.append(scores.masked_fill(hidden, -math.inf).softmax(-1) @ values)
        start += length
    return torch.cat(outs, dim=1)


@pytest.mark.parametrize("lengths", [(1,), (5, 64, 65), (30, 3, 70, 3, 128, 1)])
@pytest.mark.parametrize("trunk", [1, 40])
@pytest.mark.parametrize("kernels", ["1", "0"])
def test_attention_of_forks_and_its_gradients(lengths: tuple[int, ...], trunk: int, kernels: str):
    total = sum(lengths)
    shapes = [(4, total, 16)] * 3 + [(4, trunk, 16)] * 2
    inputs = [torch.randn(shape, requires_grad=True) for shape in shapes]
    exact = [x.detach().double().requires_grad_() for x in inputs]
    with at_most(kernels):
        found = attend_forks(inputs[:3], inputs[3:], lengths, groups_of(lengths))
    wanted = plain_attention(*exact, lengths)
    assert relative_error(found.detach(), wanted.detach()) < 1e-5
    grad = torch.randn(4, total, 16)
    found.backward(grad)
    wanted.backward(grad.double())
    for name, a, b in zip(("q", "k", "v", "trunk k", "trunk v"), inputs, exact, strict=True):
        assert relative_error(a.grad, b.grad) < 1e-5 or (trunk == 1 and not b.grad.any()), name


# Packing


@pytest.fixture(scope="module")
def weights(tiny: Tiny) -> tuple[Any, dict[str, Tensor]]:
    made = FAMILY.read_config(tiny.snapshot)
    return made, FAMILY.read_weights(tiny.snapshot, made)


def random_adapters(made: Any, first_layer: int = 0, rank: int = 3) -> Adapters:
    targets = {name: p for name, p in FAMILY.projections(made).items() if p.layer >= first_layer}
    adapters = Adapters(targets, rank, Generator().manual_seed(5))
    with torch.no_grad():
        for parameter in adapters.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return adapters


def test_targets_are_the_kinds_of_projection(weights: tuple[Any, dict[str, Tensor]]):
    assert random_adapters(weights[0]).targets == ("qkv", "o", "gate_up", "down")


def training_body(weights: tuple[Any, dict[str, Tensor]], adapters: Adapters, scale: float = 0.5) -> Body:
    made, tensors = weights
    bound = TrainingWeights(tensors, adapters, scale, dtype=torch.float32)
    return Body(FAMILY, made, bound, FAMILY.geometry(made))


def heads() -> dict[Any, nn.Module]:
    init = HeadInit(64, Generator().manual_seed(2), lambda text: torch.full((64,), float(len(text))))
    made = {name: head(init) for name, head in HEADS.items()}
    return {mode: made[name] for mode, name in HEAD_OF.items()}


def examples() -> list[Example]:
    """Examples over all texts with a gold for each field, forks in differing orders."""
    made = []
    for number, text in enumerate(TEXTS):
        trunk, rng = RENDERER.trunk(text), random.Random(number)
        forks = []
        for field in compile_schema(SCHEMA).fields:
            layout = RENDERER.fork(field, shuffle=rng.shuffle)
            if field.mode.extracts:
                place = rng.randrange(len(trunk.offsets))
                target = Target(torch.empty(0), *(((place,), (place,)) if number else ((), ())))
            else:
                count = len(layout.order) or 2
                target = Target(nn.functional.one_hot(torch.tensor(rng.randrange(count)), count).float())
            forks.append(ForkExample(field.mode, layout, target))
        rng.shuffle(forks)
        made.append(Example(f"u{number}", f"s{number % 2}", trunk, tuple(forks)))
    return made


def test_a_pack_lays_records_end_to_end():
    given = examples()
    batch = pack(given)
    assert len(batch.ids) == len(batch.positions) == sum(example.tokens for example in given)
    reached = 0
    for example, record in zip(given, batch.records, strict=True):
        trunk = len(example.trunk.ids)
        assert (record.start, record.stop) == (reached, reached + trunk)
        assert batch.ids[record.start : record.stop].tolist() == list(example.trunk.ids)
        assert batch.positions[record.start : record.stop].tolist() == list(range(trunk))
        places = []
        for fork, start in zip(example.forks, record.fork_starts, strict=True):
            length = len(fork.layout.ids)
            assert batch.ids[start : start + length].tolist() == list(fork.layout.ids)
            assert batch.positions[start : start + length].tolist() == list(range(trunk, trunk + length))
            places += range(start - record.stop, start - record.stop + length)
        real = torch.cat([group.rows[group.real] for group in record.groups]).tolist()
        assert sorted(real) == sorted(places) == list(range(record.fork_tokens))
        assert all(group.rows.shape[1] - int(group.real.sum(1).min()) < GRID for group in record.groups)
        reached = record.stop + record.fork_tokens


def losses_of(body: Body, given: Sequence[Example], of_mode: dict[Any, nn.Module]) -> list[ItemLoss]:
    batch = pack(given)
    return item_losses(packed_hidden(body, batch, 0), batch, given, of_mode)


def test_records_packed_together_are_each_alone(weights: tuple[Any, dict[str, Tensor]]):
    """The losses and the gradients of a step are the sums of its records' own."""
    body, of_mode, given = training_body(weights, random_adapters(weights[0])), heads(), examples()
    parameters = [*body.weights._adapters.parameters(), *nn.ModuleList(of_mode.values()).parameters()]

    def gradients(losses: list[ItemLoss]) -> Iterator[Tensor]:
        for parameter in parameters:
            parameter.grad = None
        torch.stack([item.loss for item in losses]).sum().backward()
        return (torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in parameters)

    together = losses_of(body, given, of_mode)
    alone = [losses_of(body, [example], of_mode) for example in given]
    flat = [item for items in alone for item in items]
    assert [(item.kind, item.source, item.absent) for item in together] == [
        (item.kind, item.source, item.absent) for item in flat
    ]
    for a, b in zip(together, flat, strict=True):
        assert float(a.loss.detach()) == pytest.approx(float(b.loss.detach()), rel=1e-4, abs=1e-5)
    summed = [torch.zeros_like(p) for p in parameters]
    for items in alone:
        for total, part in zip(summed, gradients(items), strict=True):
            total += part
    for found, wanted in zip(gradients(together), summed, strict=True):
        assert relative_error(found, wanted) < 1e-4


def test_layers_below_the_first_get_no_gradient(weights: tuple[Any, dict[str, Tensor]]):
    adapters = random_adapters(weights[0])
    body, of_mode, given = training_body(weights, adapters), heads(), examples()
    batch = pack(given)
    hidden = packed_hidden(body, batch, 2)
    torch.stack([item.loss for item in item_losses(hidden, batch, given, of_mode)]).sum().backward()
    touched = {name.split("/")[1] for name, parameter in adapters.pairs.items() if parameter.grad is not None}
    assert touched == {"2"}
    assert relative_error(hidden.detach(), packed_hidden(body, batch, 0).detach()) == 0


# Losses


def test_the_loss_is_a_mean_for_each_kind():
    def items(kind: str, *values: float) -> list[ItemLoss]:
        return [ItemLoss(kind, "s", False, torch.tensor(value)) for value in values]

    losses = items("choice", 1.0, 3.0) + items("noul", 5.0)
    assert float(total_loss(losses, {}, {})) == pytest.approx(2 + 5)
    assert float(total_loss(losses, {}, {"choice": 1.5, "noul": 2.0})) == pytest.approx(3 + 10)
    assert float(total_loss(losses, {"choice": 4.0, "noul": 0.2, "score": 9.0}, {})) == pytest.approx(1 + 5)


# Adapters


def test_fresh_adapters_change_nothing(weights: tuple[Any, dict[str, Tensor]]):
    made, tensors = weights
    fresh = Adapters(FAMILY.projections(made), 4, Generator().manual_seed(0))
    bound, x = TrainingWeights(tensors, fresh, 1.0, dtype=torch.float32), torch.randn(3, 64)
    assert torch.equal(bound.linear("layers.0.qkv", x), nn.functional.linear(x, tensors["layers.0.qkv"]))
    assert all(value.any() == name.endswith("lora_A") for name, value in fresh.tensors().items())


def test_adapters_come_back_from_their_file_names(weights: tuple[Any, dict[str, Tensor]]):
    first = random_adapters(weights[0])
    second = Adapters(FAMILY.projections(weights[0]), 3, Generator())
    second.load(first.tensors())
    assert "layers.1.gate_up.lora_B" in first.tensors()
    assert all(torch.equal(value, second.tensors()[name]) for name, value in first.tensors().items())
    with pytest.raises(KeyError):
        second.load({})


@pytest.mark.parametrize("first_layer", [0, 1])
def test_served_merged_weights_equal_the_training_pass(weights: tuple[Any, dict[str, Tensor]], first_layer: int):
    """What is trained beside the base matrices is what is served inside them, on trunks and on forks."""
    made, tensors = weights
    adapters = random_adapters(made, first_layer)
    merged = merge(tensors, adapters.tensors(), 0.5)
    matrices = {name: merged[name] for name in FAMILY.projections(made)}
    vectors = {name: value for name, value in merged.items() if value.dim() == 1}
    served = Body(FAMILY, made, ServingWeights(matrices, vectors, merged["embed"]), FAMILY.geometry(made))
    given = examples()
    batch = pack(given)
    trained = packed_hidden(training_body(weights, adapters), batch, first_layer).detach()
    for example, record in zip(given, batch.records, strict=True):
        state = prefill(served, example.trunk.ids)
        assert relative_error(trained[record.start : record.stop], state.hidden_PD) < 1e-5
        rows = run_forks(served, [(state, fork.layout.ids) for fork in example.forks])
        for start, row in zip(record.fork_starts, rows, strict=True):
            assert relative_error(trained[start : start + len(row)], row) < 1e-5


def test_quantized_training_is_the_served_rounding(weights: tuple[Any, dict[str, Tensor]]):
    made, tensors = weights
    adapters = random_adapters(made)
    bound = TrainingWeights(tensors, adapters, 0.5, dtype=torch.float32)
    bound.quantized = True
    x = torch.randn(5, 64, requires_grad=True)
    found = bound.linear("layers.1.qkv", x)
    quantized = quantize_weight(merge(tensors, adapters.tensors(), 0.5)["layers.1.qkv"])
    weight = (quantized.codes_KM.float() * quantized.scale_M).t()
    scale = x.detach().abs().amax(1, keepdim=True) / 127
    wanted = nn.functional.linear(torch.round(x.detach() / scale) * scale, weight)
    assert relative_error(found.detach(), wanted) < 1e-6
    found.sum().backward()
    assert relative_error(x.grad, weight.sum(0).expand(5, -1)) < 1e-5  # straight through the rounding
    a, b = adapters.pair("layers.1.qkv")
    assert a.grad.any()
    assert b.grad.any()


def test_an_adapter_for_another_backbone_is_refused(weights: tuple[Any, dict[str, Tensor]]):
    tensors = random_adapters(weights[0]).tensors()
    with pytest.raises(CheckpointError, match=r"layers\.2"):
        merge({name: w for name, w in weights[1].items() if "layers.2" not in name}, tensors, 1.0)
