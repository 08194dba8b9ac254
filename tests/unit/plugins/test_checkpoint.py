"""deg.json: read strictly, written atomically, never a way to choose code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.errors import CheckpointError
from deg_core.plugins import checkpoint
from deg_core.plugins.checkpoint import (
    ADAPTERS_FILE,
    DEG_JSON,
    HEADS_FILE,
    BaseWeights,
    ComputeDefaults,
    DegJson,
    LoraSpec,
    Provenance,
    decode,
    read_checkpoint,
    write_checkpoint,
)

FULL = DegJson(
    model_id="deg-acme-0.3",
    backbone="qwen3.5-0.8b",
    heads={"decide.choice": "choice", "extract.span": "extract", "count": "acme-count"},
    template_version=2,
    array_decoder="count-peaks",
    option_order="canonical",
    array_mode="index",
    anchor_min_tokens=512,
    base=BaseWeights(name="Acme-Instruct.Q4_1.gguf", sha256="ab" * 32),
    lora=LoraSpec(rank=8, alpha=16.0, targets=("qkv", "down"), layers=(4, 5), context="shared"),
    compute=ComputeDefaults(cpu="fp32"),
    temperatures={"choice": 1.25, "extract": 0.9},
    provenance=Provenance(
        seed=7, data={"squad2": "cd" * 32}, config={"steps": 100}, commit="f00", parent="deg-acme-0.2"
    ),
)
SMALL: dict[str, Any] = {
    "format_version": 1,
    "model_id": "deg-acme-0.3",
    "backbone": "llama",
    "heads": {"decide.choice": "choice"},
    "template_version": 1,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkpoint with both weight files."""
    (tmp_path / HEADS_FILE).write_bytes(b"heads" * 100)
    (tmp_path / ADAPTERS_FILE).write_bytes(b"adapters" * 100)
    write_checkpoint(tmp_path, FULL)
    return tmp_path


def test_what_is_written_is_read(folder: Path):
    spec = read_checkpoint(folder)
    assert set(spec.files) == {HEADS_FILE, ADAPTERS_FILE}
    assert spec.files[HEADS_FILE].bytes == 500
    assert checkpoint.msgspec.structs.replace(spec, files={}) == FULL


def test_absent_fields_mean_an_old_checkpoint():
    spec = decode(json.dumps(SMALL))
    assert spec.option_order == "schema"
    assert spec.lora is None
    assert spec.anchor_min_tokens == 0
    assert spec.array_mode == "anchor"


def test_a_checkpoint_without_a_backbone_is_of_the_first_one():
    spec = decode(json.dumps({key: value for key, value in SMALL.items() if key != "backbone"}), source="deg.json")
    assert spec.backbone == "qwen3.5-0.8b"


def test_every_problem_is_told_with_its_place():
    text = json.dumps(
        {
            **{key: value for key, value in SMALL.items() if key != "template_version"},
            "backbone": 7,
            "lora": {"rank": "8", "alpha": 1, "targets": ["qkv"]},
            "hedas": {},
            "array_mode": "anchors",
            "temperatures": {"choice": "warm"},
        }
    )
    with pytest.raises(CheckpointError) as caught:
        decode(text, source="here/deg.json")
    message = str(caught.value)
    assert "6 problems in here/deg.json" in message
    assert "hedas: unknown field; did you mean heads?" in message
    assert "template_version: missing" in message
    assert "backbone: Expected `str`, got `int`" in message
    assert "lora.rank: Expected `int`, got `str`" in message
    assert "array_mode: Invalid enum value 'anchors'" in message
    assert "temperatures[...]: Expected `float`, got `str`" in message


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"backbone": "deg_backbones.llama.model:LlamaFamily"}, "backbone: .* looks like an import path"),
        ({"heads": {"decide.choice": "os.path"}}, "heads -> decide.choice: 'os.path' looks like an import path"),
        ({"array_decoder": "evil:Decoder"}, "array_decoder: 'evil:Decoder' looks like an import path"),
        ({"model_id": "../deg"}, "model_id: '../deg' is not a registry name"),
        ({"temperatures": {"choice": 0}}, "temperatures -> choice: found 0.0, a number above 0"),
        ({"anchor_min_tokens": -1}, "anchor_min_tokens: found -1"),
        ({"files": {"../x": {"sha256": "ab" * 32, "bytes": 1}}}, "files -> ../x: not a checkpoint file"),
        ({"files": {HEADS_FILE: {"sha256": "AB" * 32, "bytes": 1}}}, "sha256: not a SHA-256"),
        ({"lora": {"rank": 0, "alpha": 1, "targets": ["q"]}}, "lora -> rank: found 0"),
        ({"lora": {"rank": 1, "alpha": 0, "targets": ["q"]}}, "lora -> alpha: found 0"),
        ({"lora": {"rank": 1, "alpha": 1, "targets": []}}, "lora -> targets: is empty"),
        ({"lora": {"rank": 1, "alpha": 1, "targets": ["q"], "adapters": []}}, "lora -> adapters: is empty"),
        ({"lora": {"rank": 1, "alpha": 1, "targets": ["q"], "layers": [-1]}}, "lora -> layers"),
        (
            {"lora": {"rank": 1, "alpha": 1, "targets": ["q"], "context": "b"}},
            "context: found 'b', allowed: base, shared",
        ),
        (
            {"lora": {"rank": 1, "alpha": 1, "targets": ["q"], "extra": 1}},
            "lora: Object contains unknown field `extra`",
        ),
        ({"format_version": 2}, "has format_version 2; this deg reads up to 1: update deg"),
        ({"format_version": 0}, "has format_version 0, which this deg can no longer read"),
        ({"format_version": "1"}, "at format_version: found '1', a whole number"),
        ({"format_version": True}, "at format_version: found True"),
    ],
)
def test_values_that_no_checkpoint_may_have(change: dict[str, Any], says: str):
    with pytest.raises(CheckpointError, match=says):
        decode(json.dumps(SMALL | change))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1, column 1"),
        ('{"a": 1,\n "b": }', "line 2, column 7"),
        ('{"lora": {"rank": 1, "rank": 2}}', "lora -> rank: .*twice"),
        ('{"a": NaN}', "a: .*NaN"),
        ('{"a": 1e999}', "a: .*range"),
        ("[" * 100_000, "nested deeper"),
        ("[]", "does not hold a JSON object"),
        ("{}", "at format_version: found None"),
    ],
)
def test_texts_that_are_no_deg_json(text: str, says: str):
    with pytest.raises(CheckpointError, match=says):
        decode(text)


