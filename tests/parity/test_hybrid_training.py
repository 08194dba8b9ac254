"""Training of families with state layers: the packed pass, its gradients against uncached passes over whole texts, and
runs of the command whose checkpoints load and fill."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
import torch
from torch import Tensor

from deg_core.conformance.plain import plain_hidden
from deg_core.engine.load import load_model
from deg_core.errors import CheckpointError
from deg_core.kernels.testing import relative_error
from deg_core.plugins.checkpoint import read_checkpoint
from deg_core.protocols.head import Target
from deg_core.rendering.layout import ForkLayout, TrunkLayout
from deg_core.runtime.body import Body
from deg_core.training.__main__ import main
from deg_core.training.adapters import Adapters, TrainingWeights
from deg_core.training.forward import packed_hidden
from deg_core.training.gold import Example, ForkExample
from deg_core.training.packing import pack
from tests.fixtures.hybrid import LFM2, SHAPES, lfm2, qwen, read_body, rows_of, tokens, write_published, write_snapshot
from tests.unit.training.test_trainer import SCHEMA, records

CLOSE = 1e-4


def example(trunk: list[int], forks: Sequence[list[int]]) -> Example:
    """An example with nothing but token ids; the fields do not matter to the forward pass."""
    layout = TrunkLayout(tuple(trunk), 0, (), "")
    made = [ForkExample(None, ForkLayout(tuple(ids), (), ()), Target(torch.empty(0))) for ids in forks]
    return Example("uid", "source", layout, tuple(made))


def training_body(body: Body, folder: Path) -> Body:
    """The body in training arithmetic, its adapters already learning."""
    weights = body.family.read_weights(folder, body.config)
    adapters = Adapters(body.family.projections(body.config), 2, torch.Generator().manual_seed(0))
    with torch.no_grad():
        for parameter in adapters.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.05)
    return Body(body.family, body.config, TrainingWeights(weights, adapters, 1.0, dtype=torch.float32), body.geometry)


@pytest.mark.parametrize("name", SHAPES)
def test_the_packed_pass_and_its_gradients_are_those_of_whole_texts(name: str, tmp_path: Path):
    """Every fork as an uncached pass over context and fork; a loss on forks alone, so that whatever a trunk's tokens do
    to the adapters' gradients has come through keys, values and states."""
    shape = SHAPES[name]
    training = training_body(read_body(shape.family, write_snapshot(tmp_path, shape)), tmp_path)
    parameters = list(training.weights._adapters.parameters())  # type: ignore[attr-defined]
    examples = [
        example(tokens(70), rows_of((3, 33, 17, 66))),
        example(tokens(7), rows_of((31, 1))),
        example(tokens(19), ()),
    ]
    batch = pack(examples)
    found = packed_hidden(training, batch, 0)
    wanted: list[Tensor] = []
    for one in examples:
        trunk = list(one.trunk.ids)
        rows = [trunk, *(trunk + list(fork.layout.ids) for fork in one.forks)]
        whole, *continued = plain_hidden(training, rows)
        wanted += [whole, *(row[len(trunk) :] for row in continued)]
    expected = torch.cat(wanted)
    assert relative_error(found.detach(), expected.detach()) < CLOSE
    pull = torch.randn_like(found)
    for record in batch.records:
        pull[record.start : record.stop] = 0
    gradients = (torch.autograd.grad((hidden * pull).sum(), parameters) for hidden in (found, expected))
    for a, b in zip(*gradients, strict=True):
        assert relative_error(a, b) < 1e-3


@pytest.mark.parametrize("name", ["qwen", "lfm2"])
def test_layers_below_the_first_stay_without_gradient(name: str, tmp_path: Path):
    shape = SHAPES[name]
    training = training_body(read_body(shape.family, write_snapshot(tmp_path, shape)), tmp_path)
    batch = pack([example(tokens(20), rows_of((5, 9)))])
    packed_hidden(training, batch, 2).square().sum().backward()
    for key, parameter in training.weights._adapters.pairs.items():  # type: ignore[attr-defined]
        assert (parameter.grad is not None) == (int(key.split("/")[1]) >= 2), key


def test_what_is_served_unrounded_is_trained_unrounded(tmp_path: Path):
    shape = SHAPES["qwen"]
    body = read_body(shape.family, write_snapshot(tmp_path, shape))
    weights = shape.family.read_weights(tmp_path, body.config)
    projections = shape.family.projections(body.config)
    exact = [name for name, projection in projections.items() if not projection.quantize]
    assert exact == [f"layers.{layer}.in_ba" for layer in range(3)]
    bound = TrainingWeights(weights, Adapters({}, 1, torch.Generator()), 1.0, dtype=torch.float32, exact=exact)
    x = torch.randn(5, body.config.hidden_size)
    plain = {name: bound.linear(f"layers.0.{name}", x) for name in ("in_ba", "in_qkvz")}
    bound.quantized = True
    assert torch.equal(bound.linear("layers.0.in_ba", x), plain["in_ba"])
    assert not torch.equal(bound.linear("layers.0.in_qkvz", x), plain["in_qkvz"])


# The command, and what it saves


@pytest.fixture
def made_records(tmp_path: Path) -> Path:
    path = tmp_path / "made.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, records())))
    return path


@pytest.mark.parametrize("backbone", ["lfm2.5-1.2b", "qwen3.5-0.8b"])
@pytest.mark.usefixtures("deg_home")
def test_the_command_trains_and_its_checkpoint_fills(backbone: str, made_records: Path, tmp_path: Path):
    if backbone.startswith("qwen"):
        snapshot = write_published(tmp_path / "snapshot", qwen())
    else:
        snapshot = write_snapshot(tmp_path / "snapshot", lfm2())
    out = tmp_path / "run"
    arguments = ["--backbone", backbone, "--base-model", str(snapshot), "--records", str(made_records)]
    arguments += ["--out", str(out), "--steps", "20", "--budget", "700", "--lora-rank", "4", "--first-layer", "1"]
    arguments += ["--lr-adapters", "0.01", "--lr-heads", "0.01", "--warmup", "2", "--quantize-from", "16"]
    assert main(arguments) == 0
    log = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    assert min(entry["loss"] for entry in log[-5:]) < 0.8 * log[0]["loss"]
    folder = out / "step-20"
    spec = read_checkpoint(folder)
    assert (spec.backbone, spec.lora.layers) == (backbone, (1, 2, 3))  # type: ignore[union-attr]
    for compute in ("int8", "fp32"):
        model = load_model(folder, base_model=snapshot, compute=compute)
        alone = {
            name: model.fill(
                "order 9 by Ann for EUR 12", {"type": "object", "properties": {name: SCHEMA["properties"][name]}}
            )
            for name in SCHEMA["properties"]
        }
        whole = model.fill("order 9 by Ann for EUR 12", SCHEMA)
        assert whole.value == {name: result.value[name] for name, result in alone.items()}
    with pytest.raises(CheckpointError, match=backbone):
        load_model(folder, base_model=snapshot, backbone="smollm2-135m")


@pytest.mark.usefixtures("deg_home")
def test_a_first_layer_beyond_the_last_is_refused(
    made_records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    snapshot = write_snapshot(tmp_path / "snapshot", lfm2())
    arguments = ["--backbone", "lfm2.5-1.2b", "--base-model", str(snapshot), "--records", str(made_records)]
    assert main([*arguments, "--out", str(tmp_path / "run"), "--first-layer", "4"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f"has {LFM2['num_hidden_layers']} layers, 0 to 3" in said
