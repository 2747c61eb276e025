"""Values as a template writes them -> the encoding they are written in.

An encoding is recognised by spelling known values in it and comparing, or, for mappings, by reading one whole.
"""

from __future__ import annotations

import ast
import html
import json
import re
from typing import Any

from autoparser_cli.analysis.model import (
    JSON_ENCODING,
    PYTHON_ENCODING,
    Escapes,
    JsonType,
    ValueEncoding,
)

#: Values of each type that tagged arguments are probed with. The second text is one that some templates wrap (CDATA).
SAMPLES: tuple[tuple[JsonType, Any], ...] = (
    (JsonType.STRING, "Zsampletext"),
    (JsonType.STRING, 'Zodd <text> & "more" of it\'s'),
    (JsonType.INTEGER, 90817),
    (JsonType.NUMBER, 7.25),
    (JsonType.BOOLEAN, True),
    (JsonType.NULL, None),
    (JsonType.ARRAY, ["Zlistitem", 7]),
    (JsonType.OBJECT, {"zinnerkey": "Zinnertext"}),
)

#: A name that some templates write with entities.
ODD_KEY = "zkey&<\">'end"

#: All of them at once, for arguments that are one mapping; the list shows how a string inside is quoted.
MAPPING: dict[str, Any] = {
    "zargalpha": "Zsampletext",
    "zargbeta": 90817,
    "zargdelta": True,
    "zargeta": None,
    "zargiota": ["Zlistitem", 7, "Zlastitem"],
    "zargkappa": {"zinnerkey": "Zinnertext"},
    "zarglambda": 7.25,
}


def spellings(value: Any) -> tuple[tuple[str, str], ...]:
    """Return (text, name of the encoding) for each way a value is commonly spelled; the usual one first."""
    found = {
        json.dumps(value, ensure_ascii=False): "json",
        json.dumps(value, ensure_ascii=False, separators=(",", ":")): "json",
        json.dumps(value, ensure_ascii=False, indent=4): "json",
        json.dumps(value, ensure_ascii=False, indent=2): "json",
    }
    found.setdefault(repr(value), "python")
    if isinstance(value, str):
        found.setdefault(value, "raw")
    return tuple(found.items())


_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});")


def entities_of(text: str, written: str) -> tuple[tuple[str, str], ...] | None:
    """Compare a text with what is written for it: the characters that stand as entities; None where it is another text."""
    found: dict[str, str] = {}
    at = 0
    for char in text:
        entity = _ENTITY.match(written, at)
        if entity is not None and html.unescape(entity[0]) == char:
            found[char] = entity[0]
            at = entity.end()
        elif written.startswith(char, at):
            at += 1
        else:
            return None
    return tuple(found.items()) if at == len(written) else None


def mapping_encoding(text: str) -> ValueEncoding | None:
    """Return the encoding of MAPPING as it begins at `text`; None where it is none that can be read."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        value = None
    if value == MAPPING:
        return JSON_ENCODING
    if _begins_with_python(text):
        return PYTHON_ENCODING
    return _own_encoding(text)


def _begins_with_python(text: str) -> bool:
    end = 0
    while (end := text.find("}", end)) >= 0:
        end += 1
        try:
            value = ast.literal_eval(text[:end])
        except (ValueError, SyntaxError):
            continue
        return bool(value == MAPPING)
    return False


_LIST = re.compile(r"\[\s*(?P<open>[^\[\]\w]{0,12}?)Zlistitem(?P<close>[^\[\]\w]{0,12}?)\s*,\s*7\s*,")
_BARE_KEY = re.compile(r"[{,]\s*zargbeta\s*:")
_CONSTANTS = re.compile(r"zargdelta\W{0,12}?:\s*(?P<true>\w+).*?zargeta\W{0,12}?:\s*(?P<null>\w+)", re.DOTALL)


def _own_encoding(text: str) -> ValueEncoding | None:
    quoted = _LIST.search(text)
    constants = _CONSTANTS.search(text)
    if quoted is None or constants is None or not quoted.group("open"):
        return None
    true, null = constants.group("true"), constants.group("null")
    quotes = (quoted.group("open"), quoted.group("close"))
    return ValueEncoding(
        quotes=(quotes,),
        escapes=_escapes(quotes),
        bare_keys=_BARE_KEY.search(text) is not None,
        true=true,
        false="False" if true == "True" else "false",
        null=null,
    )


def _escapes(quotes: tuple[str, str]) -> Escapes:
    return {'"': Escapes.JSON, "'": Escapes.PYTHON}.get(quotes[0], Escapes.NONE)


def quoted_encoding(opening: str, closing: str, names: dict[JsonType, str]) -> ValueEncoding:
    """Return the encoding of values whose strings stand in these quotes; `names` tells how other types are spelled."""
    python = "python" in names.values()
    return ValueEncoding(
        quotes=((opening, closing),),
        escapes=_escapes((opening, closing)),
        true="True" if python else "true",
        false="False" if python else "false",
        null="None" if python else "null",
    )
