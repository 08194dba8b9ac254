"""The llama family against ``transformers`` on tiny random models: trunks, forks and the packed training pass."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from deg_backbones.llama.config import LlamaConfig
from deg_backbones.llama.model import LlamaFamily
from deg_core.errors import CheckpointError
from deg_core.kernels.testing import assert_row_independent, relative_error
from deg_core.protocols.head import Target
from deg_core.rendering.layout import ForkLayout, TrunkLayout
from deg_core.runtime import prefill as prefill_module
from deg_core.runtime.body import Body
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import prefill
from deg_core.runtime.weights import ServingWeights
from deg_core.training.adapters import Adapters, TrainingWeights
from deg_core.training.examples import Example, ForkExample
from deg_core.training.forward import packed_hidden
from deg_core.training.packing import pack

transformers = pytest.importorskip("transformers")

CLOSE = 1e-5  # fp32 against fp32; the promise is 1e-3
VOCABULARY = 90
SHAPES = {
    "grouped": {
        "hidden_size": 96,
        "num_hidden_layers": 3,
        "num_attention_heads": 6,
        "num_key_value_heads": 2,
        "head_dim": 16,
    },
    "ungrouped": {"num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4},
    "one group": {"num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 1, "rope_theta": 500.0},
}


def save_model(folder: Path, **shape: Any) -> Any:
    """A random model whose scales are those of a trained one: no layer is negligible."""
    config = transformers.LlamaConfig(
        vocab_size=VOCABULARY,
        intermediate_size=144,
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        attn_implementation="eager",
        **{"hidden_size": 64} | shape,
    )
    model = transformers.LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            scale = 0.2 if weight.dim() == 1 else 2 / weight.shape[1] ** 0.5
            weight.copy_(torch.randn_like(weight) * scale + ("norm" in name))
    model.save_pretrained(folder)
    return model


@pytest.fixture(params=SHAPES, scope="module")
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Body]:
    """The reference model, and a body read from its files."""
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("llama")
    return save_model(folder, **SHAPES[request.param]), read_body(folder)


def read_body(folder: Path) -> Body:
    family = LlamaFamily()
    config = family.read_config(folder)
    weights = family.read_weights(folder, config)
    embedding = weights.pop("embed")
    matrices = {name: weights.pop(name) for name in family.projections(config)}
    return Body(family, config, ServingWeights(matrices, weights, embedding), family.geometry(config))


@torch.no_grad()
def reference(model: Any, ids: Sequence[int]) -> Tensor:
    """Final hidden states of one uncached forward pass."""
    return model.model(torch.tensor([list(ids)]), use_cache=False).last_hidden_state[0]


def tokens(count: int) -> list[int]:
    return torch.randint(VOCABULARY, (count,)).tolist()


@pytest.mark.parametrize("length", [1, 2, 15, 16, 17, 63, 65, 201])
def test_hidden_states_of_a_trunk(pair: tuple[Any, Body], length: int):
    model, body = pair
    ids = tokens(length)
    state = prefill(body, ids)
    assert state.length == length
    assert state.hidden_PD.shape == (length, body.config.hidden_size)
    assert relative_error(state.hidden_PD, reference(model, ids)) < CLOSE


@pytest.mark.parametrize("chunk", [1, 7, 16, 33])
def test_borders_of_chunks(pair: tuple[Any, Body], chunk: int, monkeypatch: pytest.MonkeyPatch):
    model, body = pair
    monkeypatch.setattr(prefill_module, "CHUNK", chunk)
    for length in (chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 2):
        if length:
            ids = tokens(length)
            state = prefill(body, ids)
            assert state.length == length
            assert relative_error(state.hidden_PD, reference(model, ids)) < CLOSE
            assert all(layer.k_GPK.shape[1] == length for layer in state.layers)


def test_a_trunk_of_nothing_is_refused(pair: tuple[Any, Body]):
    with pytest.raises(ValueError, match="at least one token"):
        prefill(pair[1], [])


def test_forks_are_full_passes_over_context_and_fork(pair: tuple[Any, Body]):
    model, body = pair
    trunks = {length: tokens(length) for length in (5, 40)}
    states = {length: prefill(body, ids) for length, ids in trunks.items()}
    rows = [(length, tokens(count)) for length in (5, 40) for count in (1, 15, 16, 17, 33)]
    rows = rows[::2] + rows[1::2]
    found = run_forks(body, [(states[length], ids) for length, ids in rows])
    for (length, ids), hidden in zip(rows, found, strict=True):
        assert relative_error(hidden, reference(model, trunks[length] + ids)[length:]) < CLOSE


def test_passes_of_any_size_give_the_same_bits(pair: tuple[Any, Body]):
    _, body = pair
    state = prefill(body, tokens(21))
    rows = [(state, tokens(count)) for count in (3, 16, 31, 1, 16, 40)]
    expected = run_forks(body, rows)
    for limit in (1, 20, 47, 10_000):
        assert all(torch.equal(a, b) for a, b in zip(run_forks(body, rows, limit=limit), expected, strict=True))
    alone = [run_forks(body, [row])[0] for row in rows]
    assert all(torch.equal(a, b) for a, b in zip(alone, expected, strict=True))
    assert run_forks(body, []) == []


def example(trunk: list[int], forks: list[list[int]]) -> Example:
    """An example with nothing but token ids; the fields do not matter to the forward pass."""
    layout = TrunkLayout(tuple(trunk), 0, (), "")
    made = [ForkExample(None, ForkLayout(tuple(ids), (), ()), Target(torch.empty(0))) for ids in forks]
    return Example("uid", "source", layout, tuple(made))


@pytest.mark.parametrize("first_layer", [0, 1])
def test_the_packed_training_pass_is_the_same_function(pair: tuple[Any, Body], tmp_path: Path, first_layer: int):
    model, body = pair
    model.save_pretrained(tmp_path)
    family = LlamaFamily()
    weights = family.read_weights(tmp_path, body.config)
    adapters = Adapters(family.projections(body.config), 2, torch.Generator())
    training = Body(family, body.config, TrainingWeights(weights, adapters, 1.0, dtype=torch.float32), body.geometry)
    examples = [
        example(tokens(40), [tokens(n) for n in (3, 33, 17, 32, 64)]),
        example(tokens(7), [tokens(n) for n in (31, 1)]),
        example(tokens(19), []),
    ]
    batch = pack(examples)
    hidden = packed_hidden(training, batch, first_layer)
    for one, record in zip(examples, batch.records, strict=True):
        trunk = list(one.trunk.ids)
        assert relative_error(hidden[record.start : record.stop].detach(), reference(model, trunk)) < CLOSE
        for fork, start in zip(one.forks, record.fork_starts, strict=True):
            ids = list(fork.layout.ids)
            found = hidden[start : start + len(ids)].detach()
            assert relative_error(found, reference(model, trunk + ids)[len(trunk) :]) < CLOSE


def test_every_size_is_read(tmp_path: Path):
    save_model(tmp_path, **SHAPES["grouped"], rope_theta=12345.0, rms_norm_eps=1e-4)
    config = LlamaFamily().read_config(tmp_path)
    assert (config.num_layers, config.num_heads, config.num_kv_heads, config.head_dim) == (3, 6, 2, 16)
    assert (config.vocab_size, config.hidden_size, config.intermediate_size) == (VOCABULARY, 96, 144)
    assert (config.rope_theta, config.norm_eps, config.max_positions) == (12345.0, 1e-4, 2048)
    geometry = LlamaFamily().geometry(config)
    assert geometry.layers == ("attention",) * 3
    assert geometry.kv_floats_per_token == 2 * 2 * 16 * 3
    shapes = {name: tuple(w.shape) for name, w in LlamaFamily().read_weights(tmp_path, config).items()}
    for name, projection in LlamaFamily().projections(config).items():
        assert shapes.pop(name) == (projection.rows, projection.columns)
    vectors = {f"layers.{i}.{norm}" for i in range(3) for norm in ("attn_norm", "mlp_norm")} | {"final_norm"}
    assert shapes == {name: (96,) for name in vectors} | {"embed": (VOCABULARY, 96)}


def change_weights(folder: Path, **changes: Tensor | None) -> None:
    file = folder / "model.safetensors"
    tensors = load_file(file)
    for name, value in changes.items():
        tensors.pop(name, None)
        if value is not None:
            tensors[name] = value
    save_file(tensors, file)


def test_missing_and_unexpected_tensors_are_named(tmp_path: Path):
    save_model(tmp_path, **SHAPES["ungrouped"])
    family = LlamaFamily()
    config = family.read_config(tmp_path)
    change_weights(
        tmp_path,
        **{
            "model.layers.1.self_attn.k_proj.weight": None,
            "model.norm.weight": None,
            "model.layers.0.self_attn.q_norm.weight": torch.ones(16),
            "model.layers.2.mlp.up_proj.weight": torch.ones(144, 64),
        },
    )
    with pytest.raises(CheckpointError) as caught:
        family.read_weights(tmp_path, config)
    message = str(caught.value)
    missing, _, unexpected = message.partition("unexpected tensors")
    assert "layers.1.k" in missing
    assert "final_norm" in missing
    assert "model.layers.0.self_attn.q_norm.weight" in unexpected
    assert "layers.2.up" in unexpected


def test_a_tied_head_in_the_file_is_no_surprise(tmp_path: Path):
    model = save_model(tmp_path, **SHAPES["ungrouped"])
    change_weights(tmp_path, **{"lm_head.weight": model.model.embed_tokens.weight.detach().clone()})
    family = LlamaFamily()
    assert torch.equal(
        family.read_weights(tmp_path, family.read_config(tmp_path))["embed"], model.model.embed_tokens.weight
    )


def test_a_tensor_of_the_wrong_shape_is_named(tmp_path: Path):
    save_model(tmp_path, **SHAPES["ungrouped"])
    family = LlamaFamily()
    config = family.read_config(tmp_path)
    change_weights(tmp_path, **{"model.layers.1.mlp.down_proj.weight": torch.ones(64, 99)})
    with pytest.raises(CheckpointError, match=r"layers\.1\.down"):
        family.read_weights(tmp_path, config)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"model_type": "qwen3"}, "model_type is 'qwen3'"),
        ({"attention_bias": True}, "attention_bias = True"),
        ({"tie_word_embeddings": False}, "tie_word_embeddings = false"),
        ({"rope_scaling": {"rope_type": "yarn", "factor": 2.0}}, "rope_scaling = .*yarn"),
        ({"rope_parameters": {"rope_type": "llama3", "rope_theta": 1e4, "factor": 8.0}}, "rope_scaling = .*llama3"),
        ({"hidden_act": "gelu"}, "hidden_act = gelu"),
        ({"hidden_size": None}, "hidden_size"),
    ],
)
def test_options_that_the_family_lacks_are_refused_by_name(tmp_path: Path, change: dict[str, Any], says: str):
    save_model(tmp_path, **SHAPES["ungrouped"])
    file = tmp_path / "config.json"
    raw = json.loads(file.read_text()) | change
    file.write_text(json.dumps({key: value for key, value in raw.items() if value is not None}))
    with pytest.raises(CheckpointError, match=says):
        LlamaFamily().read_config(tmp_path)


def test_a_folder_without_a_model_is_refused(tmp_path: Path):
    family = LlamaFamily()
    with pytest.raises(CheckpointError, match=r"config\.json"):
        family.read_config(tmp_path)
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(CheckpointError, match=r"config\.json"):
        family.read_config(tmp_path)
    save_model(tmp_path, **SHAPES["ungrouped"])
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(CheckpointError, match=r"no \.safetensors file"):
        family.read_weights(tmp_path, family.read_config(tmp_path))
    with pytest.raises(CheckpointError, match=r"tokenizer\.json"):
        family.read_tokenizer(tmp_path)


# GGUF


def write_gguf(path: Path, hub: Path, *, without: str = "", architecture: str = "llama") -> None:
    """The snapshot's weights as llama.cpp keeps them: its names, and q and k rows as interleaved rotary pairs."""
    gguf = pytest.importorskip("gguf")
    config = LlamaFamily().read_config(hub)
    writer = gguf.GGUFWriter(str(path), architecture)
    sizes = {
        "vocab_size": config.vocab_size,
        "embedding_length": config.hidden_size,
        "feed_forward_length": config.intermediate_size,
        "block_count": config.num_layers,
        "attention.head_count": config.num_heads,
        "attention.head_count_kv": config.num_kv_heads,
        "context_length": config.max_positions,
        "rope.dimension_count": config.head_dim,
    }
    for key, value in sizes.items():
        if key != without:
            writer.add_uint32(f"llama.{key}", value)
    writer.add_float32("llama.rope.freq_base", config.rope_theta)
    writer.add_float32("llama.attention.layer_norm_rms_epsilon", config.norm_eps)
    names = {"embed_tokens": "token_embd", "norm": "output_norm", "input_layernorm": "attn_norm"}
    names |= {f"self_attn.{letter}_proj": f"attn_{letter}" for letter in "qkv"} | {"self_attn.o_proj": "attn_output"}
    names |= {f"mlp.{part}_proj": f"ffn_{part}" for part in ("gate", "up", "down")}
    names |= {"post_attention_layernorm": "ffn_norm"}
    for name, weight in load_file(hub / "model.safetensors").items():
        parts = name.removeprefix("model.").removesuffix(".weight").split(".")
        place = f"blk.{parts[1]}." if parts[0] == "layers" else ""
        own = names[".".join(parts[2:]) if place else parts[0]]
        if own in ("attn_q", "attn_k"):
            pairs = weight.unflatten(0, (-1, 2, config.head_dim // 2))  # head, half, pair
            weight = pairs.transpose(1, 2).flatten(0, 2)
        writer.add_tensor(f"{place}{own}.weight", weight.contiguous().numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def test_a_gguf_file_holds_the_same_model(tmp_path: Path):
    family = LlamaFamily()
    save_model(tmp_path, **SHAPES["grouped"])
    file = tmp_path / "model.gguf"
    write_gguf(file, tmp_path)
    config = family.read_config(file)
    hub = family.read_config(tmp_path)
    assert replace(config, norm_eps=0) == replace(hub, norm_eps=0)
    assert config.norm_eps == pytest.approx(hub.norm_eps)
    expected = family.read_weights(tmp_path, hub)
    found = family.read_weights(file, config)
    assert found.keys() == expected.keys()
    assert all(torch.equal(weight, expected[name]) for name, weight in found.items())


def test_a_gguf_file_of_something_else_is_refused(tmp_path: Path):
    family = LlamaFamily()
    save_model(tmp_path, **SHAPES["grouped"])
    file = tmp_path / "model.gguf"
    write_gguf(file, tmp_path, architecture="qwen3")
    with pytest.raises(CheckpointError, match="architecture 'qwen3'; the llama family reads 'llama'"):
        family.read_config(file)
    write_gguf(file, tmp_path, without="block_count")
    with pytest.raises(CheckpointError, match=r"metadata lacks llama\.block_count"):
        family.read_config(file)
    file.write_bytes(b"GGUF of a kind")
    with pytest.raises(CheckpointError, match=r"model\.gguf is not a readable GGUF file"):
        family.read_config(file)


def test_rotary_tables_are_each_rows_own():
    family = LlamaFamily()
    config = LlamaConfig(
        vocab_size=9, hidden_size=64, intermediate_size=8, num_layers=1, num_heads=4, num_kv_heads=4, head_dim=64,
        rope_theta=1e5, norm_eps=1e-5, max_positions=8192,
    )  # fmt: skip

    def tables(positions: Tensor) -> Tensor:
        return torch.cat(family.positions(config, positions.long().flatten()), dim=1)

    assert_row_independent(tables, torch.randint(8192, (700, 1)).float(), counts=(1, 3, 17, 65, 333))
    angle = 8191 * 1e5 ** (-2 / 64)
    assert float(tables(torch.tensor([[8191.0]]))[0, 1]) == pytest.approx(math.cos(angle), abs=1e-7)
