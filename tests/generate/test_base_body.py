"""The body that writes: the backbone without adapters, loaded when it is needed, its embedding held once."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from deg_backbones.llama.model import LlamaFamily
from deg_core.engine import prepared
from deg_core.engine.load import load_model
from deg_core.engine.prepared import base_body_on_demand, load_body
from deg_core.errors import CheckpointError
from deg_core.plugins.checkpoint import read_checkpoint
from deg_core.runtime.prefill import prefill
from deg_core.runtime.weights import ServingWeights
from tests.fixtures.tiny import Tiny


@pytest.mark.parametrize("compute", ["int8", "fp32"])
def test_it_is_the_backbone_without_adapters(tiny: Tiny, deg_home: Path, compute: str):
    model = load_model(tiny.checkpoint, base_model=tiny.snapshot, compute=compute)
    spec, family = read_checkpoint(tiny.checkpoint), LlamaFamily()
    base = base_body_on_demand(family, spec, tiny.snapshot, compute, model.body)
    assert len(list((deg_home / "prepared").iterdir())) == 1  # nothing is loaded before it is asked for
    body = base()
    assert base() is body
    assert len(list((deg_home / "prepared").iterdir())) == 2
    assert isinstance(body.weights, ServingWeights)
    assert isinstance(model.body.weights, ServingWeights)
    assert body.weights.embedding.data_ptr() == model.body.weights.embedding.data_ptr()
    ids = list(range(40))
    plain = read_plain(tiny, compute)
    assert torch.equal(prefill(body, ids).hidden_PD, plain)
    assert not torch.equal(prefill(model.body, ids).hidden_PD, plain)


def read_plain(tiny: Tiny, compute: str) -> torch.Tensor:
    """Hidden states of the snapshot's own weights."""
    family = LlamaFamily()
    config = family.read_config(tiny.snapshot)
    weights = family.read_weights(tiny.snapshot, config)
    embedding = weights.pop("embed").bfloat16()
    matrices = {name: weights.pop(name) for name in family.projections(config)}
    if compute == "int8":
        matrices = {name: prepared.quantize_weight(matrix) for name, matrix in matrices.items()}
    serving = ServingWeights(matrices, weights, embedding)
    return prefill(prepared.Body(family, config, serving, family.geometry(config)), list(range(40))).hidden_PD


def test_without_adapters_it_is_the_checkpoints_own_body(tiny: Tiny, deg_home: Path):
    spec = prepared.msgspec.structs.replace(read_checkpoint(tiny.checkpoint), lora=None, files={})
    body, _ = load_body(LlamaFamily(), spec, None, tiny.snapshot, "int8")
    assert base_body_on_demand(LlamaFamily(), spec, tiny.snapshot, "int8", body)() is body


def test_weights_that_are_gone_are_told_when_asked_for(tiny: Tiny, deg_home: Path, tmp_path: Path):
    model = load_model(tiny.checkpoint, base_model=tiny.snapshot)
    base = base_body_on_demand(LlamaFamily(), read_checkpoint(tiny.checkpoint), tmp_path / "gone", "int8", model.body)
    with pytest.raises(CheckpointError, match="gone, where the weights of llama should be, does not exist"):
        base()


def test_an_lm_head_of_its_own_is_kept_with_the_weights(tiny: Tiny, deg_home: Path, monkeypatch: pytest.MonkeyPatch):
    class Untied(LlamaFamily):
        name = "untied"

        def read_weights(self, source: Path, config: object) -> dict[str, torch.Tensor]:
            weights = super().read_weights(source, config)
            return weights | {"lm_head": weights["embed"].flip(0)}

    spec = prepared.msgspec.structs.replace(read_checkpoint(tiny.checkpoint), lora=None, files={})
    hidden = torch.randn(3, 64)
    for compute in ("int8", "fp32"):
        untied, _ = load_body(Untied(), spec, None, tiny.snapshot, compute)
        tied, _ = load_body(LlamaFamily(), spec, None, tiny.snapshot, compute)
        assert torch.equal(untied.weights.logits(hidden), tied.weights.logits(hidden).flip(1))
