"""The entry point: a command line becomes an exit code, and an error becomes one clear line.

Nothing heavy is imported here: `--version` answers before Typer is loaded.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from autoparser_cli import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_COULD_NOT_RUN = 2
EXIT_INTERNAL = 3
EXIT_INTERRUPTED = 130

#: How many objects are made between two searches for garbage. Python's 700 have them take a tenth of a quick command;
#: hardly anything here is garbage of the kind that is not freed at once.
_OBJECTS_BETWEEN_SEARCHES = 100_000


def main() -> None:
    """Run the process's command line, and end the process with its exit code."""
    gc.set_threshold(_OBJECTS_BETWEEN_SEARCHES)
    exit_code = run(sys.argv[1:])
    # Nor is anything searched at the end, which takes a sixth of a quick command: the system takes back all at once.
    gc.freeze()
    sys.exit(exit_code)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code: 0 clean, 1 findings, 2 could not run, 3 a bug."""
    arguments, debug = _take_debug(arguments)
    _make_streams_safe()
    try:
        if arguments[:1] in (["--version"], ["-V"]):
            sys.stdout.write(f"autoparser {__version__}\n")
            sys.stdout.flush()
            return 0
        return _invoke(arguments)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return 0
    except Exception as error:
        return _report_failure(error, debug=debug)


def _take_debug(arguments: Sequence[str]) -> tuple[list[str], bool]:
    """Take `--debug` out of the arguments, wherever it stands before a `--`."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = [argument for argument in arguments[:end] if argument != "--debug"]
    debug = len(options) < end or os.environ.get("AUTOPARSER_DEBUG", "") not in ("", "0")
    return [*options, *arguments[end:]], debug


def _make_streams_safe() -> None:
    """Let every text be written: what a stream's encoding cannot hold (a lone surrogate, say) is escaped.

    A stream that was closed before the start (`>&-`) is as good as an empty one.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 (it stays open)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _invoke(arguments: list[str]) -> int:
    from autoparser_cli.cli.app import build_app

    stdout = sys.stdout
    try:
        build_app(arguments)(args=arguments, prog_name="autoparser")
    except SystemExit as stop:
        if sys.stdout is not stdout:  # Typer puts another one there where the reader has gone, and says 1
            raise BrokenPipeError from None
        sys.stdout.flush()
        return stop.code if isinstance(stop.code, int) else EXIT_COULD_NOT_RUN
    return 0


def _drop_output() -> None:
    """Drop what could not be written: whoever read it (`head`, say) has seen enough, or the disk is full."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())


def _report_failure(error: Exception, *, debug: bool) -> int:
    from autoparser_cli.cli.telling import tell
    from autoparser_cli.errors import AutoparserError

    if debug:
        import traceback

        traceback.print_exception(error)
    if isinstance(error, AutoparserError):
        hint = f"\n{error.hint}" if error.hint else ""
        tell(f"autoparser: {error}{hint}")
        return error.exit_code
    if isinstance(error, OSError | MemoryError):
        # The system's refusal, such as a full disk: whoever runs the command can mend it, and nobody else.
        if isinstance(error, OSError):
            _drop_output()
        tell(f"autoparser: the system refused: {_refusal(error)}")
        return EXIT_COULD_NOT_RUN
    tell(
        f"autoparser: internal error: {type(error).__name__}: {error}\n"
        f"This is a bug in autoparser {__version__}. Please report it with the command line, the template\n"
        "and the traceback that --debug shows; CONTRIBUTING.md says how."
    )
    return EXIT_INTERNAL


def _refusal(error: OSError | MemoryError) -> str:
    if isinstance(error, MemoryError):
        return "no more memory"
    where = f" ({error.filename})" if error.filename else ""
    return f"{(error.strerror or str(error)).lower()}{where}"
