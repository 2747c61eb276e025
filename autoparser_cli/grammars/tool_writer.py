"""What all that writes the arguments of one tool has in common: the tool, its schema's shapes, and how they are written."""

from __future__ import annotations

from autoparser_cli.analysis.model import Escapes, ValueEncoding
from autoparser_cli.frozen import frozen
from autoparser_cli.grammars.nodes import RuleBook
from autoparser_cli.grammars.shapes import SchemaShapes
from autoparser_cli.grammars.tool_names import ANY_TOOL
from autoparser_cli.grammars.values import ValueWriter
from autoparser_cli.peg import expressions as peg

_ESCAPES = {"none": Escapes.NONE, "json": Escapes.JSON, "python": Escapes.PYTHON}


@frozen
class ToolWriter:
    """Writes for the tool `name`, None for any."""

    book: RuleBook
    name: str | None
    shapes: SchemaShapes
    wide: bool
    any_order: bool

    @property
    def hint(self) -> str:
        """Return what rules and notes call the tool."""
        return ANY_TOOL if self.name is None else self.name

    def values(self, encoding: ValueEncoding) -> ValueWriter:
        """Return what writes values in an encoding."""
        return ValueWriter(self.book, self.shapes, encoding, wide=self.wide, any_order=self.any_order)


def encoding_of(syntax: peg.Syntax) -> ValueEncoding:
    """Return the encoding that the parser's syntax stands for."""
    return ValueEncoding(
        quotes=syntax.quotes,
        escapes=_ESCAPES[syntax.escapes],
        bare_keys=syntax.bare_keys,
        sorted_keys=syntax.sorted_keys,
        true=syntax.true,
        false=syntax.false,
        null=syntax.null,
    )
