"""The parser's expression tree -> a grammar without lookahead: what the template prints, held to the tools' schemas.

What the matcher tolerates (white space left out, keys in another order, calls inside unclosed reasoning) is
not part of a grammar; what the matcher reads and only reports on (a missing parameter, a wrong type) is
refused by it. A state of the tree becomes a rule; text up to an exit becomes text up to the exit's anchor,
and what the exit goes on with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import singledispatchmethod
from typing import Any

from autoparser_cli.analysis.model import JSON_ENCODING
from autoparser_cli.frozen import frozen
from autoparser_cli.grammars.arguments import CallWriter
from autoparser_cli.grammars.beginnings import behind, folded
from autoparser_cli.grammars.json_schema import read_schema
from autoparser_cli.grammars.nodes import (
    MAX_CODE_POINT,
    NEVER,
    Alt,
    Chars,
    Grammar,
    Node,
    Ref,
    Repeat,
    RuleBook,
    Tag,
    Text,
    Token,
    UpTo,
    alt,
    one_of,
    optional,
    seq,
)
from autoparser_cli.grammars.patterns import pattern_node
from autoparser_cli.grammars.prompt_tail import items_behind
from autoparser_cli.grammars.reading import (
    Items,
    barred_marker,
    leads_to_text,
    live_alternatives,
    printed_items,
    without_leading_space,
)
from autoparser_cli.grammars.rows import (
    CALL,
    bare_text,
    depends_on_call,
    ends_turn,
    is_empty_call,
    list_bracket,
    with_own_end,
    without_calls,
)
from autoparser_cli.grammars.shapes import ANY, ObjectShape, SchemaShapes
from autoparser_cli.grammars.tool_names import name_node, name_text
from autoparser_cli.grammars.values import ValueWriter
from autoparser_cli.peg import expressions as peg
from autoparser_cli.peg.names import AnyTool

BEHIND_CALLS = ("next_call", "next_of_several_calls", "after_calls")
WHITE, MAX_WHITE = " \t\r\n", 8
_OPEN = SchemaShapes(ObjectShape((), ANY), {})
ANY_CHARACTER = Chars(((0, MAX_CODE_POINT),))


#: What stands around the name in an id that holds it.
_AROUND_NAME = {"id_start": "^[A-Za-z_]+\\.$", "id_end": "^:[0-9]+$"}


@frozen
class LoweringOptions:
    """How a tree is lowered.

    `wide`: for a LALR parser. `any_order`: declared keys at any place. `any_arguments`: the schemas are not
    looked at. `must_call`: the output holds at least one call. `single`: at most one. `lazy_texts`: a text
    ends at the first marker, whatever else could begin there.
    """

    wide: bool = False
    must_call: bool = False
    single: bool = False
    any_order: bool = False
    any_arguments: bool = False
    lazy_texts: bool = False


@frozen
class Case:
    """The call that is being written: the tool's name, None for any, and the shapes of its arguments.

    `some`: its arguments are not empty, because a body of its own stands for those.
    """

    name: str | None
    shapes: SchemaShapes
    some: bool = False

    @property
    def object(self) -> ObjectShape:
        """Return the shape of the arguments as a mapping; what is declared as anything else has open ones."""
        root = self.shapes.resolve(self.shapes.root)
        return root if isinstance(root, ObjectShape) else ObjectShape((), self.shapes.root)


def lower(tree: peg.Grammar, options: LoweringOptions = LoweringOptions(), *, prompt: str = "") -> Grammar:
    """Return the grammar of what comes behind `prompt`, the part of the prompt's end that belongs to the turn."""
    lowering = Lowering(tree, options)
    items = items_behind(tree, prompt)
    whole = printed_items(items) or []
    return lowering.book.grammar(lowering.row(whole, None))


