"""The entry point: a command line becomes an exit code, and an error becomes one clear line.

Nothing heavy is imported here: `--version` answers before Typer is loaded.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from autoparser_cli import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_COULD_NOT_RUN = 2
EXIT_INTERNAL = 3
EXIT_INTERRUPTED = 130


def main() -> None:
    """Run the process's command line, and end the process with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code: 0 clean, 1 findings, 2 could not run, 3 a bug."""
    arguments, debug = _take_debug(arguments)
    if arguments[:1] == ["--version"]:
        sys.stdout.write(f"autoparser {__version__}\n")
        return 0
    _make_streams_safe()
    try:
        return _invoke(arguments)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        return _end_quietly()
    except Exception as error:
        return _report_failure(error, debug=debug)


def _take_debug(arguments: Sequence[str]) -> tuple[list[str], bool]:
    """Take `--debug` out of the arguments, wherever it stands before a `--`."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = [argument for argument in arguments[:end] if argument != "--debug"]
    debug = len(options) < end or os.environ.get("AUTOPARSER_DEBUG", "") not in ("", "0")
    return [*options, *arguments[end:]], debug


def _make_streams_safe() -> None:
    """Let every text be written: what a stream's encoding cannot hold (a lone surrogate, say) is escaped."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _invoke(arguments: list[str]) -> int:
    from autoparser_cli.cli.app import build_app

    try:
        build_app(arguments)(args=arguments, prog_name="autoparser")
    except SystemExit as stop:
        sys.stdout.flush()
        return stop.code if isinstance(stop.code, int) else EXIT_COULD_NOT_RUN
    return 0


def _end_quietly() -> int:
    """Drop what could not be written: whoever read it (`head`, say) has seen enough."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    return 0


def _report_failure(error: Exception, *, debug: bool) -> int:
    from autoparser_cli.errors import AutoparserError

    if debug:
        import traceback

        traceback.print_exception(error)
    if isinstance(error, AutoparserError):
        hint = f"\n{error.hint}" if error.hint else ""
        sys.stderr.write(f"autoparser: {error}{hint}\n")
        return error.exit_code
    sys.stderr.write(
        f"autoparser: internal error: {type(error).__name__}: {error}\n"
        f"This is a bug in autoparser {__version__}. Please report it with the command line, the template\n"
        "and the traceback that --debug shows; CONTRIBUTING.md says how.\n"
    )
    return EXIT_INTERNAL
