"""A parser's ways into a call -> xgrammar's structural tag: free text, and from a trigger on what a tag
says.

Where calls stand on their own and their arguments are JSON, each tool has its tag, with its JSON Schema as
content. Otherwise one tag holds the whole rest of the output as a grammar, which says the same as the GBNF.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from autoparser_cli.grammars.beginnings import behind
from autoparser_cli.grammars.gbnf import gbnf_text
from autoparser_cli.grammars.lowering import Lowering, LoweringOptions
from autoparser_cli.grammars.reading import Items, printed_items, without_leading_space
from autoparser_cli.peg import expressions as peg
from autoparser_cli.peg.names import AnyTool

Json = dict[str, Any]


def structural_tag(
    tree: peg.Grammar,
    openings: list[tuple[str, peg.Expression]],
    options: LoweringOptions,
    *,
    sectioned: bool,
) -> tuple[str, tuple[str, ...]]:
    """Return the structural tag as JSON text, and what it leaves to the schema check.

    `openings` are the ways into a call, each with its trigger; `sectioned`: several calls share one section.
    """
    tags: list[Json] = []
    notes: list[str] = []
    looped = not options.single
    for trigger, item in openings:
        items = without_leading_space(printed_items((item,)) or [])
        own = None if sectioned else _tags_of_tools(items)
        if own is None:
            own = [_grammar_tag(tree, items, trigger, options, notes)]
            looped = False  # the grammar goes on to the end of the output
        tags.extend(own)
    format_: Json = {
        "type": "triggered_tags",
        "triggers": list(dict.fromkeys(trigger for trigger, _ in openings)),
        "tags": tags,
        "at_least_one": options.must_call,
        "stop_after_first": not looped,
    }
    text = json.dumps({"type": "structural_tag", "format": format_}, ensure_ascii=False, indent=2)
    return text + "\n", tuple(notes)


def _grammar_tag(
    tree: peg.Grammar, items: Items, trigger: str, options: LoweringOptions, notes: list[str]
) -> Json:
    lowering = Lowering(tree, options)
    grammar = lowering.book.grammar(behind(lowering.book, lowering.row(items, None), trigger))
    notes.extend(note for note in grammar.notes if note not in notes)
    return {
        "type": "tag",
        "begin": trigger,
        "content": {"type": "grammar", "grammar": gbnf_text(grammar)},
        "end": "",
    }


def _tags_of_tools(items: Items) -> list[Json] | None:
    """Return a tag for each tool; None where a call is more than text, JSON arguments and text, or of any tool."""
    at = next((n for n, item in enumerate(items) if isinstance(item, peg.Switch | peg.Record)), None)
    if at is None:
        return None
    before, after = (
        _text(items[:at]),
        _text([item for item in items[at + 1 :] if not isinstance(item, peg.Goto)]),
    )
    call = items[at]
    assert isinstance(call, peg.Switch | peg.Record)
    if before is None or after is None or isinstance(call.cases, AnyTool):
        return None
    tags: list[Json] = []
    for name, schema in call.cases.items():
        around = _around_record(call, name) if isinstance(call, peg.Record) else _around_payload(call, name)
        if around is None:
            return None
        head, tail = around
        content = {"type": "json_schema", "json_schema": _plain(schema)}
        tags.append({"type": "tag", "begin": before + head, "content": content, "end": tail + after})
    return tags


def _around_record(record: peg.Record, name: str) -> tuple[str, str] | None:
    quoted = json.dumps(name, ensure_ascii=False)
    if record.as_string or record.id_path or record.constants or not record.syntax.is_json:
        return None
    if record.tag_is_key:
        return f"{{{quoted}: ", "}"
    if len(record.tag_path) != 1 or len(record.value_path) != 1:
        return None
    key, value = record.tag_path[0], record.value_path[0]
    if record.key_order not in ((), (key, value)):
        return None
    return f'{{"{key}": {quoted}, "{value}": ', "}"


def _around_payload(switch: peg.Switch, name: str) -> tuple[str, str] | None:
    items = printed_items(switch.body) or []
    at = next((n for n, item in enumerate(items) if isinstance(item, peg.Payload)), None)
    if at is None:
        return None
    payload = items[at]
    assert isinstance(payload, peg.Payload)
    head, tail = _text(items[:at], name), _text(items[at + 1 :], name)
    if payload.as_string or not payload.syntax.is_json or head is None or tail is None:
        return None
    return head, tail


def _text(items: Items, name: str = "") -> str | None:
    """Return what literals print; None where something else stands among them."""
    pieces = list(_pieces(items, name))
    return None if None in pieces else "".join(piece for piece in pieces if piece)


def _pieces(items: Items, name: str) -> Iterator[str | None]:
    for item in items:
        if isinstance(item, peg.Literal):
            yield item.text
        elif isinstance(item, peg.Space | peg.Margin):
            yield item.printed
        elif isinstance(item, peg.Tag) or (isinstance(item, peg.Same) and item.slot == peg.Slot.TAG):
            yield name
        else:
            yield None


def _plain(schema: Any) -> Any:
    return dict(schema) if isinstance(schema, Mapping) else True
