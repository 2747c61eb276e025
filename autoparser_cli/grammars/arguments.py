"""The arguments of one call -> grammar nodes:

one object, fields between markers, or a record that holds the name too.
"""

from __future__ import annotations

from dataclasses import replace

from autoparser_cli.analysis.model import JSON_ENCODING, Escapes, ValueEncoding
from autoparser_cli.frozen import frozen
from autoparser_cli.grammars import spelling
from autoparser_cli.grammars.call_tree import Branch, Path, call_tree
from autoparser_cli.grammars.fields import FieldsWriter
from autoparser_cli.grammars.nodes import Alt, Node, Ref, Repeat, RuleBook, Seq, Tag, Text, alt, seq
from autoparser_cli.grammars.shapes import ObjectShape
from autoparser_cli.grammars.tool_names import name_text, quoted_name
from autoparser_cli.grammars.tool_writer import ToolWriter, encoding_of
from autoparser_cli.grammars.values import ValueWriter
from autoparser_cli.peg import expressions as peg


@frozen
class CallWriter(ToolWriter):
    """Writes the arguments of a tool, whose shape is `root`."""

    root: ObjectShape

    def payload(self, node: peg.Payload) -> Node:
        """Return all arguments as one object."""
        return Tag("arguments", self._object(encoding_of(node.syntax), node.as_string))

    def _object(self, encoding: ValueEncoding, as_string: bool) -> Node:
        if not as_string:
            return self.values(encoding).mapping(self.root, f"{self.hint} args")
        quoted = self.book.shared(
            ("quoted", id(self.shapes)), f"{self.hint} args", lambda _: self._quoted_object()
        )
        return seq(Text('"'), quoted, Text('"'))

    def _quoted_object(self) -> Node:
        inner = RuleBook()
        body = replace(self, book=inner).values(JSON_ENCODING).mapping(self.root, f"{self.hint} args")
        return self._quoted_rules(inner, body)

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
        writer = self.values(encoding)
        if node.tag_is_key:
            key = Tag("name", self._name_as_key(writer, encoding))
            return seq(spelling.OPEN_BRACE, key, spelling.COLON, arguments, spelling.CLOSE_BRACE)
        leaves: list[tuple[Path, Node]] = [
            (node.tag_path, Tag("name", self._name(writer, encoding))),
            (node.value_path, arguments),
        ]
        if node.id_path:
            leaves.append((node.id_path, Tag("id", alt(spelling.any_string(encoding), spelling.NUMBER))))
        leaves += [(path, Text(text)) for path, text in node.constants]
        return _braced(writer, call_tree(leaves, node.paths, node.key_order))

    def _name(self, writer: ValueWriter, encoding: ValueEncoding) -> Node:
        return quoted_name(encoding) if self.name is None else writer.constant(self.name)

    def _name_as_key(self, writer: ValueWriter, encoding: ValueEncoding) -> Node:
        if self.name is not None:
            return writer.key(self.name)
        return name_text(None, ":") if encoding.bare_keys else quoted_name(encoding)

    def fields(self, node: peg.Fields, *, some: bool = False) -> Node:
        """Return arguments one by one; `some`: at least one of them."""
        writer = FieldsWriter(self.book, self.name, self.shapes, self.wide, self.any_order, node)
        return Tag("arguments", writer.fields(self.root, some=some))


def _braced(writer: ValueWriter, tree: Branch) -> Node:
    """Write a tree of keys as an object."""
    parts: list[Node] = []
    for key, value in tree.items():
        written = _braced(writer, value) if isinstance(value, Branch) else value
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
