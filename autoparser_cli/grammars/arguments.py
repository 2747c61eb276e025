"""The arguments of one call -> grammar nodes:

one object, fields between markers, or a record that holds the name too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autoparser_cli.analysis.model import JSON_ENCODING, Escapes, JsonType, ValueEncoding
from autoparser_cli.grammars import spelling
from autoparser_cli.grammars.nodes import (
    EMPTY,
    NEVER,
    Alt,
    Node,
    Ref,
    Repeat,
    RuleBook,
    Seq,
    Tag,
    Text,
    Token,
    UpTo,
    alt,
    none_of,
    optional,
    seq,
)
from autoparser_cli.grammars.patterns import pattern_node
from autoparser_cli.grammars.shapes import (
    ANY,
    ArrayShape,
    ConstantShape,
    FieldShape,
    NamedShape,
    ObjectShape,
    SchemaShapes,
    Shape,
    StringShape,
    UnionShape,
)
from autoparser_cli.grammars.values import ValueWriter, ordered, restricted
from autoparser_cli.peg import expressions as peg

_ESCAPES = {"none": Escapes.NONE, "json": Escapes.JSON, "python": Escapes.PYTHON}
Tree = dict[str, Any]


def encoding_of(syntax: peg.Syntax) -> ValueEncoding:
    """Return the encoding that the parser's syntax stands for."""
    return ValueEncoding(
        quotes=syntax.quotes,
        escapes=_ESCAPES[syntax.escapes],
        bare_keys=syntax.bare_keys,
        true=syntax.true,
        false=syntax.false,
        null=syntax.null,
    )


