"""One hook fails half-way; another registers good and malformed names."""

from deg_core.plugins import hookimpl


@hookimpl
def deg_register_families(register):
    register("acme-before", "acme_half:Thing")
    raise RuntimeError("the table of families is empty")


@hookimpl
def deg_register_heads(register):
    register("acme-good-one", "acme_half:Thing")
    register("Acme Head", "acme_half:Thing")
    register("acme.heads.thing", "acme_half:Thing")
    register("acme-no-colon", "acme_half.Thing")
    register("acme-too-much", "acme_half:Thing", 3)


class Thing:
    protocol_version = (1, 0)
