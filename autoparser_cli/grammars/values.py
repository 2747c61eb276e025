"""Shapes of values -> grammar nodes, in one encoding: JSON, Python literals, own quotes, bare keys.

Optional keys are chained rules: from each key one can go on to any later one, so that the size grows with
the number of keys and not with the number of their subsets.

`wide` is for LALR parsers, which must tell alternatives apart by the next terminal: alternatives that begin
alike (whole number or number, constant or string, two kinds of object) become one that holds them all, with
a note.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from autoparser_cli.analysis.model import JsonType, ValueEncoding
from autoparser_cli.grammars import spelling
from autoparser_cli.grammars.nodes import EMPTY, Node, Ref, Repeat, RuleBook, Text, Token, alt, optional, seq
from autoparser_cli.grammars.patterns import pattern_node
from autoparser_cli.grammars.shapes import (
    ANY,
    AnyShape,
    ArrayShape,
    ConstantShape,
    FieldShape,
    IntegerShape,
    NamedShape,
    NumberShape,
    ObjectShape,
    SchemaShapes,
    Shape,
    SimpleShape,
    StringShape,
    UnionShape,
    union,
)

ALL_TYPES = frozenset(JsonType)


def types_of(shape: Shape, shapes: SchemaShapes) -> frozenset[JsonType]:
    """Tell which JSON types the values of a shape have."""
    shape = shapes.resolve(shape)
    if isinstance(shape, UnionShape):
        return frozenset().union(*(types_of(option, shapes) for option in shape.options))
    if isinstance(shape, AnyShape):
        return ALL_TYPES
    if isinstance(shape, ConstantShape):
        return frozenset({_type_of_constant(shape)})
    if isinstance(shape, SimpleShape):
        return frozenset({shape.type})
    if isinstance(shape, StringShape):
        return frozenset({JsonType.STRING})
    if isinstance(shape, IntegerShape):
        return frozenset({JsonType.INTEGER})
    if isinstance(shape, NumberShape):
        return frozenset({JsonType.NUMBER, JsonType.INTEGER})
    return frozenset({JsonType.ARRAY if isinstance(shape, ArrayShape) else JsonType.OBJECT})


def restricted(shape: Shape, types: frozenset[JsonType], shapes: SchemaShapes) -> Shape | None:
    """Return the part of a shape whose values have one of the types; None where there is none."""
    resolved = shapes.resolve(shape)
    if isinstance(resolved, UnionShape):
        parts = [restricted(option, types, shapes) for option in resolved.options]
        known = [part for part in parts if part is not None]
        return union(known) if known else None
    if isinstance(resolved, AnyShape):
        return (
            ANY if types >= ALL_TYPES else union([PLAIN_SHAPES[kind] for kind in JsonType if kind in types])
        )
    if isinstance(resolved, NumberShape) and JsonType.NUMBER not in types:
        return IntegerShape(0 if resolved.positive else None) if JsonType.INTEGER in types else None
    return shape if types_of(resolved, shapes) & types else None


PLAIN_SHAPES: dict[JsonType, Shape] = {
    JsonType.STRING: StringShape(),
    JsonType.INTEGER: IntegerShape(),
    JsonType.NUMBER: NumberShape(),
    JsonType.BOOLEAN: SimpleShape(JsonType.BOOLEAN),
    JsonType.NULL: SimpleShape(JsonType.NULL),
    JsonType.ARRAY: ArrayShape(ANY),
    JsonType.OBJECT: ObjectShape((), ANY),
}


def _type_of_constant(shape: ConstantShape) -> JsonType:
    value = json.loads(shape.json)
    if value is None or isinstance(value, bool):
        return JsonType.NULL if value is None else JsonType.BOOLEAN
    kinds = {str: JsonType.STRING, int: JsonType.INTEGER, float: JsonType.NUMBER, list: JsonType.ARRAY}
    return kinds.get(type(value), JsonType.OBJECT)


class ValueWriter:
    """Writes the shapes of one schema in one encoding into a rule book."""

    def __init__(
        self,
        book: RuleBook,
        shapes: SchemaShapes,
        encoding: ValueEncoding,
        *,
        wide: bool = False,
        any_order: bool = False,
    ) -> None:
        self._book = book
        self._shapes = shapes
        self._encoding = encoding
        self._wide = wide
        self._any_order = any_order
        for note in shapes.notes:
            book.note(note)

    def value(self, shape: Shape, hint: str = "value") -> Node:
        """Return the node of all values of a shape; `hint` names the rules that it needs."""
        if isinstance(shape, NamedShape):
            return self._definition(shape, hint)
        if isinstance(shape, AnyShape):
            return self.anything()
        if isinstance(shape, UnionShape):
            return self._union(shape, hint)
        if isinstance(shape, ArrayShape):
            return self._book.add(hint, self._array(shape, hint))
        if isinstance(shape, ObjectShape):
            return self.mapping(shape, hint)
        return self._scalar(shape)

    def _scalar(self, shape: Shape) -> Node:
        if isinstance(shape, ConstantShape):
            return self.constant(json.loads(shape.json))
        if isinstance(shape, StringShape):
            return self._string(shape)
        if isinstance(shape, IntegerShape):
            return spelling.integer_token(shape.low, shape.high)
        if isinstance(shape, NumberShape):
            return spelling.POSITIVE if shape.positive else spelling.NUMBER
        if shape == SimpleShape(JsonType.BOOLEAN):
            return alt(Text(self._encoding.true), Text(self._encoding.false))
        return Text(self._encoding.null)

    def constant(self, value: object) -> Node:
        """Return the spelling of one value: strings in each kind of quotes that can hold them."""
        if isinstance(value, str):
            texts = (
                spelling.text_in_quotes(value, self._encoding, quotes) for quotes in self._encoding.quotes
            )
            return (
                alt(*(Text(text) for text in texts if text is not None))
                if self._encoding.quotes
                else Text(value)
            )
        if value is None or isinstance(value, bool):
            words = {None: self._encoding.null, True: self._encoding.true, False: self._encoding.false}
            return Text(words[value])
        if isinstance(value, list):
            return self._items([self.constant(item) for item in value])
        if isinstance(value, dict):
            pairs = [seq(self.key(key), spelling.COLON, self.constant(item)) for key, item in value.items()]
            return self._braced(_joined(pairs))
        return Text(json.dumps(value))

    def _items(self, items: list[Node]) -> Node:
        return seq(spelling.OPEN_BRACKET, _joined(items), spelling.CLOSE_BRACKET)

    def _string(self, shape: StringShape) -> Node:
        if shape.pattern is None:
            options = [
                spelling.quoted(quotes, self._encoding, shape.low, shape.high)
                for quotes in self._encoding.quotes
            ]
            return alt(*options)
        plain = pattern_node(shape.pattern)
        options = []
        for opening, closing in self._encoding.quotes:
            inside = spelling.in_quotes(plain, closing, self._encoding.escapes)
            options.append(Token("pattern", seq(Text(opening), inside, Text(closing))))
        return alt(*options)

    def _definition(self, shape: NamedShape, hint: str) -> Node:
        name = shape.pointer.rsplit("/", 1)[-1] or hint
        key = ("definition", id(self._shapes), self._encoding, shape.pointer)
        return self._book.shared(key, name, lambda _: self.value(self._shapes.resolve(shape), name))

    def anything(self) -> Node:
        """Return any value in this encoding."""
        return self._book.shared(("any", self._encoding), "any value", self._any_body)

    def _any_body(self, anything: Ref) -> Node:
        pair = seq(self.any_key(), spelling.COLON, anything)
        pairs = _counted(self._book, "any pairs", seq(spelling.COMMA, pair), 0, None)
        items = _counted(self._book, "any items", seq(spelling.COMMA, anything), 0, None)
        members = self._braced(optional(seq(pair, pairs)))
        listed = seq(spelling.OPEN_BRACKET, optional(seq(anything, items)), spelling.CLOSE_BRACKET)
        words = [Text(self._encoding.true), Text(self._encoding.false), Text(self._encoding.null)]
        return alt(members, listed, spelling.any_string(self._encoding), spelling.NUMBER, *words)

    def any_key(self) -> Node:
        """Return any key of a mapping."""
        return spelling.BARE_KEY if self._encoding.bare_keys else spelling.any_string(self._encoding)

    def key(self, name: str) -> Node:
        """Return one key of a mapping, as this encoding writes it."""
        return Text(name) if self._encoding.bare_keys else self.constant(name)

    def _braced(self, members: Node) -> Node:
        return seq(spelling.OPEN_BRACE, members, spelling.CLOSE_BRACE)

    # ------------------------------------------------------------------------------------------- alternatives

    def _union(self, shape: UnionShape, hint: str) -> Node:
        if not self._wide:
            options = [self.value(option, f"{hint} {n + 1}") for n, option in enumerate(shape.options)]
            return self._book.add(hint, alt(*options))
        groups: dict[str, list[Shape]] = {}
        for option in self._flat(shape.options):
            for kind, part in self._by_terminal(option):
                groups.setdefault(kind, []).append(part)
        return alt(*(self._widened(kind, parts, hint) for kind, parts in groups.items()))

    def _flat(self, options: Iterable[Shape]) -> Iterable[Shape]:
        for option in options:
            resolved = self._shapes.resolve(option)
            if isinstance(resolved, UnionShape):
                yield from self._flat(resolved.options)
            else:
                yield option

    def _by_terminal(self, shape: Shape) -> list[tuple[str, Shape]]:
        """Sort a shape by the terminal that its values begin with."""
        kinds = types_of(shape, self._shapes)
        if len(kinds) > 2:
            return [
                (TERMINALS[kind], PLAIN_SHAPES[kind]) for kind in JsonType if kind is not JsonType.INTEGER
            ]
        return [(TERMINALS[next(iter(kinds - {JsonType.INTEGER} or kinds))], shape)]

    def _widened(self, kind: str, parts: list[Shape], hint: str) -> Node:
        constants = [part for part in parts if isinstance(part, ConstantShape)]
        if len(set(parts)) == 1 and not (constants and kind in ("object", "array")):
            return self.value(parts[0], hint)
        if len(constants) == len(parts) and kind not in ("object", "array"):
            return alt(*(self.value(part) for part in parts))
        self._book.note(
            f"{hint}: alternatives that begin alike are widened to any {kind}; the schema check is exact"
        )
        plain = PLAIN_SHAPES[JsonType(kind)]
        return self.value(plain, f"any {kind}")

    # ---------------------------------------------------------------------------------------- lists and
    # mappings

    def _array(self, shape: ArrayShape, hint: str) -> Node:
        first = [self.value(item, f"{hint} {n + 1}") for n, item in enumerate(shape.prefix)]
        item = None if shape.items is None else self.value(shape.items, f"{hint} item")
        most = shape.high if item is not None else min(len(first), shape.high or len(first))
        tail = self._more_items(hint, item, shape.low, most, len(first))
        for place in range(len(first) - 1, -1, -1):
            if most is not None and place >= most:
                continue
            one = seq(spelling.COMMA if place else EMPTY, first[place], tail)
            tail = one if place < shape.low else optional(one)
            if place:
                tail = self._book.add(f"{hint} rest", tail)
        return seq(spelling.OPEN_BRACKET, tail, spelling.CLOSE_BRACKET)

    def _more_items(self, hint: str, item: Node | None, low: int, high: int | None, begun: int) -> Node:
        """Return the items behind `begun` ones; the first of a list has no comma before it."""
        if item is None or (high is not None and high <= begun):
            return EMPTY
        low, most = max(0, low - begun), None if high is None else high - begun
        step = seq(spelling.COMMA, item)
        if begun:
            return _counted(self._book, f"{hint} more", step, low, most)
        rest = _counted(self._book, f"{hint} more", step, max(0, low - 1), None if most is None else most - 1)
        return seq(item, rest) if low else optional(seq(item, rest))

    def mapping(self, shape: ObjectShape, hint: str) -> Node:
        """Return the rule of a mapping: declared keys in order, or in any order, then others where they are allowed."""
        members = self._unordered(shape, hint) if self._any_order else self._ordered(shape, hint)
        return self._book.add(hint, self._braced(members))

    def _pair(self, field: FieldShape, hint: str) -> Node:
        key = seq(self.key(field.key), spelling.COLON)
        return seq(Token("key", key) if self._wide else key, self.value(field.shape, f"{hint} {field.key}"))

    def _other_pair(self, shape: ObjectShape, hint: str) -> Node | None:
        if shape.additional is None:
            return None
        value = self.value(shape.additional, f"{hint} other")
        return seq(self._undeclared_key([field.key for field in shape.fields]), spelling.COLON, value)

    def _undeclared_key(self, names: list[str]) -> Node:
        if not names or self._encoding != ValueEncoding():
            return self.any_key()
        if self._wide:
            return self.any_key()  # a declared key's own terminal has priority in the lexer
        inside = spelling.other_text([json.dumps(name, ensure_ascii=False)[1:-1] for name in names])
        return Token("other_key", seq(Text('"'), inside, Text('"')))

    def _ordered(self, shape: ObjectShape, hint: str) -> Node:
        fields = shape.fields
        if self._encoding.sorted_keys:
            fields = tuple(sorted(fields, key=lambda field: field.key))
        pairs = [self._pair(field, hint) for field in fields]
        other = self._other_pair(shape, hint)
        more: Node = (
            EMPTY
            if other is None
            else _counted(self._book, f"{hint} others", seq(spelling.COMMA, other), 0, None)
        )
        return ordered(
            self._book,
            hint,
            [(pair, field.required) for pair, field in zip(pairs, fields, strict=True)],
            separator=spelling.COMMA,
            first_other=EMPTY if other is None else seq(other, more),
            more=more,
        )

    def _unordered(self, shape: ObjectShape, hint: str) -> Node:
        pairs = [self._pair(field, hint) for field in shape.fields]
        other = self._other_pair(shape, hint)
        options = pairs if other is None else [*pairs, other]
        if not options:
            return EMPTY
        self._book.note(
            "keys may stand in any order: required and repeated ones are left to the schema check"
        )
        pair = self._book.add(f"{hint} pair", alt(*options))
        some = seq(pair, _counted(self._book, f"{hint} pairs", seq(spelling.COMMA, pair), 0, None))
        return some if any(field.required for field in shape.fields) else optional(some)


TERMINALS = {
    JsonType.STRING: "string",
    JsonType.INTEGER: "number",
    JsonType.NUMBER: "number",
    JsonType.BOOLEAN: "boolean",
    JsonType.NULL: "null",
    JsonType.ARRAY: "array",
    JsonType.OBJECT: "object",
}


def ordered(
    book: RuleBook,
    hint: str,
    items: list[tuple[Node, bool]],
    *,
    separator: Node,
    first_other: Node = EMPTY,
    more: Node = EMPTY,
) -> Node:
    """Chain items that stand in this order, the optional ones (False) skippable.

    `tail` is what can follow an item, `head` what can come first; both are built from the last item to the
    first, so there are two rules an item. `more` follows the last item, `first_other` stands where there is
    none at all.
    """
    tail: Node = more
    head: Node = optional(first_other)
    for place in range(len(items) - 1, -1, -1):
        item, required = items[place]
        begun = seq(item, tail)
        head = begun if required else alt(begun, head)
        step = seq(separator, begun)
        tail = step if required else alt(step, tail) if tail != EMPTY else optional(step)
        if place:
            tail = book.add(f"{hint} after {place}", tail)
            head = head if required else book.add(f"{hint} from {place}", head)
    return head


def _counted(book: RuleBook, hint: str, step: Node, low: int, high: int | None) -> Node:
    if high == 0:
        return EMPTY
    return book.add(hint, Repeat(step, low, high))


def _joined(items: list[Node]) -> Node:
    parts: list[Node] = []
    for item in items:
        parts.extend([spelling.COMMA, item] if parts else [item])
    return seq(*parts)
