"""deg.json: what a checkpoint folder says about itself, read strictly and written atomically.

A checkpoint is a folder with ``deg.json`` and the small weight files it names. It names plugins by registry name
only: a downloaded folder must never choose what code is imported.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from deg_core.contract.jsontext import load_json
from deg_core.errors import CheckpointError, RequestError
from deg_core.plugins.registry import name_problem

DEG_JSON = "deg.json"
HEADS_FILE = "heads.safetensors"
ADAPTERS_FILE = "adapters.safetensors"
WEIGHT_FILES = (HEADS_FILE, ADAPTERS_FILE)
FORMAT_VERSION = 1

#: ``MIGRATIONS[n]`` turns the content of a deg.json of format ``n`` into that of format ``n + 1``.
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


class WeightFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One weight file beside deg.json: its SHA-256 (hex) and its size in bytes."""

    sha256: str
    bytes: int


class BaseWeights(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The frozen weights under the trained part: a name for people, and the SHA-256 of the file they came from."""

    name: str
    sha256: str | None = None


class LoraSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The adapters (SPEC 12.7). ``layers`` null means all; ``context`` is "base" or the adapter that reads it."""

    rank: int
    alpha: float
    targets: tuple[str, ...]
    layers: tuple[int, ...] | None = None
    context: str = "base"
    adapters: tuple[str, ...] = ("shared",)


class ComputeDefaults(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the checkpoint was calibrated to run, by device: int8, fp32 or bf16 (decisions section 3)."""

    cpu: Literal["int8", "fp32", "bf16"] = "int8"
    gpu: Literal["fp32", "bf16"] = "bf16"


class Provenance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the checkpoint comes from. ``data`` maps a source to the SHA-256 of what was used of it."""

    seed: int | None = None
    data: dict[str, str] = {}
    config: dict[str, Any] = {}
    commit: str | None = None
    parent: str | None = None


FIRST_BACKBONE: Final = "qwen3.5-0.8b"
"""What a checkpoint that names no backbone stands on: those from before there was a choice (SPEC 12.8)."""


class DegJson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of deg.json.

    ``heads`` maps a mode (``decide.choice``) or a kind of query (``count``, ``anchor``) to the registry name of the
    head that answers it. ``temperatures`` maps a head kind to its calibration temperature (above 0; absent means 1).
    ``option_order`` is absent in checkpoints older than canonical order, hence "schema" by default. ``files`` holds
    the weight files; ``write_checkpoint`` fills it in.
    """

    model_id: str
    heads: dict[str, str]
    template_version: int
    backbone: str = FIRST_BACKBONE
    format_version: int = FORMAT_VERSION
    array_decoder: str | None = None
    option_order: Literal["canonical", "schema"] = "schema"
    array_mode: Literal["anchor", "index"] = "anchor"
    anchor_min_tokens: int = 0
    base: BaseWeights | None = None
    lora: LoraSpec | None = None
    compute: ComputeDefaults = ComputeDefaults()
    temperatures: dict[str, float] = {}
    files: dict[str, WeightFile] = {}
    provenance: Provenance = Provenance()


def read_checkpoint(folder: str | Path, *, verify: bool = True) -> DegJson:
    """Read ``folder/deg.json``; with ``verify``, hash the weight files it names as well.

    Raises CheckpointError, with every problem of the file located, when the folder or a file is missing, damaged,
    of a newer format, or names code instead of a plugin.
    """
    folder = Path(folder)
    spec = decode(_read_text(folder), source=str(folder / DEG_JSON))
    if verify:
        verify_files(folder, spec)
    return spec


def decode(text: str, *, source: str = DEG_JSON) -> DegJson:
    """The content of a deg.json. ``source`` names the file in messages. Raises CheckpointError."""
    try:
        raw = load_json(text)
    except RequestError as error:
        raise _bad(source, [f"{_at(problem['loc'])}{problem['msg']}" for problem in error.problems]) from None
    if not isinstance(raw, dict):
        raise CheckpointError(f"{source} does not hold a JSON object")
    raw = _migrate(raw, source)
    problems = _type_problems(raw)
    if not problems:
        spec = msgspec.convert(raw, DegJson)
        problems = _value_problems(spec)
        if not problems:
            return spec
    raise _bad(source, problems)


def _bad(source: str, problems: Sequence[str]) -> CheckpointError:
    lines = "\n".join(f"  {line}" for line in problems)
    return CheckpointError(f"{len(problems)} problem{'s' * (len(problems) > 1)} in {source}:\n{lines}")


def _at(loc: Sequence[str | int]) -> str:
    return f"{' -> '.join(map(str, loc))}: " if loc else ""


def verify_files(folder: str | Path, spec: DegJson) -> None:
    """Compare the weight files with what deg.json recorded. Raises CheckpointError naming every file that differs."""
    folder = Path(folder)
    problems: list[str] = []
    for name, recorded in spec.files.items():
        path = folder / name
        try:
            size = path.stat().st_size
        except OSError:
            problems.append(f"{path} is missing; copy the whole checkpoint folder again")
            continue
        if size != recorded.bytes:
            problems.append(
                f"{path} has {size} bytes, {DEG_JSON} records {recorded.bytes}: it is cut short or of another "
                f"checkpoint; copy the whole checkpoint folder again"
            )
        elif (digest := file_sha256(path)) != recorded.sha256:
            problems.append(
                f"{path} was changed after it was saved (SHA-256 {digest[:12]}..., {DEG_JSON} records "
                f"{recorded.sha256[:12]}...); do not use it, copy the checkpoint folder again from where it came"
            )
    problems.extend(
        f"{folder / name} is there, but {DEG_JSON} does not record it; remove it or save the checkpoint again"
        for name in WEIGHT_FILES
        if name not in spec.files and (folder / name).exists()
    )
    if problems:
        raise CheckpointError("; ".join(problems))


def write_checkpoint(folder: str | Path, spec: DegJson) -> DegJson:
    """Write ``folder/deg.json`` for the weight files that lie in the folder, and return it with their hashes.

    The weight files go first, this call last: a folder without deg.json is not a checkpoint, so a run that dies in
    between leaves nothing that could be loaded by mistake. The file appears at once or not at all. Raises
    CheckpointError when ``spec`` itself is not valid.
    """
    folder = Path(folder)
    files = {
        name: WeightFile(sha256=file_sha256(path), bytes=path.stat().st_size)
        for name in WEIGHT_FILES
        if (path := folder / name).is_file()
    }
    spec = msgspec.structs.replace(spec, format_version=FORMAT_VERSION, files=files)
    text = json.dumps(msgspec.to_builtins(spec), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    decode(text, source=str(folder / DEG_JSON))
    write_atomic(folder / DEG_JSON, text.encode())
    return spec


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that readers see the old content or the new, never a part."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read_text(folder: Path) -> str:
    if not folder.is_dir():
        raise CheckpointError(f"there is no checkpoint folder {folder}")
    path = folder / DEG_JSON
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise CheckpointError(f"{folder} is no checkpoint: it has no {DEG_JSON}") from None
    except UnicodeDecodeError as error:
        raise CheckpointError(f"{path} is not UTF-8: byte {error.start} cannot be read") from None
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror or error}") from None


def _migrate(raw: dict[str, Any], source: str) -> dict[str, Any]:
    version = raw.get("format_version")
    if type(version) is not int or version < 0:
        raise CheckpointError(f"{source} at format_version: found {version!r}, a whole number is needed")
    if version > FORMAT_VERSION:
        raise CheckpointError(
            f"{source} has format_version {version}; this deg reads up to {FORMAT_VERSION}: update deg"
        )
    while version < FORMAT_VERSION:
        step = MIGRATIONS.get(version)
        if step is None:
            raise CheckpointError(f"{source} has format_version {version}, which this deg can no longer read")
        raw = {**step(raw), "format_version": version + 1}
        version += 1
    return raw


def _type_problems(raw: Mapping[str, Any]) -> list[str]:
    """Unknown, missing and mistyped fields. Fields are converted one by one, so that all of them are told at once."""
    problems: list[str] = []
    fields = {field.name: field for field in msgspec.structs.fields(DegJson)}
    for name in raw:
        if name not in fields:
            near = difflib.get_close_matches(name, fields, n=1)
            problems.append(f"{name}: unknown field" + (f"; did you mean {near[0]}?" if near else ""))
    for name, field in fields.items():
        if name not in raw:
            if field.required:
                problems.append(f"{name}: missing")
            continue
        try:
            msgspec.convert(raw[name], field.type)
        except msgspec.ValidationError as error:
            message, _, at = str(error).partition(" - at `")
            steps = at.rstrip("`").removeprefix("$")
            problems.append(f"{name}{steps}: {message}")
    return problems


def _value_problems(spec: DegJson) -> list[str]:
    """What the types cannot say."""
    problems: list[str] = []

    def name(at: str, value: str) -> None:
        problem = name_problem(value)
        if problem is not None:
            problems.append(f"{at}: {problem}")

    name("model_id", spec.model_id)
    name("backbone", spec.backbone)
    for mode, head in spec.heads.items():
        name(f"heads -> {mode}", head)
    if spec.array_decoder is not None:
        name("array_decoder", spec.array_decoder)
    for kind, temperature in spec.temperatures.items():
        if not temperature > 0 or temperature == float("inf"):
            problems.append(f"temperatures -> {kind}: found {temperature}, a number above 0 is needed")
    for at, number in (("template_version", spec.template_version), ("anchor_min_tokens", spec.anchor_min_tokens)):
        if number < 0:
            problems.append(f"{at}: found {number}, 0 or more is needed")
    for file, recorded in spec.files.items():
        if file not in WEIGHT_FILES:
            problems.append(f"files -> {file}: not a checkpoint file; allowed: {', '.join(WEIGHT_FILES)}")
        if len(recorded.sha256) != 64 or set(recorded.sha256) - set("0123456789abcdef"):
            problems.append(f"files -> {file} -> sha256: not a SHA-256 in lower-case hex")
    if spec.lora is not None:
        problems.extend(_lora_problems(spec.lora))
    return problems


def _lora_problems(lora: LoraSpec) -> list[str]:
    problems: list[str] = []
    if lora.rank < 1:
        problems.append(f"lora -> rank: found {lora.rank}, 1 or more is needed")
    if not 0 < lora.alpha < float("inf"):
        problems.append(f"lora -> alpha: found {lora.alpha}, a number above 0 is needed")
    if not lora.targets:
        problems.append("lora -> targets: is empty; name at least one projection")
    if not lora.adapters:
        problems.append("lora -> adapters: is empty; name at least one adapter")
    if lora.layers is not None and any(layer < 0 for layer in lora.layers):
        problems.append(f"lora -> layers: found {list(lora.layers)}, layer numbers from 0 are needed")
    if lora.context != "base" and lora.context not in lora.adapters:
        allowed = ", ".join(("base", *lora.adapters))
        problems.append(f"lora -> context: found {lora.context!r}, allowed: {allowed}")
    return problems
