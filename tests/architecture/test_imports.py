"""What must start in milliseconds imports neither torch nor a server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("torch", "transformers", "triton", "litestar", "uvicorn", "numpy", "gguf", "xllamacpp")


def loaded_after(code: str) -> set[str]:
    """The heavy libraries that are loaded after ``code`` ran in a fresh interpreter."""
    report = f"\nimport json, sys; print('\\n' + json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code + report], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


COMMAND = "from deg_serve.cli.main import run; assert run({!r}) == 0"


@pytest.mark.parametrize(
    "code",
    [
        "import deg_core; deg_core.SchemaError, deg_core.compile_schema, dir(deg_core)",
        "import deg_core.contract.compiler, deg_core.contract.parsers",
        "import deg_core.records.store",
        "import deg_core.protocols.family, deg_core.protocols.head, deg_core.protocols.array_decoder",
        "import deg_core.plugins.checkpoint; from deg_core.plugins import get_plugins; get_plugins().check()",
        "import deg_serve.cli.main, deg_serve.cli.inputs, deg_serve.cli.output",
        "import deg_serve.wire.decisions_route, deg_serve.wire.systemone_route, deg_serve.engine, deg_serve.batcher",
        "from deg_serve.client import AsyncClient, Client; Client('http://127.0.0.1:1').close()",
        COMMAND.format(["--help"]),
        COMMAND.format(["plugins"]),
        COMMAND.format(["plan", "examples/invoice.schema.json"]),
    ],
)
def test_starts_light(code: str):
    assert not loaded_after(code)


def test_the_check_itself_can_fail():
    assert loaded_after("import numpy") == {"numpy"}


def test_public_names_are_what_is_there():
    import deg_core

    assert sorted(deg_core.__all__) == deg_core.__all__
    for name in deg_core.__all__:
        public = getattr(deg_core, name)
        assert getattr(public, "__name__", name) == name  # a marker such as hookimpl has no name of its own
    with pytest.raises(AttributeError, match="has no attribute 'fil_many'"):
        deg_core.fil_many  # noqa: B018 - the access is the test


def test_the_packages_say_that_they_are_typed():
    for package in ("deg_core", "deg_serve"):
        assert (ROOT / package / "py.typed").is_file()
