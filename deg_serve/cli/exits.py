"""What a command's exit status says, and which error gives which."""

from __future__ import annotations

from typing import Final

from deg_core import errors

DONE: Final = 0
UNEXPECTED: Final = 1
"""A fault in deg itself."""
BAD_INPUT: Final = 2
"""What was given (schema, text, options, names, a checkpoint folder) is wrong, too long or not supported: change the
input; the message says where. Also click's own usage errors."""
NOT_FILLED: Final = 3
"""The input is good, but it could not be filled, or this machine lacks something (weights, network, a plugin)."""
INTERRUPTED: Final = 130

#: The nearest class in an error's ancestry decides.
BY_ERROR: Final[dict[type[errors.DegError], int]] = {
    errors.SchemaError: BAD_INPUT,
    errors.RequestError: BAD_INPUT,
    errors.RecordError: BAD_INPUT,
    errors.UnknownNameError: BAD_INPUT,
    errors.CheckpointError: BAD_INPUT,
    errors.RuntimeLimitError: BAD_INPUT,
    errors.UnsupportedError: BAD_INPUT,
    errors.FillError: NOT_FILLED,
    errors.TrainingError: NOT_FILLED,
    errors.PluginError: NOT_FILLED,
    errors.DownloadError: NOT_FILLED,
}


def exit_code(error: errors.DegError) -> int:
    """The exit status of an error."""
    for kind in type(error).__mro__:
        if kind in BY_ERROR:
            return BY_ERROR[kind]
    return BAD_INPUT if isinstance(error, errors.ProblemsError) else UNEXPECTED