class Lowering:
    """Lowers the expressions of one tree into one rule book."""

    def __init__(self, tree: peg.Grammar, options: LoweringOptions) -> None:
        self.book = RuleBook()
        self._tree = tree
        self._options = options
        self._shapes: dict[int, SchemaShapes] = {}
        self._called = not options.must_call
        self._closed = False
        self._barred: tuple[str, ...] = ()

    def state(self, name: str) -> Node:
        """Return the rule of a state; where the output must hold a call, whether one was made is part of it."""
        called = self._called
        self._called = called or name in BEHIND_CALLS
        body = self._state_body(name)
        self._called = called
        return body

    def _state_body(self, name: str) -> Node:
        expression = self._tree.states[name]
        if self._options.single and name in BEHIND_CALLS:
            expression = without_calls(expression)
        if isinstance(expression, peg.Text):
            return self.node(expression, None)
        key = ("state", name, self._called)
        return self.book.shared(key, name, lambda _: self.node(expression, None))

    @singledispatchmethod
    def node(self, expression: Any, case: Case | None) -> Node:
        """Return the node of an expression; `case` is the call that it belongs to."""
        raise TypeError(f"no grammar for {type(expression).__name__}")

    @node.register
    def _literal(self, expression: peg.Literal, case: Case | None) -> Node:
        return Text(expression.text)

    @node.register
    def _space(self, expression: peg.Space, case: Case | None) -> Node:
        return Text(expression.printed)

    @node.register
    def _margin(self, expression: peg.Margin, case: Case | None) -> Node:
        return Text(expression.printed)

    @node.register
    def _run(self, expression: peg.Run, case: Case | None) -> Node:
        char = pattern_node(f"^{expression.pattern}$")
        return Tag(expression.kind, Token(expression.kind, Repeat(char, 1)))

    @node.register
    def _span(self, expression: peg.Span, case: Case | None) -> Node:
        return Tag(expression.kind, self.node(expression.item, case))

    @node.register
    def _sequence(self, expression: peg.Sequence, case: Case | None) -> Node:
        return self.items(expression.items, case)

    @node.register
    def _choice(self, expression: peg.Choice, case: Case | None) -> Node:
        if case is not None and any(is_empty_call(item) for item in expression.items):
            return self._call_with_empty_body(expression, case)
        if case is not None and not depends_on_call(expression):
            return self.book.shared(expression, "choice", lambda _: self.node(expression, None))
        options = live_alternatives(expression, self._tree.states)
        nodes = [self.row(items, case) for items in options]
        again = {item for node in nodes if isinstance(node, Ref) for item in self._alternatives_of(node)}
        nodes = [node for node in nodes if node not in again]
        return alt(*(folded(self.book, nodes) if self._options.lazy_texts else nodes))

    def _alternatives_of(self, ref: Ref) -> tuple[Node, ...]:
        rule = self.book.rules[ref.index]
        return rule.body.items if rule is not None and isinstance(rule.body, Alt) else ()

    def _call_with_empty_body(self, expression: peg.Choice, case: Case) -> Node:
        """Return the ways to write a call of which one is for calls without arguments."""
        empty = {bare_text(item) for item in expression.items if is_empty_call(item)}
        some = replace(case, some=True)
        options: list[Node] = []
        for item in expression.items:
            if not is_empty_call(item):
                # Where no fields at all would print something else, models write calls of unknown tools so too.
                also_bare = case.name is None and bare_text(item) not in empty
                options.append(self.node(item, case if also_bare else some))
            elif self._options.any_arguments or not any(field.required for field in case.object.fields):
                options.append(self.node(item, case))
        return alt(*options)

    @node.register
    def _optional(self, expression: peg.Optional, case: Case | None) -> Node:
        return optional(self.node(expression.item, case))

    @node.register
    def _rest(self, expression: peg.Rest, case: Case | None) -> Node:
        if not self._called:
            return NEVER
        white = self._white()
        # A rule each: Lark writes out all combinations of what may be left out within one rule.
        steps = (optional(seq(Text(marker), white)) for marker in expression.markers)
        return seq(white, *(self.book.add("ending", step) for step in steps))

    def _white(self) -> Node:
        """Return white space that may be left out: a terminal for LALR, else characters, which no lexer takes for more than one."""
        if self._options.wide:
            return optional(Token("white", Repeat(one_of(WHITE), 1, MAX_WHITE)))
        return self.book.add("white", Repeat(alt(*map(Text, WHITE)), 0, MAX_WHITE))

    @node.register
    def _goto(self, expression: peg.Goto, case: Case | None) -> Node:
        return self.state(expression.state)

    @node.register
    def _same(self, expression: peg.Same, case: Case | None) -> Node:
        return name_text(case.name if case else "")

    @node.register
    def _tag(self, expression: peg.Tag, case: Case | None) -> Node:
        called = case.name if case else ""
        if not expression.inside_id:
            return name_node(called, expression.before[:1] + expression.before_end[:1])
        name = name_node(called, ":")
        # The template prints an id that others made; models write it as `functions.NAME:0`.
        before, behind = (optional(Token(kind, pattern_node(text))) for kind, text in _AROUND_NAME.items())
        return seq(before, name, behind)

    @node.register
    def _text(self, expression: peg.Text, case: Case | None) -> Node:
        key = ("text", id(expression), self._called, self._closed, self._barred)
        return self.book.shared(key, expression.kind, lambda _: self._text_body(expression))

    def _text_body(self, expression: peg.Text) -> Node:
        closed, self._closed = self._closed, False
        barred, self._barred = self._barred, ()
        by_anchor: dict[str, Node] = {}
        for anchor, items in self._ways_out(expression):
            after = behind(self.book, self.row(without_leading_space(items), None), anchor)
            if after != NEVER:
                by_anchor[anchor] = alt(by_anchor.get(anchor, NEVER), after)
        end = self._called and not closed
        for marker in barred if by_anchor else ():
            by_anchor.setdefault(marker, NEVER)
        if by_anchor:
            return UpTo(tuple(by_anchor.items()), end, expression.kind, closed)
        anything = Tag(expression.kind, Token("rest", Repeat(ANY_CHARACTER, 1)))
        return optional(anything) if end else NEVER

    def _ways_out(self, expression: peg.Text) -> Iterator[tuple[str, Items]]:
        """Give the exits of a text: the anchor, and what is printed from there on."""
        into_text: set[str] = set()
        for exit_ in expression.exits:
            if not exit_.anchor:
                continue  # A call that no marker opens: without lookahead, nothing tells it from text.
            items = printed_items((exit_.item,))
            may_end = self._called and exit_.anchor not in into_text  # that text ends the turn as well
            if items is None or (not may_end and ends_turn(items, self._tree)):
                continue
            if leads_to_text(items, self._tree.states):
                into_text.add(exit_.anchor)
            yield exit_.anchor, items

    @node.register
    def _switch(self, expression: peg.Switch, case: Case | None) -> Node:
        calls = self._cases(expression.cases)
        return alt(*(Tag(CALL, self.items(expression.body, call)) for call in calls))

    @node.register
    def _payload(self, expression: peg.Payload, case: Case | None) -> Node:
        assert case is not None
        return self._calls(case).payload(expression)

    @node.register
    def _fields(self, expression: peg.Fields, case: Case | None) -> Node:
        assert case is not None
        return self._calls(case).fields(expression, some=case.some)

    @node.register
    def _record(self, expression: peg.Record, case: Case | None) -> Node:
        calls = self._cases(expression.cases)
        return alt(*(Tag(CALL, self._calls(call).record(expression)) for call in calls))

    @node.register
    def _json(self, expression: peg.Json, case: Case | None) -> Node:
        shapes = read_schema(expression.schema, where="response")
        writer = ValueWriter(
            self.book,
            shapes,
            JSON_ENCODING,
            wide=self._options.wide,
            any_order=self._options.any_order,
        )
        return Tag(expression.kind, writer.value(shapes.root, "response"))

    def items(self, items: tuple[peg.Expression, ...], case: Case | None) -> Node:
        """Return the node of expressions in a row."""
        printed = printed_items(items)
        return NEVER if printed is None else self.row(printed, case)

    def row(self, items: Items, case: Case | None) -> Node:
        """Return the node of what `printed_items` has left."""
        if items and isinstance(items[0], peg.Ahead):
            return self._closed_text(items[1:], case)
        barred = [barred_marker(item) for item in items if isinstance(item, peg.Not)]
        if barred and isinstance(items[-1], peg.Goto):
            self._barred = tuple(barred)
        items = with_own_end([item for item in items if not isinstance(item, peg.Not)], self._tree.states)
        last = items[-1] if items else None
        into_text = isinstance(last, peg.Goto) and isinstance(self._tree.states[last.state], peg.Text)
        if into_text and isinstance(items[-2:][0], peg.Margin | peg.Space):
            items = [*items[:-2], items[-1]]  # white space around a text is part of it here
        return seq(*self._with_list_brackets(items, case))

    def _with_list_brackets(self, items: Items, case: Case | None) -> Iterator[Node]:
        """Give the nodes of a row; white space inside the brackets of a JSON list of calls is JSON's."""
        place = 0
        while place < len(items):
            pair = items[place : place + 2]
            bracket = list_bracket(pair)
            if bracket is None:
                yield self.node(items[place], case)
                place += 1
            else:
                yield bracket
                place += 2

    def _closed_text(self, items: Items, case: Case | None) -> Node:
        """Return a way that is taken only where what closes its text is sure to come."""
        self._closed = True
        node = self.row(items, case)
        self._closed = False
        return node

    def _calls(self, case: Case) -> CallWriter:
        options = self._options
        return CallWriter(self.book, case.name, case.shapes, options.wide, options.any_order, case.object)

    def _cases(self, cases: Mapping[str, Any]) -> Iterator[Case]:
        """Give the calls that may be written: one for each tool, or one for any."""
        if isinstance(cases, AnyTool):
            yield Case(None, _OPEN)
        for name, schema in cases.items():
            yield Case(name, self._read(name, schema))

    def _read(self, name: str, schema: Any) -> SchemaShapes:
        if self._options.any_arguments:
            return _OPEN
        known = self._shapes.get(id(schema))
        if known is None:
            known = self._shapes[id(schema)] = read_schema(schema, where=name)
            # Raw text between tags needs no writer of values, which would say it too.
            for note in known.notes:
                self.book.note(note)
        return known
