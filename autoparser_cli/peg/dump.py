"""A grammar as readable text, one state or node a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from autoparser_cli.peg.expressions import Exit, Form, Grammar, Literal, Sequence, Space

_SHOWN_CASES = 8


def dump_grammar(grammar: Grammar) -> str:
    """Return the grammar as indented lines."""
    lines: list[str] = []
    for name, state in grammar.states.items():
        lines.append(f"{name}{' (start)' if name == grammar.start else ''}:")
        lines += _lines(state, 1)
    return "\n".join(lines) + "\n"


def _lines(node: Any, depth: int) -> Iterator[str]:
    pad = "  " * depth
    if isinstance(node, Literal):
        yield f"{pad}{node.text!r}"
    elif isinstance(node, Space):
        yield f"{pad}white space {node.printed!r}"
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _lines(item, depth)
    elif is_dataclass(node):
        plain, nested = _parts(node)
        yield f"{pad}{type(node).__name__}{'(' + ', '.join(plain) + ')' if plain else ''}"
        for name, value in nested:
            yield from _nested(name, value, depth + 1)


def _parts(node: Any) -> tuple[list[str], list[tuple[str, Any]]]:
    """Return the fields of a node that fit on its line, and those that need their own."""
    plain: list[str] = []
    nested: list[tuple[str, Any]] = []
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, Mapping):
            names = list(value)
            more = f", ... {len(names) - _SHOWN_CASES} more" if len(names) > _SHOWN_CASES else ""
            plain.append(f"{field.name}: {', '.join(names[:_SHOWN_CASES])}{more}")
        elif (is_dataclass(value) and field.name not in ("syntax", "raw")) or (
            isinstance(value, tuple) and any(is_dataclass(item) for item in value)
        ):
            nested.append((field.name, value))
        elif value not in ("", (), None, False) and not is_dataclass(value):
            shown = sorted(value) if isinstance(value, frozenset) else value
            plain.append(f"{field.name}={shown!r}")
    return plain, nested


def _nested(name: str, value: Any, depth: int) -> Iterator[str]:
    items = value if isinstance(value, tuple) else (value,)
    if name in ("item", "items", "body"):
        for item in items:
            yield from _lines(item, depth)
        return
    yield f"{'  ' * depth}{name}:"
    for item in items:
        if isinstance(item, Exit | Form):
            yield from _lines(item, depth + 1)
        else:
            yield from _lines(item, depth + 1)
