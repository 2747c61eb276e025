"""Work out from a chat template alone how to parse what its model writes.

    template = ChatTemplate.load("template.jinja")
    analysis = analyze(template)
    parser = build_parser(analysis, tools=tools)
    result = parser.parse(output)

Names are imported on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autoparser_cli.analysis.model import TemplateAnalysis
    from autoparser_cli.errors import AutoparserError
    from autoparser_cli.grammars.dialects import Dialect
    from autoparser_cli.grammars.export import export as export_grammar
    from autoparser_cli.inference import analyze
    from autoparser_cli.messages import Delta, Message, ToolCall, ToolSpec, read_tools
    from autoparser_cli.parsing import OutputParser, ParseResult, build_parser
    from autoparser_cli.templates import ChatTemplate, RenderInputs

__version__ = "0.1.0"

__all__ = [
    "AutoparserError",
    "ChatTemplate",
    "Delta",
    "Dialect",
    "Message",
    "OutputParser",
    "ParseResult",
    "RenderInputs",
    "TemplateAnalysis",
    "ToolCall",
    "ToolSpec",
    "analyze",
    "build_parser",
    "export_grammar",
    "read_tools",
]

#: The module that defines a name, and the name there where it is another one.
_HOMES = {
    "AutoparserError": "errors",
    "ChatTemplate": "templates",
    "Delta": "messages",
    "Dialect": "grammars.dialects",
    "Message": "messages",
    "OutputParser": "parsing",
    "ParseResult": "parsing",
    "RenderInputs": "templates",
    "TemplateAnalysis": "analysis.model",
    "ToolCall": "messages",
    "ToolSpec": "messages",
    "analyze": "inference",
    "build_parser": "parsing",
    "export_grammar": "grammars.export:export",
    "read_tools": "messages",
}


def __getattr__(name: str) -> Any:
    """Import a public name from the module that defines it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, own_name = _HOMES[name].partition(":")
    value = getattr(import_module(f"{__name__}.{module}"), own_name or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*globals(), *__all__})
