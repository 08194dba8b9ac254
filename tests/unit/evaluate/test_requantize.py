"""The peer's weights in Q8_0."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import pytest

from deg_core.errors import CheckpointError
from deg_core.evaluate.peers.requantize import q8_0

GENERATOR = np.random.default_rng(0)
MATRIX = GENERATOR.normal(size=(4, 64)).astype(np.float32)
NARROW = GENERATOR.normal(size=(4, 20)).astype(np.float32)
VECTOR = GENERATOR.normal(size=64).astype(np.float32)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A GGUF of three tensors, the matrix in Q4_1."""
    path = tmp_path / "made.Q4_1.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_1)
    writer.add_block_count(3)
    writer.add_array("tokenizer.ggml.tokens", ["a", "b"])
    quantized = gguf.quants.quantize(MATRIX, gguf.GGMLQuantizationType.Q4_1)
    writer.add_tensor("matrix", quantized, raw_dtype=gguf.GGMLQuantizationType.Q4_1)
    writer.add_tensor("narrow", NARROW)
    writer.add_tensor("vector", VECTOR)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.mark.usefixtures("deg_home")
def test_the_same_values_in_eight_bits(source: Path):
    made = q8_0(source)
    before, after = gguf.GGUFReader(source), gguf.GGUFReader(made)
    kept = {name: field.contents() for name, field in before.fields.items() if name != "general.file_type"}
    assert {name: field.contents() for name, field in after.fields.items() if name != "general.file_type"} == kept
    assert after.fields["general.file_type"].contents() == int(gguf.LlamaFileType.MOSTLY_Q8_0)
    tensors = {tensor.name: tensor for tensor in after.tensors}
    assert list(tensors) == ["matrix", "narrow", "vector"]
    assert tensors["matrix"].tensor_type is gguf.GGMLQuantizationType.Q8_0
    values = gguf.quants.dequantize(tensors["matrix"].data, gguf.GGMLQuantizationType.Q8_0)
    wanted = gguf.quants.dequantize(before.tensors[0].data, gguf.GGMLQuantizationType.Q4_1)
    assert values.shape == wanted.shape == MATRIX.shape
    assert np.abs(values - wanted).max() <= np.abs(wanted).max() / 250
    assert (tensors["narrow"].data == NARROW).all()
    assert (tensors["vector"].data == VECTOR).all()


def test_it_is_made_once(source: Path, deg_home: Path):
    made = q8_0(source)
    assert made.parent == deg_home / "peers"
    stamp = made.stat().st_mtime_ns
    assert q8_0(source) == made
    assert made.stat().st_mtime_ns == stamp
    assert [path.name for path in made.parent.iterdir()] == [made.name]


def test_what_is_no_gguf(tmp_path: Path, deg_home: Path):
    with pytest.raises(CheckpointError, match="no such GGUF"):
        q8_0(tmp_path / "none.gguf")
    other = tmp_path / "text.gguf"
    other.write_bytes(b"not a GGUF file at all, but long enough to be read")
    with pytest.raises(CheckpointError, match="not a GGUF"):
        q8_0(other)
    assert not list((deg_home / "peers").iterdir())
