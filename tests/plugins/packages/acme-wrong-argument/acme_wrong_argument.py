"""The argument is called ``register``, not ``registry``."""

from deg_core.plugins import hookimpl


@hookimpl
def deg_register_heads(registry):
    registry("acme-argument", "acme_wrong_argument:Head")


class Head:
    protocol_version = (1, 0)
