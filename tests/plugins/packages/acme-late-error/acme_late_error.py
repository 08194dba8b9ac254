"""Registers well, but what it registers is not there."""

from deg_core.plugins import hookimpl


@hookimpl
def deg_register_heads(register):
    register("acme-no-module", "acme_module_that_is_not_installed:Head")
    register("acme-no-class", "acme_late_error_parts:Hed")
    register("acme-no-type", "acme_late_error_parts:head")
    register("acme-broken", "acme_late_error_broken:Head")
