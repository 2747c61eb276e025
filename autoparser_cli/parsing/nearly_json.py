"""An object that is nearly JSON, as Python or JavaScript write one -> the JSON that is meant."""

from __future__ import annotations

from autoparser_cli.peg.encoded_values import encoded_value
from autoparser_cli.peg.expressions import Syntax
from autoparser_cli.peg.source import Source

_LOOSE = Syntax(
    quotes=(("'", "'"), ('"', '"')),
    escapes="python",
    bare_keys=True,
    true="True",
    false="False",
    null="None",
)
_KIND = "json"


def nearly_json(text: str, at: int) -> tuple[str, int] | None:
    """Return the JSON of the object at a position, and where it ends; None where none is, or it is JSON already."""
    source = Source()
    source.feed(text[at:])
    source.close()
    try:
        next(encoded_value(source, _KIND, _LOOSE))
    except StopIteration as stop:
        meant = "".join(piece for kind, piece, _ in source.events if kind == _KIND)
        end = at + source.pos
        return (meant, end) if stop.value and _letters(meant) != _letters(text[at:end]) else None
    return None


def _letters(text: str) -> str:
    """Return a text without white space, which may stand anywhere in JSON."""
    return "".join(text.split())
