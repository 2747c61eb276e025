"""How values are written: their types, and what is spelled in another way than JSON's. Nothing here computes."""

from __future__ import annotations

from enum import Enum

from autoparser_cli.frozen import frozen


class Escapes(Enum):
    """How a quoted string writes what cannot stand in it."""

    NONE = "NONE"
    JSON = "JSON"
    PYTHON = "PYTHON"


@frozen
class ValueEncoding:
    """How values are written. Empty `quotes`: raw text up to what follows the value.

    Otherwise values are self-delimiting: strings in one of `quotes` (open, close; the first is what the template prints) with
    `escapes`; numbers as in JSON; the constants in `true`, `false`, `null`; lists in `[...]`, mappings in `{key: value}`, keys
    without quotes where `bare_keys`, in the order of their names where `sorted_keys`. `nested` is set where mappings and lists are tags inside tags instead (then `quotes` is
    empty): the same tagged arguments again, list items under `item_name`. `entities` are the characters of raw text that stand as
    something else, each with what is written for it (`&`, `&amp;`).
    """

    quotes: tuple[tuple[str, str], ...] = (('"', '"'),)
    escapes: Escapes = Escapes.JSON
    bare_keys: bool = False
    sorted_keys: bool = False
    true: str = "true"
    false: str = "false"
    null: str = "null"
    nested: bool = False
    item_name: str = ""
    entities: tuple[tuple[str, str], ...] = ()

    @property
    def is_raw(self) -> bool:
        """Tell whether a value ends only where the text behind it begins."""
        return not self.quotes


JSON_ENCODING = ValueEncoding()
RAW_ENCODING = ValueEncoding(quotes=())
PYTHON_ENCODING = ValueEncoding(
    quotes=(("'", "'"), ('"', '"')), escapes=Escapes.PYTHON, true="True", false="False", null="None"
)


class JsonType(Enum):
    """The types that a value form is for."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NULL = "null"
    ARRAY = "array"
    OBJECT = "object"