@dataclass(frozen=True, slots=True)
class CallWriter:
    """Writes the arguments of the tool `name`, whose shape is `root`."""

    book: RuleBook
    name: str
    root: ObjectShape
    shapes: SchemaShapes
    wide: bool
    any_order: bool

    def payload(self, node: peg.Payload) -> Node:
        """Return all arguments as one object."""
        return Tag("arguments", self._object(encoding_of(node.syntax), node.as_string))

    def _object(self, encoding: ValueEncoding, as_string: bool) -> Node:
        if not as_string:
            return self._writer(encoding).mapping(self.root, f"{self.name} args")
        quoted = self.book.shared(
            ("quoted", id(self.shapes)), f"{self.name} args", lambda _: self._quoted_object()
        )
        return seq(Text('"'), quoted, Text('"'))

    def _quoted_object(self) -> Node:
        inner = RuleBook()
        writer = ValueWriter(inner, self.shapes, JSON_ENCODING, wide=self.wide, any_order=self.any_order)
        body = writer.mapping(self.root, f"{self.name} args")
        return self._quoted_rules(inner, body)

    def _writer(self, encoding: ValueEncoding) -> ValueWriter:
        return ValueWriter(self.book, self.shapes, encoding, wide=self.wide, any_order=self.any_order)

    def _quoted_rules(self, inner: RuleBook, body: Node) -> Node:
        """Take rules over with everything in them escaped once more, as JSON text inside a JSON string is."""
        grammar = inner.grammar(body)
        refs = [self.book.reserve(rule.hint) for rule in grammar.rules]
        for ref, rule in zip(refs, grammar.rules, strict=True):
            self.book.define(ref, _quoted(rule.body, refs))
        for note in grammar.notes:
            self.book.note(note)
        return _quoted(grammar.root, refs)

    # ---------------------------------------------------------------------------------------------------
    # records

    def record(self, node: peg.Record) -> Node:
        """Return a whole JSON object that holds name and arguments, its keys as the template prints them."""
        encoding = encoding_of(node.syntax)
        arguments = Tag("arguments", self._object(encoding, node.as_string))
        writer = self._writer(encoding)
        if node.tag_is_key:
            key = Tag("name", writer.key(self.name))
            return seq(spelling.OPEN_BRACE, key, spelling.COLON, arguments, spelling.CLOSE_BRACE)
        leaves: list[tuple[tuple[str, ...], Node]] = [
            (node.tag_path, Tag("name", writer.constant(self.name))),
            (node.value_path, arguments),
        ]
        if node.id_path:
            leaves.append((node.id_path, Tag("id", alt(spelling.any_string(encoding), spelling.NUMBER))))
        leaves += [(path, Text(text)) for path, text in node.constants]
        return _braced(writer, _nested(leaves), node.key_order)

    # ----------------------------------------------------------------------------------------------------
    # fields

    def fields(self, node: peg.Fields, *, some: bool = False) -> Node:
        """Return arguments one by one; `some`: at least one of them."""
        return Tag("arguments", self._fields_of(node, self.root, self.name, some, 0))

    def _fields_of(self, node: peg.Fields, shape: ObjectShape, hint: str, some: bool, depth: int) -> Node:
        fields = [(field, self._field(node, field, hint, depth)) for field in shape.fields]
        other: Node = EMPTY
        if shape.additional is not None:
            other = self._other_field(node, shape.additional, hint, depth)
        if self.any_order:
            return self._unordered(node, [*(item for _, item in fields), other], some)
        more = EMPTY if other == EMPTY else Repeat(seq(Text(node.separator), other))
        body = ordered(
            self.book,
            f"{hint} args",
            [(item, field.required) for field, item in fields],
            separator=Text(node.separator),
            first_other=EMPTY if other == EMPTY else seq(other, more),
            more=more,
        )
        return _not_empty(body) if some else body

    def _unordered(self, node: peg.Fields, items: list[Node], some: bool) -> Node:
        options = [item for item in items if item != EMPTY]
        if not options:
            return NEVER if some else EMPTY
        self.book.note("keys may stand in any order: required and repeated ones are left to the schema check")
        one = self.book.add(f"{self.name} arg", alt(*options))
        listed = seq(one, Repeat(seq(Text(node.separator), one)))
        return listed if some else optional(listed)

    def _field(self, node: peg.Fields, field: FieldShape, hint: str, depth: int) -> Node:
        opening = seq(Text(self._text(node.open)), Tag("key", Text(field.key)))
        value = self._by_form(node, field.shape, field.key, f"{hint} {field.key}", depth)
        return seq(opening, value)

    def _other_field(self, node: peg.Fields, shape: Shape, hint: str, depth: int) -> Node:
        if any(isinstance(item, peg.Same) for form in node.forms for item in (*form.mid, *form.close)):
            self.book.note(f"{hint}: undeclared parameters are left out, because their names stand twice")
            return EMPTY
        key = Token("other_key", Repeat(none_of(node.key or " \n"), 1, 256))
        value = self._by_form(node, shape, "", f"{hint} other", depth)
        return seq(Text(self._text(node.open)), Tag("key", key), value)

    def _by_form(self, node: peg.Fields, shape: Shape, key: str, hint: str, depth: int) -> Node:
        """Return what stands behind the key: for each form the part of the shape that is written so."""
        options: dict[tuple[str, str], list[Node]] = {}
        for form in node.forms:
            types = frozenset(JsonType(kind) for kind in form.types)
            part = restricted(shape, types, self.shapes)
            if part is None:
                continue
            mid = self._text(form.mid, key) + form.lead
            close = form.trail + self._text(form.close, key)
            value = self._value(node, form, part, close, hint, depth)
            options.setdefault((mid, close), []).append(value)
        nodes: list[Node] = []
        for (mid, _), values in options.items():
            free = next((value for value in values if _is_free_text(value)), None)
            nodes.append(seq(Text(mid), free if free is not None else alt(*values)))
        if not nodes:
            form = node.forms[0]
            self.book.note(f"{hint}: the template shows no way to write such a value; any text is taken")
            nodes = [
                seq(
                    Text(self._text(form.mid, key) + form.lead),
                    self._raw_text(node, form.trail + self._text(form.close, key)),
                )
            ]
        return alt(*nodes)

    def _text(self, items: tuple[peg.Expression, ...], key: str = "") -> str:
        """Return marker text with name and key put in."""
        text = ""
        for item in items:
            if isinstance(item, peg.Literal):
                text += item.text
            elif isinstance(item, peg.Space | peg.Margin):
                text += item.printed
            elif isinstance(item, peg.Same):
                text += key if item.slot == peg.Slot.KEY else self.name
        return text

    # ----------------------------------------------------------------------------------------------------
    # values

    def _value(
        self, node: peg.Fields, form: peg.Form, shape: Shape, close: str, hint: str, depth: int
    ) -> Node:
        """Return a value with what closes it."""
        if form.syntax is not None:
            return seq(self._writer(encoding_of(form.syntax)).value(shape, hint), Text(close))
        options = shape.options if isinstance(shape, UnionShape) else (shape,)
        if any(self._is_plain_text(option) for option in options):
            return self._raw_text(node, close)
        constants = [option for option in options if _is_text_constant(option)]
        texts: list[Node] = [Text(_constant_text(option)) for option in constants]
        others = [option for option in options if option not in constants]
        patterns = [option for option in others if isinstance(self.shapes.resolve(option), StringShape)]
        if patterns and self.wide:
            self.book.note(f"{hint}: the pattern of raw text is left to the schema check")
            return self._raw_text(node, close)
        texts += [self._pattern(option) for option in patterns]
        rest = tuple(option for option in others if option not in patterns)
        if rest:
            texts.append(self._written(node, form, rest, hint, depth))
        return seq(alt(*texts), Text(close))

    def _written(
        self, node: peg.Fields, form: peg.Form, shapes: tuple[Shape, ...], hint: str, depth: int
    ) -> Node:
        """Return values that are no strings: as text in the form's syntax, or as fields within fields."""
        shape = shapes[0] if len(shapes) == 1 else UnionShape(shapes)
        if not form.nested:
            return self._writer(encoding_of(form.raw)).value(shape, hint)
        nested: list[Node] = []
        plain: list[Shape] = []
        for option in shapes:
            resolved = self.shapes.resolve(option)
            if isinstance(resolved, ObjectShape | ArrayShape):
                nested.append(self._nested_value(node, form, option, resolved, hint, depth))
            else:
                plain.append(option)
        if plain:
            rest = plain[0] if len(plain) == 1 else UnionShape(tuple(plain))
            nested.append(self._writer(encoding_of(form.raw)).value(rest, hint))
        return alt(*nested)

    def _nested_value(
        self,
        node: peg.Fields,
        form: peg.Form,
        shape: Shape,
        resolved: ObjectShape | ArrayShape,
        hint: str,
        depth: int,
    ) -> Node:
        """Return an object or a list as fields within fields; a `$ref` becomes a rule of its own, which may
        name itself.
        """
        if isinstance(shape, NamedShape):
            key = ("nested", self.name, shape.pointer)
            name = shape.pointer.rsplit("/", 1)[-1]
            return self.book.shared(
                key, name, lambda _: self._nested_value(node, form, resolved, resolved, name, depth + 1)
            )
        if isinstance(resolved, ObjectShape):
            return self._fields_of(node, resolved, hint, False, depth + 1)
        item = self._field(node, FieldShape(form.item_name, resolved.items or ANY, True), hint, depth + 1)
        return Repeat(item, resolved.low, resolved.high)

    def _is_plain_text(self, shape: Shape) -> bool:
        resolved = self.shapes.resolve(shape)
        if isinstance(resolved, StringShape) and resolved.pattern is None:
            if resolved.low or resolved.high is not None:
                self.book.note("the length of raw text is left to the schema check")
            return True
        return shape == ANY

    def _raw_text(self, node: peg.Fields, close: str) -> Node:
        if close:
            return UpTo(((close, EMPTY),), tag="value")
        ends = "".join(text[0] for text in (node.separator, self._text(node.open), node.end) if text)
        return Tag("value", Token("raw_text", Repeat(none_of(ends or "\n"))))

    def _pattern(self, shape: Shape) -> Node:
        resolved = self.shapes.resolve(shape)
        assert isinstance(resolved, StringShape) and resolved.pattern is not None
        return Token("pattern", pattern_node(resolved.pattern))


