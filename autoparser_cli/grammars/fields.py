"""Arguments that are written one by one, each between its own markers -> grammar nodes.

Declared ones stand in the schema's order, those that are not required can be left out, and where the schema
allows others, they come last. A value is raw text up to its closing marker, a constant, or written in the
form's own syntax; lists and objects may be fields within fields.
"""

from __future__ import annotations

import json

from autoparser_cli.analysis.model import JsonType
from autoparser_cli.frozen import frozen
from autoparser_cli.grammars import spelling
from autoparser_cli.grammars.nodes import (
    EMPTY,
    NEVER,
    Alt,
    Node,
    Ref,
    Repeat,
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
    Shape,
    StringShape,
    UnionShape,
)
from autoparser_cli.grammars.tool_writer import ToolWriter, encoding_of
from autoparser_cli.grammars.values import ordered, restricted
from autoparser_cli.peg import expressions as peg
from autoparser_cli.peg.parts import KEY_LIMIT

_NOT_COMPARED = (
    "an undeclared parameter's name in its closing marker is not compared with the first, "
    "and its lists and mappings may be taken for text"
)
#: Mappings and lists of which nothing is declared; those without anything in them are written as empty texts are.
_OPEN_SHAPES = (ObjectShape((), ANY), ArrayShape(ANY))


@frozen
class _Close:
    """What closes a value: its text, and what is no fixed text behind that."""

    text: str
    behind: Node = EMPTY

    @property
    def node(self) -> Node:
        """Return both."""
        return seq(Text(self.text), self.behind)


