"""The peer's weights in another quantization, made from a GGUF file and kept in deg's cache folder.

A file in Q8_0 holds the same values to within a 255th of each block's largest; what differs is the arithmetic that
llama.cpp has for it, and so the speed.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np

from deg_core.errors import CheckpointError
from deg_core.home import deg_home
from deg_core.plugins.checkpoint import file_sha256

_BLOCK: Final = 32  # values that share a scale in Q8_0
_OWN_KEYS: Final = ("GGUF.", "general.architecture", "general.file_type")  # the writer sets these


def q8_0(source: Path) -> Path:
    """The file ``source`` in Q8_0: every matrix whose rows are whole blocks, everything else as it is.

    It is made once and lies under ``DEG_HOME`` with the source's hash in its name. Raises CheckpointError when the
    source is not there or no GGUF file.
    """
    if not source.is_file():
        raise CheckpointError(f"{source}: there is no such GGUF file")
    folder = deg_home() / "peers"
    target = folder / f"{source.stem}.{file_sha256(source)[:12]}.Q8_0.gguf"
    if not target.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix=f".{target.name}.")
        os.close(handle)
        made = Path(name)
        try:
            _write(source, made)
            made.replace(target)
        finally:
            made.unlink(missing_ok=True)
    return target


def _write(source: Path, target: Path) -> None:
    import gguf

    try:
        reader = gguf.GGUFReader(source)
    except ValueError as error:
        raise CheckpointError(f"{source} is not a GGUF file: {error}") from error
    architecture = reader.fields["general.architecture"].contents()
    writer = gguf.GGUFWriter(target, architecture)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    for name, field in reader.fields.items():
        if not name.startswith(_OWN_KEYS):
            inner = field.types[-1] if field.types[0] is gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(name, field.contents(), field.types[0], inner)
    for tensor in reader.tensors:
        kind = _kind(tensor)
        data = _converted(tensor, kind)
        writer.add_tensor(tensor.name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _kind(tensor: Any) -> Any:
    """The type that a tensor is written in. Dimensions stand row length first."""
    import gguf

    matrix = len(tensor.shape) > 1 and int(tensor.shape[0]) % _BLOCK == 0
    return gguf.GGMLQuantizationType.Q8_0 if matrix else tensor.tensor_type


def _converted(tensor: Any, kind: Any) -> Any:
    import gguf

    if kind == tensor.tensor_type:
        return tensor.data
    values = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
    return gguf.quants.quantize(np.ascontiguousarray(values, dtype=np.float32), kind)
