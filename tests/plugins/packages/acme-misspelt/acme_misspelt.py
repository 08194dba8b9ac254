"""One letter is missing in the name of the hook."""

from deg_core.plugins import hookimpl


@hookimpl
def deg_register_head(register):
    register("acme-misspelt", "acme_misspelt:Head")


class Head:
    protocol_version = (1, 0)
