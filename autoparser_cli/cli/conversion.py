"""Commands that leave to Typer only the values that are still to be converted.

From 0.29 on, Typer converts every value with pydantic, one that is not given and its own `--help` too; that takes
about as long to load as all else that a quick command needs. A default, text where text is wanted, and the spelling
of an enum's member need none of it. Whatever else is given on the command line is Typer's to convert, and to refuse.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any, get_args, get_origin

from typer.core import TyperCommand, TyperGroup

_TO_CONVERT = object()


class _Light:
    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, `--help` among them. Typer takes no class for them, so each is told by itself."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if "process_value" not in vars(parameter):
                parameter.process_value = partial(_processed, parameter, parameter.process_value)
        return parameters


class LightCommand(_Light, TyperCommand):
    """A command whose parameters are converted only where they need it."""


class LightGroup(_Light, TyperGroup):
    """The same for what stands before the command."""


def _processed(parameter: Any, process: Callable[[Any, Any], Any], context: Any, value: Any) -> Any:
    """Return the value that the command gets for a parameter; `process` is Typer's own way there."""
    # Older Typers describe no types, and convert without pydantic.
    descriptor = getattr(parameter, "type_descriptor", None)
    if descriptor is None or (parameter.required and not value):
        return process(context, value)
    found = _converted(value, descriptor.annotation)
    if found is _TO_CONVERT:
        return process(context, value)
    return found if parameter.callback is None else parameter.callback(context, parameter, found)


def _converted(value: Any, annotation: Any) -> Any:
    """Return a value of the annotated type, where there is nothing to check; else `_TO_CONVERT`.

    What is not given is None, for lists too: Typer makes no difference between no list and an empty one.
    """
    if value is None:
        return None
    if get_origin(annotation) is list:
        (of,) = get_args(annotation)
        items = [_converted(item, of) for item in value]
        return _TO_CONVERT if _TO_CONVERT in items else items
    if not isinstance(annotation, type):
        return _TO_CONVERT
    if isinstance(value, annotation):
        return value
    if issubclass(annotation, Enum) and value in [member.value for member in annotation]:
        return annotation(value)
    return _TO_CONVERT
