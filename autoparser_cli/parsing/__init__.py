"""From an analysis and tools to a parser of what the model writes."""

from autoparser_cli.parsing.builder import build_parser
from autoparser_cli.parsing.findings import Finding
from autoparser_cli.parsing.mapper import Repair
from autoparser_cli.parsing.options import ParseOptions
from autoparser_cli.parsing.output_parser import OutputParser, OutputStream, ParseError, ParseResult

__all__ = [
    "Finding",
    "OutputParser",
    "OutputStream",
    "ParseError",
    "ParseOptions",
    "ParseResult",
    "Repair",
    "build_parser",
]
