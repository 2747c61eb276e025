"""What several commands read from the command line, and how files on it are read.

Every failure to read is an InputError that names the file and says in one line what is wrong with it.
"""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from autoparser_cli.errors import InputError, SourceError, ToolsError
from autoparser_cli.messages import ToolSpec, read_tools


class OutputFormat(StrEnum):
    """How a command shows its result."""

    CONSOLE = "console"
    JSON = "json"


FormatOption = Annotated[OutputFormat, typer.Option("--format", "-f", help="How to show the result.")]
ToolsOption = Annotated[
    Path | None,
    typer.Option("--tools", metavar="FILE", help="The tools that the model was given: a JSON list."),
]
KwargOption = Annotated[
    list[str] | None,
    typer.Option(
        "--kwarg",
        metavar="NAME=VALUE",
        help="A variable for the template: JSON, or else a string. Repeatable.",
    ),
]
NoCacheOption = Annotated[bool, typer.Option("--no-cache", help="Analyze anew, whatever was found before.")]
VerboseOption = Annotated[
    int,
    typer.Option(
        "--verbose",
        "-v",
        count=True,
        show_default=False,
        help="Analyze anew, and log the steps; -vv logs more.",
    ),
]


#: What every template is given; Hugging Face transformers refuses them as further variables, too.
_NOT_KWARGS = ("messages", "tools", "add_generation_prompt")
#: How many bytes of a stream are read at once at most.
_READ_AT_ONCE = 65_536


def check_stdin_once(*sources: object) -> None:
    """Raise InputError where more than one of the sources is standard input: it can be read once."""
    if [str(source) for source in sources].count("-") > 1:
        raise InputError("standard input (-) can be given once only")


def read_text(path: Path | str) -> str:
    """Read a file, or standard input for `-`, exactly as it is. Raise SourceError."""
    if str(path) == "-":
        return _decode(sys.stdin.buffer.read(), "<stdin>")
    try:
        data = Path(path).read_bytes()
    except IsADirectoryError:
        raise SourceError(f"{path}: is a directory, not a file") from None
    except OSError as error:
        raise SourceError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    return _decode(data, str(path))


def arriving_chunks(size: int) -> Iterator[str]:
    """Read standard input as it comes, and give it out in pieces of `size` characters. Raise SourceError."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    read = getattr(sys.stdin.buffer, "read1", sys.stdin.buffer.read)
    waiting, before, data = "", 0, b"-"
    while data:
        data = read(_READ_AT_ONCE)
        undecoded = decoder.getstate()[0]
        try:
            waiting += decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            raise _not_text("<stdin>", error, before - len(undecoded)) from None
        before += len(data)
        whole = len(waiting) - len(waiting) % size if data else len(waiting)
        yield from (waiting[at : at + size] for at in range(0, whole, size))
        waiting = waiting[whole:]


def read_json(path: Path | str) -> Any:
    """Read a JSON file. Raise InputError with the line and column of what is not JSON.

    A byte order mark, which some editors write, is no part of it.
    """
    text = read_text(path).removeprefix("\ufeff")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}: not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise InputError(f"{path}: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{path}: not JSON: {error}") from None


def load_schema(path: Path | None) -> Any:
    """Read the JSON Schema in a file; no file means none. Raise InputError."""
    if path is None:
        return None
    schema = read_json(path)
    if not isinstance(schema, dict | bool):
        raise InputError(f"{path}: not a JSON Schema: must be an object, true or false")
    return schema


def load_tools(path: Path | None) -> tuple[ToolSpec, ...]:
    """Read the tools in a file; no file means no tools. Raise ToolsError or SourceError."""
    if path is None:
        return ()
    try:
        return read_tools(read_json(path), where=str(path))
    except SourceError:
        raise
    except InputError as error:
        raise ToolsError(str(error)) from None


def read_conversation(path: Path) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]] | None]:
    """Read a list of messages, or a whole request with its messages and tools. Raise InputError."""
    data = read_json(path)
    tools = data.get("tools") if isinstance(data, dict) else None
    messages = data.get("messages") if isinstance(data, dict) else data
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise InputError(f"{path}: not a list of messages, and no object with one under `messages`")
    if not messages:
        raise InputError(f"{path}: the conversation is empty")
    for index, message in enumerate(messages):
        if not isinstance(message.get("role"), str):
            raise InputError(
                f"{path}: messages[{index}] has no role", hint="a message is {role: user, content: ...}"
            )
    return messages, checked_tools(tools, str(path)) or None


def checked_tools(data: Any, where: str) -> list[Mapping[str, Any]]:
    """Check tools, and return them as they are: a template may print every key of them. Raise ToolsError."""
    read_tools(data, where=where)
    tools = data["tools"] if isinstance(data, dict) else data
    return list(tools or ())


def read_kwargs(assignments: Iterable[str] | None) -> dict[str, Any]:
    """Read `name=value` pairs; a value that is not JSON is a string."""
    kwargs: dict[str, Any] = {}
    for assignment in assignments or ():
        name, equals, value = assignment.partition("=")
        if not equals or not name.isidentifier():
            raise InputError(f"--kwarg {assignment}: must be NAME=VALUE")
        if name in _NOT_KWARGS:
            raise InputError(
                f"--kwarg {name}: conversation, tools and generation prompt have options of their own"
            )
        try:
            kwargs[name] = json.loads(value)
        except (ValueError, RecursionError):
            kwargs[name] = value
    return kwargs


def start_logging(verbosity: int) -> None:
    """Log the library's steps to standard error: -v says what was concluded, -vv each step on the way."""
    if not verbosity:
        return
    import logging

    from autoparser_cli.reports.printable import printable

    class Printable(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return printable(super().format(record))

    shown = logging.StreamHandler(sys.stderr)
    shown.setFormatter(Printable("%(levelname).1s %(name)s: %(message)s"))
    logger = logging.getLogger("autoparser_cli")
    logger.handlers[:] = [shown]
    logger.setLevel(logging.INFO if verbosity == 1 else logging.DEBUG)


def _decode(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_text(where, error) from None


def _not_text(where: str, error: UnicodeDecodeError, before: int = 0) -> SourceError:
    """Say which byte is no text; `before` of them were read before those that the error tells of."""
    wrong = f"byte {before + error.start} is {error.object[error.start]:#04x}"
    return SourceError(f"{where}: not UTF-8 text ({wrong})")