@given(st.data())
def test_a_changed_byte_is_read_or_refused_but_never_crashes(data: st.DataObject):
    text = bytearray(json.dumps(checkpoint.msgspec.to_builtins(FULL)).encode())
    at = data.draw(st.integers(0, len(text) - 1))
    text[at] = data.draw(st.integers(32, 126))
    message = DEG_JSON
    try:
        decode(bytes(text[: data.draw(st.sampled_from([len(text), at]))]).decode())
    except CheckpointError as error:
        message = str(error)
    assert DEG_JSON in message


def test_a_truncated_file_is_refused_by_name(folder: Path):
    path = folder / HEADS_FILE
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(
        CheckpointError, match=r"heads.safetensors has 499 bytes, deg.json records 500: .*copy the whole"
    ):
        read_checkpoint(folder)


def test_a_tampered_file_is_refused_by_name(folder: Path):
    path = folder / ADAPTERS_FILE
    data = bytearray(path.read_bytes())
    data[17] ^= 1
    path.write_bytes(data)
    with pytest.raises(CheckpointError, match=r"adapters.safetensors was changed after it was saved .*do not use it"):
        read_checkpoint(folder)
    assert read_checkpoint(folder, verify=False).model_id == "deg-acme-0.3"


def test_every_damaged_file_is_told(folder: Path):
    (folder / HEADS_FILE).unlink()
    (folder / ADAPTERS_FILE).write_bytes(b"")
    with pytest.raises(CheckpointError) as caught:
        read_checkpoint(folder)
    assert f"{HEADS_FILE} is missing" in str(caught.value)
    assert f"{ADAPTERS_FILE} has 0 bytes" in str(caught.value)


def test_a_weight_file_that_deg_json_does_not_know(tmp_path: Path):
    write_checkpoint(tmp_path, FULL)
    (tmp_path / HEADS_FILE).write_bytes(b"x")
    with pytest.raises(CheckpointError, match="does not record it"):
        read_checkpoint(tmp_path)


def test_folders_that_are_no_checkpoints(tmp_path: Path):
    with pytest.raises(CheckpointError, match="there is no checkpoint folder"):
        read_checkpoint(tmp_path / "nowhere")
    with pytest.raises(CheckpointError, match=r"has no deg\.json"):
        read_checkpoint(tmp_path)
    (tmp_path / DEG_JSON).write_bytes(b'{"a": "\xff"}')
    with pytest.raises(CheckpointError, match="is not UTF-8: byte 7"):
        read_checkpoint(tmp_path)


def test_a_bad_checkpoint_is_not_written(folder: Path):
    before = (folder / DEG_JSON).read_bytes()
    bad = checkpoint.msgspec.structs.replace(FULL, backbone="os:system")
    with pytest.raises(CheckpointError, match="looks like an import path"):
        write_checkpoint(folder, bad)
    assert (folder / DEG_JSON).read_bytes() == before


def test_a_failed_write_leaves_the_old_file_and_no_other(folder: Path, monkeypatch: pytest.MonkeyPatch):
    before = sorted(path.name for path in folder.iterdir())
    text = (folder / DEG_JSON).read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_checkpoint(folder, FULL)
    assert sorted(path.name for path in folder.iterdir()) == before
    assert (folder / DEG_JSON).read_bytes() == text


def test_old_formats_are_migrated_step_by_step(monkeypatch: pytest.MonkeyPatch):
    def first(raw: dict[str, Any]) -> dict[str, Any]:
        return {("heads" if key == "modes" else key): value for key, value in raw.items()}

    def second(raw: dict[str, Any]) -> dict[str, Any]:
        return raw | {"anchor_min_tokens": raw["anchor_min_tokens"] * 2}

    monkeypatch.setattr(checkpoint, "FORMAT_VERSION", 3)
    monkeypatch.setattr(checkpoint, "MIGRATIONS", {1: first, 2: second})
    old = {("modes" if key == "heads" else key): value for key, value in SMALL.items()} | {"anchor_min_tokens": 4}
    spec = decode(json.dumps(old))
    assert spec.format_version == 3
    assert spec.anchor_min_tokens == 8
    assert spec.heads == {"decide.choice": "choice"}
