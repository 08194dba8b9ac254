"""Needs a library that is not installed."""

import acme_rt_that_is_not_installed

from deg_core.plugins import hookimpl


@hookimpl
def deg_register_heads(register):
    register("acme-fast", acme_rt_that_is_not_installed.PATH)
