"""A plugin that works: everything by lazy path, so that listing it imports only this file."""

from pathlib import Path

from deg_core.plugins import hookimpl


@hookimpl
def deg_register_heads(register):
    register("acme-even", "acme_good_parts:EvenHead")


@hookimpl
def deg_register_array_decoders(register):
    register("acme-first", "acme_good_parts:FirstDecoder")


@hookimpl
def deg_register_checkpoints(register):
    register("acme-0.2", Path(__file__).parent, ["acme-latest"])
    register("acme-gone", lambda: Path(__file__).parent / "gone")
