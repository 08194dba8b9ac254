"""What deg loads at start-up. It only names things; each is imported when its name is first used."""

from __future__ import annotations

from deg_core.plugins import hookimpl
from deg_core.plugins.hookspecs import RegisterPath


@hookimpl
def deg_register_families(register: RegisterPath) -> None:
    register("acme-parallel", "acme_deg.parallel:ParallelFamily")
    register("acme-mingru", "acme_deg.mingru:MinGruFamily")


@hookimpl
def deg_register_heads(register: RegisterPath) -> None:
    register("acme-bilinear", "acme_deg.bilinear:BilinearHead")


@hookimpl
def deg_register_array_decoders(register: RegisterPath) -> None:
    register("acme-spaced", "acme_deg.spaced:Spaced")
