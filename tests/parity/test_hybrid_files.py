"""Snapshots of the families with state layers: published layouts, real sizes, and what is refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from deg_core.errors import CheckpointError
from tests.fixtures.hybrid import LFM2, QWEN, SHAPES, Shape, lfm2, qwen, write_published, write_snapshot

PUBLISHED_QWEN: dict[str, Any] = {
    "vocab_size": 248_320,
    "num_hidden_layers": 24,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "head_dim": 256,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 16,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "layer_types": (["linear_attention"] * 3 + ["full_attention"]) * 6,
    "max_position_embeddings": 262_144,
    "rope_parameters": QWEN["rope_parameters"] | {"mrope_section": [11, 11, 10]},
}
ATTENTION_OF_LFM2 = (2, 5, 8, 10, 12, 14)
REAL: dict[str, tuple[Shape, int]] = {  # with the number of parameters
    "qwen3.5-0.8b": (qwen(**PUBLISHED_QWEN, hidden_size=1024, intermediate_size=3584), 752_393_024),
    "qwen3.5-2b": (qwen(**PUBLISHED_QWEN, hidden_size=2048, intermediate_size=6144), 1_881_825_088),
    "lfm2.5-1.2b": (
        lfm2(
            vocab_size=65_536,
            hidden_size=2048,
            block_ff_dim=12_288,
            block_multiple_of=256,
            num_hidden_layers=16,
            num_attention_heads=32,
            num_key_value_heads=8,
            layer_types=["full_attention" if i in ATTENTION_OF_LFM2 else "conv" for i in range(16)],
            max_position_embeddings=128_000,
        ),
        1_170_340_608,
    ),
}


def read_config(folder: Path, shape: Shape) -> Any:
    (folder / "config.json").write_text(json.dumps(shape.config), encoding="utf-8")
    return shape.family.read_config(folder)


# Real sizes, without memory for them


@pytest.mark.parametrize("name", REAL)
def test_real_sizes_are_those_of_the_reference(name: str, tmp_path: Path):
    transformers = pytest.importorskip("transformers")
    shape, parameters = REAL[name]
    config = read_config(tmp_path, shape)
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(transformers.AutoConfig.from_pretrained(tmp_path))
    found = {key.removeprefix("model."): tuple(weight.shape) for key, weight in model.named_parameters()}
    assert found == shape.expected(config)
    assert sum(weight.numel() for weight in model.parameters()) == parameters


@pytest.mark.parametrize("name", REAL)
def test_real_weights_fit_the_projections(name: str, tmp_path: Path):
    """The assembly of every layer, on the meta device."""
    shape, _ = REAL[name]
    family, config = shape.family, read_config(tmp_path, shape)
    raw = {key: torch.empty(size, device="meta") for key, size in shape.expected(config).items()}
    weights = shape.assemble(raw, config)
    assert not raw
    projections = family.projections(config)
    for key, projection in projections.items():
        assert tuple(weights[key].shape) == (projection.rows, projection.columns), key
    rest = {key.rpartition(".")[2] for key in weights.keys() - projections.keys()}
    assert rest <= {"embed", "final_norm", "mixer_norm", "mlp_norm", "q_norm", "k_norm", "conv"} | {
        "decay_rate",
        "decay_bias",
        "gated_norm",
    }


@pytest.mark.parametrize(
    ("name", "layers", "kv_bytes", "state_floats"),
    [
        ("qwen3.5-0.8b", (18, 6), 12 * 1024, 18 * (16 * 128 * 128 + 3 * 6144)),
        ("qwen3.5-2b", (18, 6), 12 * 1024, 18 * (16 * 128 * 128 + 3 * 6144)),
        ("lfm2.5-1.2b", (10, 6), 12 * 1024, 10 * 2 * 2048),
    ],
)
def test_memory_of_a_context_and_of_a_row(
    name: str, layers: tuple[int, int], kv_bytes: int, state_floats: int, tmp_path: Path
):
    """SPEC 12.8: 12 KiB of keys and values a token in bf16, and states of a fixed size."""
    shape, _ = REAL[name]
    geometry = shape.family.geometry(read_config(tmp_path, shape))
    assert (geometry.layers.count("state"), geometry.layers.count("attention")) == layers
    assert 2 * geometry.kv_floats_per_token == kv_bytes
    assert geometry.state_floats_per_row == state_floats


def test_lfm2_widths_are_cut_and_rounded_up(tmp_path: Path):
    assert read_config(tmp_path, REAL["lfm2.5-1.2b"][0]).intermediate_size == 8192
    assert read_config(tmp_path, lfm2(block_ff_dim=1000, block_multiple_of=256)).intermediate_size == 768
    assert read_config(tmp_path, lfm2(block_auto_adjust_ff_dim=False)).intermediate_size == 168
    assert read_config(tmp_path, lfm2(block_ff_dim=None, intermediate_size=300)).intermediate_size == 208


# Published layouts


def test_the_published_layout_holds_the_same_model(tmp_path: Path):
    shape = SHAPES["qwen"]
    plain, published = write_snapshot(tmp_path / "plain", shape), write_published(tmp_path / "published", shape)
    family = shape.family
    config = family.read_config(published)
    assert config == family.read_config(plain)
    expected, found = family.read_weights(plain, config), family.read_weights(published, config)
    assert found.keys() == expected.keys()
    assert all(torch.equal(weight, expected[name]) for name, weight in found.items())


def test_the_published_layout_is_that_of_the_reference(tmp_path: Path):
    """``transformers`` writes a multimodal snapshot; its text part is read from it."""
    transformers = pytest.importorskip("transformers")
    if not hasattr(transformers, "Qwen3_5ForConditionalGeneration"):
        pytest.skip("this transformers has no Qwen3.5")
    vision = {"depth": 1, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2, "out_hidden_size": 64}
    text = {key: value for key, value in QWEN.items() if key != "tie_word_embeddings"}
    config = transformers.Qwen3_5Config(text_config=text, vision_config=vision, tie_word_embeddings=True)
    model = transformers.Qwen3_5ForConditionalGeneration(config)
    model.save_pretrained(tmp_path, max_shard_size="200KB")
    assert len(list(tmp_path.glob("*.safetensors"))) > 1
    shape = SHAPES["qwen"]
    own = shape.family.read_config(tmp_path)
    weights = shape.family.read_weights(tmp_path, own)
    language = model.model.language_model
    assert torch.equal(weights["embed"], language.embed_tokens.weight)
    assert torch.equal(weights["layers.3.o"], language.layers[3].self_attn.o_proj.weight)
    assert torch.equal(weights["layers.0.conv"].t(), language.layers[0].linear_attn.conv1d.weight[:, 0])


@pytest.mark.parametrize("shape", [qwen(tie_word_embeddings=False), lfm2(tie_embedding=False)])
def test_a_head_of_its_own_is_read(shape: Shape, tmp_path: Path):
    write_snapshot(tmp_path, shape)
    config = shape.family.read_config(tmp_path)
    weights = shape.family.read_weights(tmp_path, config)
    assert not config.tied_head
    assert torch.equal(weights["lm_head"], load_file(tmp_path / "model.safetensors")["lm_head.weight"])


@pytest.mark.parametrize("name", ["qwen", "lfm2"])
def test_a_tied_head_in_the_file_is_no_surprise(name: str, tmp_path: Path):
    write_snapshot(tmp_path, SHAPES[name])
    change_weights(tmp_path, {"lm_head.weight": torch.ones(3)})
    family = SHAPES[name].family
    assert "lm_head" not in family.read_weights(tmp_path, family.read_config(tmp_path))


@pytest.mark.parametrize("shape", [SHAPES["qwen 2b"], SHAPES["lfm2 1.2b"]])
def test_configurations_survive_being_kept_as_json(shape: Shape, tmp_path: Path):
    config = read_config(tmp_path, shape)
    assert msgspec.convert(json.loads(json.dumps(asdict(config))), shape.family.config_type) == config


def test_layers_may_be_told_by_an_interval(tmp_path: Path):
    assert read_config(tmp_path, qwen(layer_types=None, full_attention_interval=2)).layers == ("state", "attention") * 2
    assert read_config(tmp_path, qwen(layer_types=None)).layers == ("state",) * 3 + ("attention",)
    told = read_config(tmp_path, lfm2(layer_types=None, full_attn_idxs=[1, 3]))
    assert told.layers == ("state", "attention") * 2


@pytest.mark.parametrize("base", [qwen, lfm2])
def test_the_rotary_base_is_where_either_layout_puts_it(base: Callable[..., Shape], tmp_path: Path):
    assert read_config(tmp_path, base(rope_parameters=None, rope_theta=123.0)).rope_theta == 123.0
    assert read_config(tmp_path, base(rope_parameters={"rope_theta": 5.0}, rope_theta=None)).rope_theta == 5.0


# What is refused


def change_weights(folder: Path, changes: dict[str, Tensor | None]) -> None:
    file = folder / "model.safetensors"
    kept = load_file(file)
    for name, value in changes.items():
        kept.pop(name, None)
        if value is not None:
            kept[name] = value
    save_file(kept, file)


@pytest.mark.parametrize(
    ("name", "gone", "strange"),
    [
        ("qwen", "layers.1.linear_attn.A_log", "layers.3.self_attn.q_proj.bias"),
        ("qwen", "layers.3.self_attn.k_norm.weight", "layers.9.mlp.up_proj.weight"),
        ("lfm2", "layers.1.conv.conv.weight", "layers.0.conv.in_proj.bias"),
        ("lfm2", "embedding_norm.weight", "norm.weight"),
    ],
)
def test_missing_and_unexpected_tensors_are_named(name: str, gone: str, strange: str, tmp_path: Path):
    write_snapshot(tmp_path, SHAPES[name])
    family = SHAPES[name].family
    config = family.read_config(tmp_path)
    change_weights(tmp_path, {f"model.{gone}": None, f"model.{strange}": torch.ones(2)})
    with pytest.raises(CheckpointError) as caught:
        family.read_weights(tmp_path, config)
    missing, _, unexpected = str(caught.value).partition("unexpected tensors")
    assert gone in missing
    assert strange in unexpected


def test_a_tensor_of_the_wrong_shape_is_named(tmp_path: Path):
    write_snapshot(tmp_path, SHAPES["lfm2"])
    change_weights(tmp_path, {"model.layers.2.feed_forward.w1.weight": torch.ones(64, 99)})
    family = SHAPES["lfm2"].family
    with pytest.raises(CheckpointError, match=r"layers\.2\.feed_forward\.w1\.weight is \(64, 99\), expected"):
        family.read_weights(tmp_path, family.read_config(tmp_path))


def test_a_shard_that_is_not_there_or_damaged_is_named(tmp_path: Path):
    shape = SHAPES["qwen"]
    write_published(tmp_path, shape)
    config = shape.family.read_config(tmp_path)
    shard = tmp_path / "model-00002-of-00003.safetensors"
    shard.write_bytes(shard.read_bytes()[:1000])
    with pytest.raises(CheckpointError, match=r"model-00002-of-00003\.safetensors cannot be read"):
        shape.family.read_weights(tmp_path, config)
    shard.unlink()
    with pytest.raises(CheckpointError, match=r"names model-00002-of-00003\.safetensors, which is not there"):
        shape.family.read_weights(tmp_path, config)


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        (qwen(model_type="qwen3_next"), "model_type is 'qwen3_next'"),
        (qwen(attention_bias=True), "attention_bias = True"),
        (qwen(attn_output_gate=False), "attn_output_gate = false"),
        (qwen(hidden_act="gelu"), "hidden_act = gelu"),
        (qwen(quantization_config={"quant_method": "fp8"}), "quantization_config = .*fp8"),
        (qwen(linear_num_value_heads=6), "6 .not a multiple of linear_num_key_heads = 4"),
        (qwen(layer_types=["full_attention"] * 3), "3 entries for 4 layers"),
        (qwen(layer_types=["sliding_attention"] * 4), "layer_types holds sliding_attention"),
        (qwen(rope_parameters={"rope_type": "yarn", "rope_theta": 1e7, "factor": 4.0}), "rope_scaling = .*yarn"),
        (qwen(rope_parameters=None), "lacks rope_theta"),
        (qwen(head_dim=None), "lacks head_dim"),
        (lfm2(model_type="lfm2_moe"), "model_type is 'lfm2_moe', expected 'lfm2'"),
        (lfm2(conv_bias=True), "conv_bias = True"),
        (lfm2(rope_scaling={"rope_type": "linear", "factor": 2.0}), "rope_scaling = .*linear"),
        (lfm2(layer_types=None), "lacks layer_types"),
        (lfm2(block_ff_dim=None), "lacks intermediate_size"),
        (LFM2, "text_config"),
    ],
)
def test_options_that_a_family_lacks_are_refused_by_name(shape: Any, says: str, tmp_path: Path):
    if shape is LFM2:  # one family's snapshot given to the other
        shape = Shape(qwen().family, LFM2, {}, (), qwen().expected, qwen().assemble)
    with pytest.raises(CheckpointError, match=says):
        read_config(tmp_path, shape)
