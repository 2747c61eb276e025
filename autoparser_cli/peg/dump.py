"""A grammar as text for people, in the notation of parsing expression grammars.

A state is a rule; what stands in several places and is long gets a rule of its own. The tools, with the types of their
parameters, stand once at the end.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import singledispatchmethod
from typing import Any

from autoparser_cli.peg import expressions as ex
from autoparser_cli.peg.schema import declared_types, property_types, resolve

_LEGEND = """\
"text"  exactly this text        _  white space         A / B  the first that matches
A?  A or nothing                 &A  A comes next       !A  A does not come next
name( ... )  a part of the message                      {name}  a short text: a name, an id
-> rule  go on there             [name]  a repair that is named
"""
#: Parts longer than this that stand more than once get a rule of their own.
_LONG = 60
_LONG_CALL = 30
_ROUNDS = 5
_LED = re.compile(r"(?:-> )?([a-z_]+(?:-\d+)?)")


def dump_grammar(grammar: ex.Grammar) -> str:
    """Return the grammar as rules, each of its alternatives on a line of its own."""
    parts: dict[str, str] = {}
    for _ in range(_ROUNDS):  # the innermost parts first, then those that hold them
        counting = _Writer(parts)
        for state in grammar.states.values():
            counting.lines(state)
        found = counting.repeated()
        if not found:
            break
        for text in found:
            parts[text] = f"{'call' if 'call(' in text else 'part'}-{len(parts) + 1}"
    writer = _Writer(parts)
    written = {name: _rule(name, writer.lines(state)) for name, state in grammar.states.items()}
    rules = [written[name] for name in _reached(grammar.start, written, parts)]
    rules += [f"{name} <- {text}" for text, name in reversed(parts.items())]
    tools = [f"  {_signature(name, schema)}" for name, schema in writer.cases.items()]
    return "\n".join([*_LEGEND.splitlines(), "", *rules, *(["tools:", *tools] if tools else [])]) + "\n"


def _reached(start: str, rules: Mapping[str, str], parts: Mapping[str, str]) -> list[str]:
    """Return the rules that the first one leads to, in their order."""
    texts = {**rules, **{name: text for text, name in parts.items()}}
    reached, waiting = {start}, [start]
    while waiting:
        for name in _LED.findall(texts[waiting.pop()]):
            if name in texts and name not in reached:
                reached.add(name)
                waiting.append(name)
    return [name for name in rules if name in reached]


def _rule(name: str, lines: tuple[str, list[str]]) -> str:
    head, alternatives = lines
    options = list(dict.fromkeys(text or "nothing" for text in alternatives))
    if not head and len(options) == 1:
        return f"{name} <- {options[0]}"
    return "\n".join([f"{name} <- {head}".rstrip(), *(f"  / {text}" for text in options)])


class _Writer:
    """Writes expressions on one line each; `named` are the parts that have a rule."""

    def __init__(self, named: Mapping[str, str]) -> None:
        self.named = named
        self.cases: dict[str, Any] = {}
        self._seen: Counter[str] = Counter()

    def repeated(self) -> list[str]:
        """Return the long parts that were written more than once, the innermost only."""
        seen = [text for text, count in self._seen.items() if count > 1 and text not in self.named]
        found = [text for text in seen if len(text) > (_LONG_CALL if "call(" in text else _LONG)]
        return [text for text in found if not any(text != other and other in text for other in found)]

    def lines(self, state: ex.Expression) -> tuple[str, list[str]]:
        """Return what a state begins with, and its alternatives."""
        if isinstance(state, ex.Choice):
            return "", [self.write(item) for item in state.items]
        if isinstance(state, ex.Text):
            until = [self.write(exit_.item) for exit_ in state.exits]
            return f"{state.kind}( any text ) up to", [*until, f"the end -> {state.at_end}"]
        return "", [self.write(state)]

    def write(self, node: ex.Expression) -> str:
        """Return an expression on one line, or the name of its rule."""
        text = self.node(node)
        self._seen[text] += 1
        return self.named.get(text, text)

    def items(self, items: tuple[ex.Expression, ...]) -> str:
        """Return expressions in order; white space beside white space is one."""
        words: list[str] = []
        for item in items:
            word = self.write(item)
            if word and not (word == "_" and words and words[-1] == "_"):
                words.append(word)
        return " ".join(words).replace("( )", "()")

    @singledispatchmethod
    def node(self, node: Any) -> str:
        """Return an expression in the notation."""
        raise TypeError(f"no notation for {type(node).__name__}")

    @node.register
    def _literal(self, node: ex.Literal) -> str:
        return json.dumps(node.text, ensure_ascii=False)

    @node.register
    def _space(self, node: ex.Space) -> str:
        return "_"

    @node.register
    def _margin(self, node: ex.Margin) -> str:
        return f"{json.dumps(node.printed)}?" if node.printed else ""

    @node.register
    def _run(self, node: ex.Run) -> str:
        return f"{{{node.kind}}}"

    @node.register
    def _tag(self, node: ex.Tag) -> str:
        return "{id with the name}" if node.inside_id else "{name}"

    @node.register
    def _sequence(self, node: ex.Sequence) -> str:
        return self.items(node.items)

    @node.register
    def _choice(self, node: ex.Choice) -> str:
        return f"( {' / '.join(self.write(item) or 'nothing' for item in node.items)} )"

    @node.register
    def _optional(self, node: ex.Optional) -> str:
        missing = f" / [{node.missing}]" if node.missing else ""
        return f"( {self.write(node.item)}{missing} )" if missing else f"( {self.write(node.item)} )?"

    @node.register
    def _peek(self, node: ex.Peek) -> str:
        return f"&( {self.write(node.item)} )"

    @node.register
    def _not(self, node: ex.Not) -> str:
        return f"!( {self.write(node.item)} )"

    @node.register
    def _cut(self, node: ex.Cut) -> str:
        return ""

    @node.register
    def _mark(self, node: ex.Mark) -> str:
        if node.kind in ("call", "called"):
            return "call(" if node.kind == "call" else ")"
        return f"[{node.value}]" if node.kind == "repair" else f"{node.kind}( {node.value} )"

    @node.register
    def _text(self, node: ex.Text) -> str:
        return f"{node.kind}( any text ) up to ( {' / '.join(self.write(e.item) for e in node.exits)} )"

    @node.register
    def _unclosed(self, node: ex.Unclosed) -> str:
        closing = " / ".join(json.dumps(text, ensure_ascii=False) for text in node.closing)
        return f"!( anywhere behind: {closing} ) {self.write(node.item)}"

    @node.register
    def _ahead(self, node: ex.Ahead) -> str:
        return f"&( anywhere behind: {' / '.join(json.dumps(text) for text in node.markers)} )"

    @node.register
    def _rest(self, node: ex.Rest) -> str:
        markers = "".join(f"{json.dumps(text, ensure_ascii=False)}? _ " for text in node.markers)
        return f"_ {markers}end of output"

    @node.register
    def _goto(self, node: ex.Goto) -> str:
        return f"-> {node.state}"

    @node.register
    def _same(self, node: ex.Same) -> str:
        return "{the same name}" if node.slot == ex.Slot.TAG else "{the same parameter}"

    @node.register
    def _span(self, node: ex.Span) -> str:
        return f"{node.kind}( {self.write(node.item)} )"

    @node.register
    def _switch(self, node: ex.Switch) -> str:
        self.cases |= dict(node.cases)
        return self.items(node.body)

    @node.register
    def _payload(self, node: ex.Payload) -> str:
        return f"arguments( {_value(node.syntax, node.as_string)} )"

    @node.register
    def _record(self, node: ex.Record) -> str:
        self.cases |= dict(node.cases)
        arguments = _value(node.syntax, node.as_string)
        if node.tag_is_key:
            return f"{{ {{name}}: arguments( {arguments} ) }}"
        paths = {node.tag_path: "{name}", node.value_path: f"arguments( {arguments} )"}
        if node.id_path is not None:
            paths[node.id_path] = "{id}"
        order = {key: place for place, key in enumerate(node.key_order)}
        fields = sorted(paths.items(), key=lambda item: order.get(item[0][0], len(order)))
        shown = ", ".join(f'"{".".join(path)}": {what}' for path, what in fields)
        return f"{{ {shown} }}"

    @node.register
    def _fields(self, node: ex.Fields) -> str:
        forms = [self._form(form) for form in node.forms]
        written = " / ".join(dict.fromkeys(forms))
        between = f" {json.dumps(node.separator)}" if node.separator.strip() else ""
        if not any(form.before for form in node.forms):
            written = f"{{parameter}} ( {written} )"
        return f"arguments( ( {self.items(node.open)} {written}{between} )* )"

    def _form(self, form: ex.Form) -> str:
        value = "raw text" if form.syntax is None else _value(form.syntax, False)
        nested = " or the same again" if form.nested else ""
        before = f"{self.items(form.before)} {{parameter}}" if form.before else ""
        parts = (before, self.items(form.mid), value + nested, self.items(form.close))
        return " ".join(text for text in parts if text)

    @node.register
    def _json(self, node: ex.Json) -> str:
        return f"{node.kind}( JSON )"


def _value(syntax: ex.Syntax, as_string: bool) -> str:
    name = "JSON" if syntax.is_json else f"values with {' '.join(quote[0] for quote in syntax.quotes)}"
    return f"a string of {name}" if as_string else name


def _signature(name: str, schema: Any) -> str:
    """Write a tool as a function: its parameters with their types, `?` behind those that may be left out."""
    root = resolve(schema, schema)
    properties = root.get("properties") if isinstance(root, Mapping) else None
    required = root.get("required") if isinstance(root, Mapping) else None
    if not isinstance(properties, Mapping):
        return f"{name}({'...' if declared_types(schema, schema) is None else ''})"
    parameters = []
    for key in properties:
        types = property_types(schema, key)
        optional = "" if isinstance(required, list | tuple) and key in required else "?"
        parameters.append(f"{key}{optional}: {'|'.join(sorted(types)) if types else 'any'}")
    return f"{name}({', '.join(parameters)})"