@frozen
class FieldsWriter(ToolWriter):
    """Writes the arguments of a tool which are fields as `node` says."""

    node: peg.Fields

    def fields(self, root: ObjectShape, *, some: bool = False) -> Node:
        """Return all arguments; `some`: at least one of them."""
        body = self._fields_of(root, self.hint, some)
        white = self._white_behind()
        if some or not white or any(field.required for field in root.fields):
            return body
        return alt(_not_empty(body), optional(Text(white)))

    def _white_behind(self) -> str:
        """Return the white space behind an argument; where there is none at all, it may stand there too."""
        printed = self._text(self.node.forms[0].close)
        return printed[len(printed.rstrip()) :]

    def _fields_of(self, shape: ObjectShape, hint: str, some: bool) -> Node:
        fields = [(field, self._field(field, hint)) for field in shape.fields]
        other: Node = EMPTY
        if shape.additional is not None:
            other = self._other_field(shape.additional, hint)
        if self.any_order:
            return self._unordered([*(item for _, item in fields), other], some)
        separator = self._separator(shape)
        more = EMPTY if other == EMPTY else Repeat(seq(separator, other))
        body = ordered(
            self.book,
            f"{hint} args",
            [(item, field.required) for field, item in fields],
            separator=separator,
            first_other=EMPTY if other == EMPTY else seq(other, more),
            more=more,
        )
        return _not_empty(body) if some else body

    def _unordered(self, items: list[Node], some: bool) -> Node:
        options = [item for item in items if item != EMPTY]
        if not options:
            return NEVER if some else EMPTY
        self.book.note("keys may stand in any order: required and repeated ones are left to the schema check")
        one = self.book.add(f"{self.hint} arg", alt(*options))
        listed = seq(one, Repeat(seq(Text(self.node.separator), one)))
        return listed if some else optional(listed)

    def _field(self, field: FieldShape, hint: str) -> Node:
        name = Text(_with_entities(field.key, self.node.key_entities))
        written = self._named(name, field.shape, field.key, f"{hint} {field.key}")
        return Tag("field", seq(Text(self._text(self.node.open)), written))

    def _named(self, name: Node, shape: Shape, key: str | None, hint: str) -> Node:
        """Return a key and its value; `name` writes the key, which is `key` where it is known, else None."""
        if not any(form.before for form in self.node.forms):
            return seq(Tag("key", name), self._by_form(self.node.forms, shape, key, hint))
        groups: dict[str, list[peg.Form]] = {}
        for form in self.node.forms:
            groups.setdefault(self._text(form.before), []).append(form)
        fitting = {before: forms for before, forms in groups.items() if self._fit(forms, shape)}
        return alt(
            *(
                seq(Text(before), Tag("key", name), self._by_form(tuple(forms), shape, key, hint))
                for before, forms in (fitting or groups).items()
            )
        )

    def _fit(self, forms: list[peg.Form], shape: Shape) -> bool:
        """Tell whether some values of a shape are written in one of the forms."""
        types = frozenset(JsonType(kind) for form in forms for kind in form.types)
        return restricted(shape, types, self.shapes) is not None

    def _other_field(self, shape: Shape, hint: str) -> Node:
        """Return a field of any name; one that stands in its closing marker too is not compared with the first."""
        if any(isinstance(item, peg.Same) for form in self.node.forms for item in form.mid):
            self.book.note(f"{hint}: undeclared parameters are left out, because their names stand twice")
            return EMPTY
        written = self._named(self._any_key(), shape, None, f"{hint} other")
        return Tag("field", seq(Text(self._text(self.node.open)), written))

    def _any_key(self) -> Node:
        """Return any key: up to what stands behind one; where nothing stands before it either, it is one word."""
        stops = self.node.key or " \n"
        if not self.node.open:
            stops += f" {self.node.separator.strip()[:1]}{self.node.end[:1]}"
        return Token("other_key", Repeat(none_of(stops), 1, KEY_LIMIT))

    def _separator(self, shape: ObjectShape) -> Node:
        """Return what stands between two fields: for LALR the comma of lists, behind a value that may be one."""
        if self.wide and shape.additional is not None and self.node.separator.strip() == ",":
            return spelling.COMMA
        return Text(self.node.separator)

    def _by_form(self, forms: tuple[peg.Form, ...], shape: Shape, key: str | None, hint: str) -> Node:
        """Return what stands behind the key, None for any: for each form the part of the shape that is written so."""
        options: dict[tuple[str, _Close], list[Node]] = {}
        written: dict[tuple[str, _Close], frozenset[JsonType]] = {}
        for form in forms:
            types = frozenset(JsonType(kind) for kind in form.types)
            mid = self._text(form.mid, key or "") + form.lead
            close = self._close(form, key)
            if self.wide:  # one way is enough, and LALR could not tell two apart
                types -= written.get((mid, close), frozenset())
            part = restricted(shape, types, self.shapes) if types else None
            if part is None:
                continue
            written[mid, close] = written.get((mid, close), frozenset()) | types
            value = self._value(form, part, close, hint)
            options.setdefault((mid, close), []).append(value)
        nodes = [seq(Text(mid), self._one_of(values, key)) for (mid, _), values in options.items()]
        if not nodes:
            form = forms[0]
            self.book.note(f"{hint}: the template shows no way to write such a value; any text is taken")
            mid = self._text(form.mid, key or "") + form.lead
            nodes = [seq(Text(mid), self._raw_text(self._close(form, key)))]
        return alt(*nodes)

    def _one_of(self, values: list[Node], key: str | None) -> Node:
        """Return the ways to write a value with the same markers around it; free text holds what is no mapping or list."""
        free = next((value for value in values if _is_free_text(value)), None)
        if free is None:
            return alt(*values)
        return free if key is not None else alt(free, *(value for value in values if _is_nested(value)))

    def _close(self, form: peg.Form, key: str | None) -> _Close:
        """Return what closes a value; where it repeats a key that may be any, that is any once more."""
        same = peg.Same(peg.Slot.KEY)
        if key is not None or same not in form.close:
            return _Close(form.trail + self._text(form.close, key or ""))
        at = form.close.index(same)
        self.book.note(_NOT_COMPARED)
        behind = seq(self._any_key(), Text(self._text(form.close[at + 1 :])))
        return _Close(form.trail + self._text(form.close[:at]), behind)

    def _text(self, items: tuple[peg.Expression, ...], key: str = "") -> str:
        """Return marker text with name and key put in."""
        text = ""
        for item in items:
            if isinstance(item, peg.Literal):
                text += item.text
            elif isinstance(item, peg.Space | peg.Margin):
                text += item.printed
            elif isinstance(item, peg.Same):
                text += key if item.slot == peg.Slot.KEY else self.name or ""
        return text

    # ----------------------------------------------------------------------------------------------------
    # values

    def _value(self, form: peg.Form, shape: Shape, close: _Close, hint: str) -> Node:
        """Return a value with what closes it."""
        if form.syntax is not None:
            return seq(Tag("literal", self.values(encoding_of(form.syntax)).value(shape, hint)), close.node)
        options = shape.options if isinstance(shape, UnionShape) else (shape,)
        if any(self._is_plain_text(option) for option in options):
            return self._text_or_nested(form, options, close, hint)
        if form.entities:
            self.book.note(f"{hint}: text with entities is left to the schema check")
            return self._raw_text(close)
        constants = [option for option in options if _is_text_constant(option)]
        texts: list[Node] = [Tag("value", Text(_constant_text(option))) for option in constants]
        others = [option for option in options if option not in constants]
        patterns = [option for option in others if isinstance(self.shapes.resolve(option), StringShape)]
        if patterns and self.wide:
            self.book.note(f"{hint}: the pattern of raw text is left to the schema check")
            return self._raw_text(close)
        texts += [Tag("value", self._pattern(option)) for option in patterns]
        rest = tuple(option for option in others if option not in patterns)
        if rest:
            texts.append(self._written(form, rest, hint))
        return seq(alt(*texts), close.node)

    def _text_or_nested(self, form: peg.Form, options: tuple[Shape, ...], close: _Close, hint: str) -> Node:
        """Return free text; where its closing marker tells nothing of the field, fields within fields beside it."""
        if not form.nested or close.behind == EMPTY:
            return self._raw_text(close)
        listed = _OPEN_SHAPES if ANY in options else options
        shapes = [option for option in listed if isinstance(option, ObjectShape | ArrayShape)]
        nested = [self._nested_value(form, shape, shape, hint) for shape in shapes]
        return alt(self._raw_text(close), seq(alt(*nested), close.node))

    def _written(self, form: peg.Form, shapes: tuple[Shape, ...], hint: str) -> Node:
        """Return values that are no strings: as text in the form's syntax, or as fields within fields."""
        shape = shapes[0] if len(shapes) == 1 else UnionShape(shapes)
        if not form.nested:
            return Tag("literal", self.values(encoding_of(form.raw)).value(shape, hint))
        nested: list[Node] = []
        plain: list[Shape] = []
        for option in shapes:
            resolved = self.shapes.resolve(option)
            if isinstance(resolved, ObjectShape | ArrayShape):
                nested.append(self._nested_value(form, option, resolved, hint))
            else:
                plain.append(option)
        if plain:
            rest = plain[0] if len(plain) == 1 else UnionShape(tuple(plain))
            nested.append(Tag("literal", self.values(encoding_of(form.raw)).value(rest, hint)))
        return alt(*nested)

    def _nested_value(
        self,
        form: peg.Form,
        shape: Shape,
        resolved: ObjectShape | ArrayShape,
        hint: str,
    ) -> Node:
        """Return an object or a list as fields within fields; a `$ref` becomes a rule of its own, which may
        name itself.
        """
        if isinstance(shape, NamedShape):
            key = ("nested", self.name, shape.pointer)
            name = shape.pointer.rsplit("/", 1)[-1]
            return self.book.shared(key, name, lambda _: self._nested_body(form, resolved, name))
        if resolved in _OPEN_SHAPES:  # their values may be the same again
            key = ("nested", self.name, type(resolved).__name__)
            return self.book.shared(key, "nested", lambda _: self._nested_body(form, resolved, hint))
        return self._nested_body(form, resolved, hint)

    def _nested_body(self, form: peg.Form, resolved: ObjectShape | ArrayShape, hint: str) -> Node:
        if isinstance(resolved, ObjectShape):
            return Tag("object", self._fields_of(resolved, hint, resolved in _OPEN_SHAPES))
        item = self._field(FieldShape(form.item_name, resolved.items or ANY, True), hint)
        low = max(resolved.low, 1) if resolved in _OPEN_SHAPES else resolved.low
        return Tag("array", Repeat(item, low, resolved.high))

    def _is_plain_text(self, shape: Shape) -> bool:
        resolved = self.shapes.resolve(shape)
        if isinstance(resolved, StringShape) and resolved.pattern is None:
            if resolved.low or resolved.high is not None:
                self.book.note("the length of raw text is left to the schema check")
            return True
        return shape == ANY

    def _raw_text(self, close: _Close) -> Node:
        if close.text:
            return UpTo(((close.text, close.behind),), tag="value")
        ends = [text for text in (self.node.separator, self._text(self.node.open), self.node.end) if text]
        text = Token("raw_text", Repeat(_none_of_texts(ends or ["\n"]), 1))
        return Tag("value", optional(text))

    def _pattern(self, shape: Shape) -> Node:
        resolved = self.shapes.resolve(shape)
        assert isinstance(resolved, StringShape) and resolved.pattern is not None
        return Token("pattern", pattern_node(resolved.pattern))


