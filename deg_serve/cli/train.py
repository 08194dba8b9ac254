"""``deg train``: the trainer's own command line, under the command ``deg``."""

from __future__ import annotations

import click


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def train(*, arguments: tuple[str, ...]) -> int:
    """Train heads and adapters; ``deg train --help`` lists the flags."""
    from deg_core.training.__main__ import main

    return main(list(arguments))