def _is_text_constant(shape: Shape) -> bool:
    return isinstance(shape, ConstantShape) and shape.json.startswith('"')


def _constant_text(shape: Shape) -> str:
    import json

    assert isinstance(shape, ConstantShape)
    return str(json.loads(shape.json))


def _is_free_text(node: Node) -> bool:
    return isinstance(node, UpTo)


def _not_empty(node: Node) -> Node:
    """Return a chain of fields without the way through it that takes none of them."""
    if node == EMPTY:
        return NEVER
    if isinstance(node, Repeat) and node.low == 0:
        return node.item if node.high == 1 else Repeat(node.item, 1, node.high)
    if isinstance(node, Alt):
        return alt(*(_not_empty(item) for item in node.items))
    return node


def _nested(leaves: list[tuple[tuple[str, ...], Node]]) -> Tree:
    tree: Tree = {}
    for path, leaf in leaves:
        branch = tree
        for key in path[:-1]:
            branch = branch.setdefault(key, {})
        branch[path[-1]] = leaf
    return tree


def _braced(writer: ValueWriter, tree: Tree, order: tuple[str, ...]) -> Node:
    """Write a tree of keys as an object: the keys in `order` first, the others as they come."""
    keys = [key for key in order if key in tree] + [key for key in tree if key not in order]
    parts: list[Node] = []
    for key in keys:
        value = tree[key]
        written = _braced(writer, value, ()) if isinstance(value, dict) else value
        parts += [spelling.COMMA] if parts else []
        parts += [writer.key(key), spelling.COLON, written]
    return seq(spelling.OPEN_BRACE, *parts, spelling.CLOSE_BRACE)


def _quoted(node: Node, refs: list[Ref]) -> Node:
    if isinstance(node, Ref):
        return refs[node.index]
    if isinstance(node, Seq):
        return seq(*(_quoted(item, refs) for item in node.items))
    if isinstance(node, Alt):
        return alt(*(_quoted(item, refs) for item in node.items))
    if isinstance(node, Repeat):
        return Repeat(_quoted(node.item, refs), node.low, node.high)
    return spelling.in_quotes(node, '"', Escapes.JSON)
