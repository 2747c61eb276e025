"""Arguments as one object, and raw text of tags turned into JSON by the types that its schema allows."""

from __future__ import annotations

import html
import json
import re
from typing import Any

from autoparser_cli.peg.encoded_values import encoded_value
from autoparser_cli.peg.expressions import Payload, Syntax
from autoparser_cli.peg.json_values import LITERAL_REPAIR, PYTHON_CONSTANTS, json_value, whole_value
from autoparser_cli.peg.parts import Part, white_end
from autoparser_cli.peg.printed_members import constants
from autoparser_cli.peg.schema import fits
from autoparser_cli.peg.source import Match, Source

ARGUMENTS = "arguments"
STRING_REPAIR = "arguments-as-string"
_INTEGER = re.compile("-?(?:0|[1-9][0-9]{0,17})")
_NUMBERS = frozenset({"integer", "number"})
_PYTHON = Syntax(quotes=(("'", "'"), ('"', '"')), escapes="python", true="True", false="False", null="None")


def payload_part(node: Payload) -> Part:
    """Compile arguments written as one object."""

    def generator(source: Source) -> Match:
        return (yield from payload(source, node.syntax, node.as_string))

    return None, generator


def payload(source: Source, syntax: Syntax, as_string: bool) -> Match:
    """Match one object; one inside a JSON string is taken out of it."""
    while (at := white_end(source.text, source.pos)) == len(source.text) and not source.closed:
        yield
    if source.text.startswith('"', at):
        source.pos = at
        return (yield from _object_in_string(source, as_string))
    if not source.text.startswith("{", at):
        return source.fail(at, "{")
    source.pos = at
    if as_string:
        source.emit("repair", "arguments-not-as-string")
    if syntax.is_json:
        return (yield from json_value(source, ARGUMENTS))
    return (yield from encoded_value(source, ARGUMENTS, syntax))


def _object_in_string(source: Source, printed: bool) -> Match:
    """Match a JSON string that holds the JSON text of an object."""
    while (end := whole_value(source.text, source.pos)) < 0:
        if source.closed:
            return source.fail(len(source.text), '"')
        yield
    inner = json.loads(source.text[source.pos : end])
    inner = inner.strip() or "{}"
    if not inner.startswith("{") or whole_value(inner, 0) != len(inner):
        return source.fail(source.pos, "{")
    if not printed:
        source.emit("repair", STRING_REPAIR)
    source.emit(ARGUMENTS, inner)
    source.pos = end
    return True


def raw_to_json(text: str, types: frozenset[str] | None, syntax: Syntax) -> tuple[str, str]:
    """Return the JSON text of a raw value and the repair it took, empty for none.

    A declared string stays one; otherwise the forms other than a string come first. What fits no declared
    type is kept as a string: the schema's finding tells of it.
    """
    if types == frozenset({"string"}):
        return _quoted(text), ""
    if _INTEGER.fullmatch(text) and (types is None or types & _NUMBERS):
        return text, ""
    word = text.strip()
    own = constants(syntax).get(word)
    if own is not None and _allowed(json.loads(own), types):
        return own, ""
    value = _loads(word)
    if value is not _NOTHING and _allowed(value, types):
        return word, ""
    if word in PYTHON_CONSTANTS:
        name = PYTHON_CONSTANTS[word]
        if types is not None and fits(json.loads(name), types):
            return name, LITERAL_REPAIR
    if word[:1] in ("{", "[") and (types is None or types & {"array", "object"}):
        translated = _translated(word, syntax)
        if translated is not None:
            return translated, "" if syntax.escapes == "python" else LITERAL_REPAIR
    if value is not _NOTHING and types is not None and "string" not in types:
        return word, ""
    return _quoted(text), ""


_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")


def without_entities(text: str) -> str:
    """Return what a text with XML's entities stands for; an ampersand that begins none stands for itself."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)


_NOTHING = object()


def _allowed(value: Any, types: frozenset[str] | None) -> bool:
    """Tell whether a value that is not a string may be meant by its text."""
    return not isinstance(value, str) if types is None else fits(value, types) and not isinstance(value, str)


def _loads(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return _NOTHING


def _refuse(name: str) -> Any:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _translated(word: str, syntax: Syntax) -> str | None:
    """Return the JSON text of a list or mapping in Python's form, None where it is none."""
    source = Source()
    source.feed(word)
    source.close()
    match = encoded_value(source, ARGUMENTS, syntax if syntax.escapes == "python" else _PYTHON)
    try:
        next(match)
    except StopIteration as stop:
        whole = bool(stop.value) and source.pos == len(word)
        return "".join(text for kind, text, _ in source.events if kind == ARGUMENTS) if whole else None
    return None


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
