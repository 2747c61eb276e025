"""Runs a grammar in every engine that is installed; those that are not are left out, by name."""

from __future__ import annotations

import importlib.util

import engine_stubs

from autoparser_cli.analysis.model import JSON_ENCODING, ValueEncoding
from autoparser_cli.grammars.check import compile_grammar
from autoparser_cli.grammars.dialects import DIALECTS, Dialect, Engine
from autoparser_cli.grammars.export import BudgetState, ExportedGrammar
from autoparser_cli.grammars.gbnf import gbnf_text
from autoparser_cli.grammars.json_schema import read_schema
from autoparser_cli.grammars.lark import lark_text
from autoparser_cli.grammars.llguidance import llguidance_text
from autoparser_cli.grammars.nodes import Grammar, RuleBook
from autoparser_cli.grammars.values import ValueWriter

PRESENT = {
    Engine.LARK: True,
    Engine.GBNF: True,
    Engine.LLGUIDANCE: importlib.util.find_spec("llguidance") is not None,
    Engine.XGRAMMAR: engine_stubs.install(),
}
ENGINES = tuple(engine for engine, present in PRESENT.items() if present)
#: Engines whose grammars are never wider than the schema.
EXACT = tuple(engine for engine in ENGINES if engine is not Engine.LARK)


def exported(text: str, dialect: Dialect) -> ExportedGrammar:
    """Wrap the text of a grammar."""
    return ExportedGrammar(dialect, text, False, (), (), "", "", "", "", BudgetState.IDLE)


def accepts(grammar: Grammar, engine: Engine, text: str) -> bool:
    """Tell whether an engine takes a text as a whole."""
    printers = {
        Dialect.GBNF: gbnf_text,
        Dialect.LLGUIDANCE: llguidance_text,
        Dialect.LARK: lambda grammar: lark_text(grammar).text,
    }
    dialect = DIALECTS[engine]
    return compile_grammar(exported(printers[dialect](grammar), dialect), engine).check(text).accepted


def schema_grammar(
    schema: object, *, encoding: ValueEncoding = JSON_ENCODING, wide: bool = False, any_order: bool = False
) -> Grammar:
    """Return the grammar of a schema's values."""
    book = RuleBook()
    shapes = read_schema(schema, where="f")
    writer = ValueWriter(book, shapes, encoding, wide=wide, any_order=any_order)
    return book.grammar(writer.value(shapes.root, "value"))