def _none_of_texts(texts: list[str]) -> Node:
    """Return one or two characters that begin none of the texts; a text of one character is barred as a whole."""
    firsts = "".join(dict.fromkeys(text[0] for text in texts))
    options: list[Node] = [none_of(firsts)]
    for first in firsts:
        seconds = [text[1:2] for text in texts if text[0] == first]
        if all(seconds):
            options.append(seq(Text(first), none_of(firsts + "".join(seconds))))
    return alt(*options)


def _with_entities(text: str, entities: tuple[tuple[str, str], ...]) -> str:
    """Return a text as the template writes it."""
    written = dict(entities)
    return "".join(written.get(char, char) for char in text)


def _is_text_constant(shape: Shape) -> bool:
    return isinstance(shape, ConstantShape) and shape.json.startswith('"')


def _constant_text(shape: Shape) -> str:
    assert isinstance(shape, ConstantShape)
    return str(json.loads(shape.json))


def _is_free_text(node: Node) -> bool:
    return isinstance(node, UpTo)


def _is_nested(node: Node) -> bool:
    """Tell whether a value is fields within fields, which stand in rules of their own."""
    first = node.items[0] if isinstance(node, Seq) else node
    return all(isinstance(option, Ref) for option in (first.items if isinstance(first, Alt) else (first,)))


def _not_empty(node: Node) -> Node:
    """Return a chain of fields without the way through it that takes none of them."""
    if node == EMPTY:
        return NEVER
    if isinstance(node, Repeat) and node.low == 0:
        return node.item if node.high == 1 else Repeat(node.item, 1, node.high)
    if isinstance(node, Alt):
        return alt(*(_not_empty(item) for item in node.items))
    return node
