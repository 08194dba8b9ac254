"""The command ``deg``: a table of commands that are imported when they are called, and one place for errors."""

from __future__ import annotations

import importlib
import io
import os
import sys
from importlib import metadata

import click

from deg_core.errors import DegError
from deg_serve.cli import exits

#: Command -> where it is, and its line in ``deg --help``; the line stands here so that help imports nothing.
COMMANDS: dict[str, tuple[str, str]] = {
    "bench": ("deg_serve.cli.bench:bench", "Measure speed and accuracy, also against constrained decoding."),
    "calibrate": ("deg_serve.cli.calibrate:calibrate", "Fit a checkpoint's temperatures on held-out records."),
    "conform": ("deg_serve.cli.conform:conform", "Check that a plugin does what its protocol promises."),
    "evaluate": ("deg_serve.cli.evaluate:evaluate", "Score a checkpoint on records."),
    "explain": ("deg_serve.cli.explain:explain", "Show how one field got its value."),
    "fill": ("deg_serve.cli.fill:fill", "Fill a schema from a text."),
    "models": ("deg_serve.cli.models:models", "List checkpoints, or fetch their weights."),
    "plan": ("deg_serve.cli.plan:plan", "Show how a schema will be filled."),
    "plugins": ("deg_serve.cli.plugins:plugins", "List plugins, what they register, and what failed."),
    "serve": ("deg_serve.cli.serve:serve", "Serve a checkpoint over HTTP."),
    "train": ("deg_serve.cli.train:train", "Train heads and adapters on records."),
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command), cmd_name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(message="%(version)s", package_name="deg-fill", prog_name="deg")
def cli() -> None:
    """Fill a JSON Schema from a text, on one read of the text.

    Exit status: 0 done, 1 a fault in deg, 2 bad input, 3 good input that could not be filled here. DEG_DEBUG=1 shows
    tracebacks.
    """


def run(arguments: list[str] | None = None) -> int:
    """Run a command line and return its exit status. Errors become one message on stderr."""
    try:
        result = cli.main(args=arguments, prog_name="deg", standalone_mode=False)
        return result if isinstance(result, int) else exits.DONE
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.Abort:
        return exits.INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output has gone (`deg ... | head`); it has what it wanted. Nothing may be flushed to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.DONE
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except DegError as error:
        if _debug():
            raise
        click.echo(f"deg: {error}", err=True)
        return exits.exit_code(error)
    except Exception as error:
        if _debug():
            raise
        detail = " ".join(str(error).split())
        click.echo(
            f"deg: unexpected {type(error).__name__}: {detail}\n"
            f"This is a fault in deg {_version()}; DEG_DEBUG=1 shows where. Please report it.",
            err=True,
        )
        return exits.UNEXPECTED


def main() -> None:
    """Entry point of the script ``deg``."""
    for stream in (sys.stdout, sys.stderr):
        # JSON is UTF-8 whatever the terminal's locale is.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(run())


def _debug() -> bool:
    return os.environ.get("DEG_DEBUG", "") not in {"", "0"}


def _version() -> str:
    try:
        return metadata.version("deg-fill")
    except metadata.PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    main()
