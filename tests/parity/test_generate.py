"""Decode steps against ``transformers``' generation on a tiny random model."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from deg_backbones.llama.model import LlamaFamily
from deg_core.runtime.body import Body
from deg_core.runtime.decode import begin, step, token_logits
from deg_core.runtime.prefill import prefill
from deg_core.runtime.weights import ServingWeights
from tests.fixtures.tiny import write_snapshot

transformers = pytest.importorskip("transformers")


def test_greedy_tokens_are_those_of_transformers(tmp_path: Path):
    write_snapshot(tmp_path, heads=4)
    model = transformers.LlamaForCausalLM.from_pretrained(tmp_path, dtype=torch.float32).eval()
    family = LlamaFamily()
    config = family.read_config(tmp_path)
    weights = family.read_weights(tmp_path, config)
    embedding, matrices = weights.pop("embed"), {name: weights.pop(name) for name in family.projections(config)}
    body = Body(family, config, ServingWeights(matrices, weights, embedding), family.geometry(config))
    prompts = [torch.randint(config.vocab_size, (length,)).tolist() for length in (5, 40, 130)]
    rows, hidden = begin(body, [(prefill(body, ids[:-3]), ids[-3:]) for ids in prompts])
    written: list[list[int]] = [[] for _ in prompts]
    for _ in range(40):
        chosen = token_logits(body, hidden).argmax(1).tolist()
        for own, token in zip(written, chosen, strict=True):
            own.append(token)
        hidden = step(body, rows, chosen)
    for ids, own in zip(prompts, written, strict=True):
        given = torch.tensor([ids])
        expected = model.generate(
            given, attention_mask=torch.ones_like(given), max_new_tokens=40, do_sample=False, eos_token_id=None,
            pad_token_id=0,
        )  # fmt: skip
        assert own == expected[0, len(ids) :].tolist()
