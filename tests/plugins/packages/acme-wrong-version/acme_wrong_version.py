"""Heads for an older, a newer and a slightly newer protocol, and two that do not say which."""

from deg_core.plugins import hookimpl


@hookimpl
def deg_register_heads(register):
    for name, head in {
        "old": "Old",
        "new": "New",
        "newer-minor": "NewerMinor",
        "none": "Silent",
        "text": "Text",
    }.items():
        register(f"acme-{name}", f"acme_wrong_version:{head}")


class Old:
    protocol_version = (0, 9)


class New:
    protocol_version = (2, 0)


class NewerMinor:
    protocol_version = (1, 99)


class Silent:
    pass


class Text:
    protocol_version = "1.0"
