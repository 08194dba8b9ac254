"""Wants to be ``choice``, which deg's own heads plugin is already."""

from deg_core.plugins import hookimpl


@hookimpl
def deg_register_heads(register):
    register("choice", "acme_duplicate:ChoiceHead")
    register("acme-other", "acme_duplicate:ChoiceHead")


class ChoiceHead:
    protocol_version = (1, 0)
