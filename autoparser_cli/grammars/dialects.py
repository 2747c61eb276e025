"""The names of what a grammar is written in and of what runs it; light, so that commands can list them."""

from __future__ import annotations

from enum import StrEnum


class Dialect(StrEnum):
    """What a grammar can be written in."""

    GBNF = "gbnf"
    LARK = "lark"
    LLGUIDANCE = "llguidance"
    STRUCTURAL_TAG = "structural-tag"
    JSON_SCHEMA = "json-schema"
    RESPONSE_TEMPLATE = "response-template"


class Engine(StrEnum):
    """Who runs the samples."""

    LARK = "lark"
    GBNF = "gbnf"
    LLGUIDANCE = "llguidance"
    XGRAMMAR = "xgrammar"


#: The dialect that an engine reads.
DIALECTS = {
    Engine.LARK: Dialect.LARK,
    Engine.GBNF: Dialect.GBNF,
    Engine.LLGUIDANCE: Dialect.LLGUIDANCE,
    Engine.XGRAMMAR: Dialect.GBNF,
}
