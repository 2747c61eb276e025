"""The errors that autoparser raises; each knows the exit code it ends a command with.

    AutoparserError
    ├── InputError                 what the user gave cannot be used (exit code 2)
    │   ├── SourceError            a file or folder that cannot be read
    │   ├── TemplateSyntaxError    the chat template does not compile
    │   ├── ToolsError             the tools are not a list of tools
    │   └── CaseError              a case file that cannot be run
    ├── RenderError                the template raised while it rendered a conversation (exit code 2)
    │   └── ResourceLimitError     rendering took more time, memory or output than a template may
    ├── FormatError                what was asked for does not exist for this template (exit code 1)
    └── ClosedStreamError          text was fed to a stream that had been closed

A format that cannot be inferred and an output that does not parse are results, not errors.
"""

from __future__ import annotations

from functools import partial
from typing import Any

#: How much of a template's line a message shows: a whole template may be one line.
_LONGEST_LINE = 160


class AutoparserError(Exception):
    """Any error that autoparser raises on purpose; its text is fit to be shown to a user."""

    exit_code = 2

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class InputError(AutoparserError):
    """What the user gave cannot be used."""


class SourceError(InputError):
    """A file or folder that cannot be read as what it was given as."""


class TemplateSyntaxError(InputError):
    """The chat template does not compile.

    `line` is 1-based; `source_line` is that line's text.
    """

    def __init__(self, message: str, *, name: str, line: int, source_line: str) -> None:
        shown = source_line.strip()
        shown = shown if len(shown) <= _LONGEST_LINE else f"{shown[: _LONGEST_LINE - 1]}…"
        super().__init__(f"{name}:{line}: {message}\n    {shown}")
        self.message = message
        self.name = name
        self.line = line
        self.source_line = source_line

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the constructor's own arguments: a template is compiled in a worker process."""
        rebuild = partial(type(self), name=self.name, line=self.line, source_line=self.source_line)
        return rebuild, (self.message,)


class ToolsError(InputError):
    """The tools are not a list of tools in OpenAI's shape."""


class CaseError(InputError):
    """A case file, or one case in it, that cannot be run."""


class RenderError(AutoparserError):
    """The template raised while it rendered a conversation.

    `line` is the 1-based line of the template that raised, where it is known.
    """

    def __init__(self, message: str, *, line: int | None = None, kind: str = "TemplateError") -> None:
        super().__init__(message)
        self.line = line
        self.kind = kind


class ResourceLimitError(RenderError):
    """Rendering took more time, memory or output than a template may."""


class FormatError(AutoparserError):
    """What was asked for does not exist for this template, such as a grammar without a tool format."""

    exit_code = 1


class ClosedStreamError(AutoparserError):
    """Text was fed to a stream that had been closed: its result would be without it."""
