"""Choosing, switching off and missing the compiled kernels, and what is in a build of the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from deg_core import compile_schema
from deg_core.engine.engine import Model
from deg_core.errors import UnknownNameError
from deg_core.kernels import native
from deg_core.kernels.native import library
from deg_core.kernels.testing import relative_error

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "deg_core" / "kernels" / "native" / "src"
needs_kernels = pytest.mark.skipif(not native.available(), reason="the compiled kernels are not installed, or off")


def level_in_a_new_process(chosen: str) -> str:
    code = "from deg_core.kernels import native; print(native.available(), native.level())"
    environment = os.environ | {"DEG_NATIVE": chosen}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment, check=False
    )
    return done.stdout.strip() or done.stderr


@needs_kernels
def test_the_environment_chooses():
    assert level_in_a_new_process("0") == "False None"
    assert level_in_a_new_process("plain") == "True plain"
    assert "DEG_NATIVE is 'fast'; allowed: 0 (off), 1" in level_in_a_new_process("fast")


def test_an_unknown_level_is_refused():
    with pytest.raises(UnknownNameError, match="allowed"), native.at_most("sse"):
        pass


@needs_kernels
def test_levels_go_down_and_come_back():
    before = native.level()
    with native.at_most("plain"):
        assert native.level() == "plain"
        with native.at_most("0"):
            assert not native.available()
            assert library.functions() is None
            assert not library.has_product()
        assert native.level() == "plain"
    assert native.level() == before
    with native.at_most("1"):
        assert native.LEVELS.index(native.level() or "") >= native.LEVELS.index(before or "")


def test_a_missing_or_foreign_library_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(library, "__file__", str(tmp_path / "library.py"))
    assert library.load() is None
    suffix = library.importlib.machinery.EXTENSION_SUFFIXES[0]
    (tmp_path / f"_native{suffix}").write_bytes(b"not a library")
    assert library.load() is None


@needs_kernels
def test_a_library_of_another_version_is_not_called(monkeypatch: pytest.MonkeyPatch):
    assert library.load() is not None
    monkeypatch.setattr(library, "ABI", library.ABI + 1)
    assert library.load() is None


@needs_kernels
@pytest.mark.parametrize("compute", ["fp32", "int8"])
def test_a_model_answers_alike_without_them(tiny_models: dict[str, Model], compute: str):
    """In fp32 to rounding. Int8 rounds again at each matrix, so that a last bit can turn a code, and its attention may
    round to bfloat16: there, roughly."""
    text = "Order 7731 of 3 May 2024, EUR 1,250.00, paid by Ann Lee. " * 12
    fields = {"kind": {"enum": ["order", "refund"]}, "amount": {"type": ["number", "null"]}}
    plan = compile_schema({"type": "object", "properties": fields})

    def answers() -> list[torch.Tensor]:
        model = tiny_models[compute]
        model.cache.clear()
        ((read, raw),) = model.read([(text, plan)])
        return [read.state.hidden_PD, *(item.logits for item in raw)]

    found = answers()
    with native.at_most("0"):
        expected = answers()
    for a, b in zip(found, expected, strict=True):
        assert relative_error(a, b) < (1e-4 if compute == "fp32" else 0.1)
    assert not torch.equal(found[0], expected[0])


@pytest.mark.skipif(native.level() != "amx", reason="this processor has no AMX, or it is switched off")
def test_which_levels_give_the_same_bits(tiny_models: dict[str, Model]):
    """From AVX-512 on all do, but for int8 on AMX, where attention rounds what it multiplies."""
    text = "Order 7731 of 3 May 2024, EUR 1,250.00, paid by Ann Lee. " * 12

    def read(compute: str, level: str) -> torch.Tensor:
        model = tiny_models[compute]
        model.cache.clear()
        with native.at_most(level):
            ((read, _),) = model.read([(text, compile_schema({"type": "object", "properties": {}}))])
        return read.state.hidden_PD

    for compute in ("fp32", "int8"):
        assert torch.equal(read(compute, "avx512"), read(compute, "vnni"))
    assert torch.equal(read("fp32", "avx512"), read("fp32", "amx"))
    assert not torch.equal(read("int8", "avx512"), read("int8", "amx"))


@needs_kernels
def test_a_model_reads_the_same_bits_in_chunks_of_any_size(
    tiny_models: dict[str, Model], monkeypatch: pytest.MonkeyPatch
):
    from deg_core.runtime import prefill

    for model in tiny_models.values():
        ids = model.renderer.trunk("Order 7731 of 3 May 2024, paid by Ann Lee. " * 20).ids
        expected = prefill.prefill(model.body, ids)
        for chunk in (64, 100, 10_000):
            monkeypatch.setattr(prefill, "CHUNK", chunk)
            found = prefill.prefill(model.body, ids)
            assert torch.equal(found.hidden_PD, expected.hidden_PD), chunk
            for one, other in zip(found.layers, expected.layers, strict=True):
                assert torch.equal(one.k_GPK, other.k_GPK)
                assert torch.equal(one.v_GPK, other.v_GPK)


def test_every_source_is_built_and_shipped():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (extension,) = project["tool"]["setuptools"]["ext-modules"]
    listed = {Path(name).name for name in extension["sources"] + extension["depends"]}
    assert listed == {path.name for path in SOURCES.iterdir()}
    assert extension["optional"] is True
    assert "-ffp-contract=off" in extension["extra-compile-args"]
    assert "kernels/native/src/*" in project["tool"]["setuptools"]["package-data"]["deg_core"]


def test_both_sides_agree_on_the_version():
    header = (SOURCES / "native.h").read_text("utf-8")
    assert f"DEG_ABI = {library.ABI} " in header
