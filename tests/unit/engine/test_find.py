"""What a name means: checkpoint, snapshot or backbone, and the options that only some of them have."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from safetensors.torch import load_file, save_file

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import Mode
from deg_core.engine.engine import Model
from deg_core.engine.find import find
from deg_core.engine.load import load_model
from deg_core.engine.untrained import READOUT, family_of
from deg_core.errors import CheckpointError, UnknownNameError
from deg_core.plugins import get_plugins
from deg_core.plugins.checkpoint import decode, read_checkpoint, write_checkpoint
from deg_core.protocols.head import ArrayQuery
from deg_core.protocols.language import speaks
from tests.fixtures import hybrid
from tests.fixtures.tiny import Tiny

ASKED = {"type": "object", "properties": {"a": {"enum": ["x", "y"]}, "n": {"type": ["number", "null"]}}}
TEXT = "Order 7731 of 3 May."


@pytest.mark.parametrize("name", get_plugins().families.names())
def test_every_backbone_has_heads_that_answer_for_it(name: str):
    found = find(name, get_plugins())
    assert (found.folder, found.source) == (None, None)
    assert found.spec.model_id == f"{name}-readout"
    assert found.spec.backbone == name
    answered = {*(mode.value for mode in Mode if mode is not Mode.GENERATE), ArrayQuery.COUNT.value}
    assert set(found.spec.heads) == answered
    assert decode(json.dumps(msgspec.to_builtins(found.spec))) == found.spec


@pytest.mark.parametrize("query", READOUT)
def test_heads_are_registered_for_what_they_answer(query: str):
    head = get_plugins().heads.resolve(READOUT[query])
    assert query in {each.value for each in head.modes}
    assert head.kind == READOUT[query]
    assert speaks(head)


def test_a_snapshot_folder_is_read_by_its_family(tiny: Tiny, tmp_path: Path):
    found = find(tiny.snapshot, get_plugins())
    assert (found.spec.backbone, found.folder, found.source) == ("llama", None, tiny.snapshot)
    assert find(str(tiny.snapshot), get_plugins()) == found
    for name in ("qwen", "lfm2"):
        folder = hybrid.write_snapshot(tmp_path / name, hybrid.SHAPES[name])
        assert family_of(folder, get_plugins()) == {"qwen": "qwen3.5", "lfm2": "lfm2"}[name]


def test_which_family_can_be_said(tiny: Tiny):
    assert find(tiny.snapshot, get_plugins(), backbone="smollm2-135m").spec.model_id == "smollm2-135m-readout"
    with pytest.raises(UnknownNameError, match="no-such"):
        find(tiny.snapshot, get_plugins(), backbone="no-such")
    with pytest.raises(CheckpointError, match="is the backbone 'llama', not 'lfm2'"):
        find("llama", get_plugins(), backbone="lfm2")


def test_a_snapshot_that_nobody_reads_says_why(tmp_path: Path):
    (tmp_path / "config.json").write_text('{"model_type": "mamba"}')
    with pytest.raises(CheckpointError, match=r"no backbone that is known reads it:(.|\n)*llama: .*'mamba'"):
        find(tmp_path, get_plugins())
    (tmp_path / "config.json").unlink()
    with pytest.raises(CheckpointError, match=r"it has no deg\.json"):
        find(tmp_path, get_plugins())


def test_a_checkpoint_goes_before_a_snapshot(tiny: Tiny, tmp_path: Path):
    folder = Path(shutil.copytree(tiny.checkpoint, tmp_path / "both"))
    shutil.copyfile(tiny.snapshot / "config.json", folder / "config.json")
    assert find(folder, get_plugins()).folder == folder
    with pytest.raises(CheckpointError, match="trained on backbone 'llama'; it cannot run on 'lfm2'"):
        find(folder, get_plugins(), backbone="lfm2")


def test_a_backbone_without_weights_of_its_own_is_given_some(tiny: Tiny, deg_home: Path):
    with pytest.raises(CheckpointError, match="say where they are"):
        load_model("llama")
    named = load_model("llama", base_model=tiny.snapshot)
    assert named.fill(TEXT, ASKED) == load_model(tiny.snapshot).fill(TEXT, ASKED)


def test_options_of_heads_without_training(tiny: Tiny, deg_home: Path):
    plain = load_model(tiny.snapshot)
    letters = load_model(tiny.snapshot, letters=True, rotations=2)
    assert "\nA. x\n" in letters.renderer.tokenizer.decode(fork(letters))
    assert "\n- x\n" in plain.renderer.tokenizer.decode(fork(plain))
    assert letters.fill(TEXT, ASKED).meta != plain.fill(TEXT, ASKED).meta
    with pytest.raises(CheckpointError, match="rotations is 0; 1 or more"):
        load_model(tiny.snapshot, rotations=0)
    for option in ({"rotations": 2}, {"letters": True}):
        with pytest.raises(CheckpointError, match=f"{next(iter(option))} is for heads that answer without training"):
            load_model(tiny.checkpoint, base_model=tiny.snapshot, **option)


def fork(model: Model) -> tuple[int, ...]:
    return model.renderer.fork(compile_schema(ASKED).fields[0]).ids


def test_trained_and_untrained_heads_stand_side_by_side(tiny: Tiny, deg_home: Path, tmp_path: Path):
    """A checkpoint may name any registered head; its trained ones do not notice the others."""
    folder = Path(shutil.copytree(tiny.checkpoint, tmp_path / "mixed"))
    spec = read_checkpoint(folder)
    heads = {**spec.heads, "extract.number": "readout-extract"}
    path = folder / "deg.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"heads": heads}))
    with pytest.raises(CheckpointError, match="does not fit head 'readout-extract'"):
        load_model(folder, base_model=tiny.snapshot)
    untrained = load_model(tiny.snapshot).heads[Mode.NUMBER].state_dict()
    tensors = load_file(folder / "heads.safetensors")
    save_file(tensors | {f"readout-extract.{k}": v for k, v in untrained.items()}, folder / "heads.safetensors")
    write_checkpoint(folder, read_checkpoint(folder, verify=False))
    mixed, trained = load_model(folder, base_model=tiny.snapshot), load_model(tiny.checkpoint, base_model=tiny.snapshot)
    found, expected = mixed.fill(TEXT, ASKED), trained.fill(TEXT, ASKED)
    assert found.meta["/a"] == expected.meta["/a"]
    assert found.meta["/n"] != expected.meta["/n"]


def test_settings_of_another_text_are_refused(tiny: Tiny, deg_home: Path):
    head = load_model(tiny.snapshot).heads[Mode.NOUL]
    with pytest.raises(RuntimeError, match="calibrate the backbone anew"):
        head.load_state_dict({**head.state_dict(), "template": head.state_dict()["template"] + 1})
