"""A template's syntax tree -> the variables that it reads from outside, and what the tree tells about each.

jinja2's own list of undeclared names also has every name that is set in one branch and read behind it. Here a name is from
outside where something reads it before anything sets it; the branches of an `if` are told apart inside, and count all behind it.
Whether a value makes a difference is not decided here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import nodes

from autoparser_cli.frozen import frozen

#: Filters that leave a value as it is but for its spelling; a comparison behind them is one with the variable.
_SPELLING = frozenset(("lower", "upper", "trim", "string", "int", "float", "default", "d"))
_UNKNOWN = object()
_UNDEFINED = object()


#: What says nothing of a variable, what is noted, and whose children are not simply walked in order.
_LEAVES = frozenset((nodes.TemplateData, nodes.Const))
_NOTED = frozenset(
    (
        nodes.Compare,
        nodes.Getattr,
        nodes.Getitem,
        nodes.Call,
        nodes.Filter,
        nodes.If,
        nodes.CondExpr,
        nodes.Macro,
    )
)
_ORDERED = frozenset(
    (nodes.Assign, nodes.AssignBlock, nodes.For, nodes.CondExpr, nodes.Macro, nodes.CallBlock)
)


@frozen
class SourceVariable:
    """`constants` are what the template compares the variable with, `default` what it sets where nothing is passed.

    `default` is None where there is none and where it is not always the same. `only_tested`: all that counts of the value is whether it
    is true, and whether it is passed.
    """

    name: str
    constants: tuple[Any, ...] = ()
    default: Any = None
    only_tested: bool = False


@frozen
class SourceReading:
    """The variables by name, sorted; the texts looked for in others (`"/think" in content`); the names of all fields read.

    `message_fields` are those read off variables of which the role is read too.
    """

    variables: Mapping[str, SourceVariable]
    phrases: tuple[str, ...]
    fields: frozenset[str]
    message_fields: frozenset[str] = frozenset()


def read_source(tree: nodes.Template) -> SourceReading:
    """Read a template's tree in one walk."""
    reader = _Reader()
    reader.visit(tree, frozenset())
    names = sorted(reader.outside - reader.macros)
    variables = {name: reader.variable(name) for name in names}
    return SourceReading(
        variables, tuple(reader.phrases), frozenset(reader.fields), reader.fields_beside("role")
    )


class _Reader:
    """Collects in one walk: names read before they are set, constants compared, values set where nothing is passed."""

    def __init__(self) -> None:
        self.outside: set[str] = set()
        self.macros: set[str] = set()
        self.phrases: dict[str, None] = {}
        self.fields: set[str] = set()
        self._fields_of: dict[str, set[str]] = {}
        self._set: frozenset[str] = frozenset()
        self._used: set[str] = set()
        self._constants: dict[str, dict[str, Any]] = {}
        #: By variable, the names that are set to it, or to a constant in its place.
        self._copies: dict[str, dict[str, None]] = {}
        self._defaults: dict[str, list[Any]] = {}

    def variable(self, name: str) -> SourceVariable:
        distinct = {repr(value): value for value in self._defaults.get(name, ())}
        values = tuple(distinct.values())
        default = values[0] if len(values) == 1 and values[0] is not _UNKNOWN else None
        only_tested = name not in self._used
        constants: dict[str, Any] = {}
        for known_as in (name, *self._copies.get(name, ())):
            constants |= self._constants.get(known_as, {})
        return SourceVariable(name, tuple(constants.values()), default, only_tested)

    def fields_beside(self, name: str) -> frozenset[str]:
        """Return the fields of all variables that have a field of this name."""
        return frozenset().union(*(fields for fields in self._fields_of.values() if name in fields))

    def visit(self, node: nodes.Node, bound: frozenset[str]) -> None:
        """Walk in the order of evaluation; `bound` are the names of loops and macro parameters around."""
        kind = type(node)
        if kind in _LEAVES:
            return
        if isinstance(node, nodes.Name):
            self._mention(node, bound)
            if node.ctx == "load":
                self._used.add(node.name)
            return
        if kind in _NOTED:
            self._note(node)
        if isinstance(node, nodes.If):
            self._visit_branches(node, bound)
            return
        if isinstance(node, nodes.CondExpr):
            self._visit_test(node.test, bound)
        if kind not in _ORDERED:
            for child in node.iter_child_nodes():
                self.visit(child, bound)
            return
        inner = bound | _bound_names(node)
        for child, is_inside in _children(node):
            self._visit_child(node, child, inner if is_inside else bound)

    def _visit_child(self, parent: nodes.Node, child: nodes.Node, bound: frozenset[str]) -> None:
        """Walk on; what a variable is set to out of itself is no other use of it."""
        target = parent.target if isinstance(parent, nodes.Assign) else None
        name = target.name if isinstance(target, nodes.Name) and child is not target else ""
        if name and (source := _source_of(child)) not in ("", name):
            self._copies.setdefault(source, {})[name] = None
        is_used = name in self._used
        self.visit(child, bound)
        if name and not is_used and _passes_on(child, name):
            self._used.discard(name)

    def _visit_test(self, node: nodes.Node, bound: frozenset[str]) -> None:
        """Walk through a condition, where names count by their truth only."""
        if isinstance(node, nodes.Name):
            self._mention(node, bound)
        elif isinstance(node, nodes.Not):
            self._visit_test(node.node, bound)
        elif isinstance(node, (nodes.And, nodes.Or)):
            self._visit_test(node.left, bound)
            self._visit_test(node.right, bound)
        elif isinstance(node, nodes.Test) and node.name in _TRUTH_TESTS:
            self._visit_test(node.node, bound)
        else:
            self.visit(node, bound)

    def _mention(self, node: nodes.Name, bound: frozenset[str]) -> None:
        if node.name in bound:
            return
        if node.ctx != "load":
            self._set |= {node.name}
        elif node.name not in self._set:
            self.outside.add(node.name)

    def _visit_branches(self, node: nodes.If, bound: frozenset[str]) -> None:
        chain = [node, *node.elif_]
        for part in chain:
            self._visit_test(part.test, bound)
            if part is not node:
                self._note(part)
        before = after = self._set
        for body in (*(part.body for part in chain), node.else_):
            self._set = before
            for statement in body:
                self.visit(statement, bound)
            after |= self._set
        self._set = after

    def _note(self, node: nodes.Node) -> None:
        if isinstance(node, nodes.Compare):
            for name, value in _comparisons(node):
                self._constants.setdefault(name, {})[repr(value)] = value
            if node.ops[0].op in ("in", "notin") and isinstance(_constant(node.expr), str):
                self.phrases[_constant(node.expr)] = None
        elif isinstance(node, (nodes.Getattr, nodes.Getitem, nodes.Call)):
            self._note_field(node)
        elif isinstance(node, nodes.Filter):
            self._note_filter(node)
        elif isinstance(node, nodes.If):
            self._note_branch(node)
        elif isinstance(node, nodes.CondExpr):
            self._note_choice(node)
        elif isinstance(node, nodes.Macro):
            self.macros.add(node.name)

    def _note_field(self, node: nodes.Getattr | nodes.Getitem | nodes.Call) -> None:
        """Note the field of `message.name`, `message["name"]` and `message.get("name")`."""
        owner, name = node.node, None
        if isinstance(node, nodes.Getattr):
            name = node.attr
        elif isinstance(node, nodes.Getitem):
            name = _constant(node.arg)
        elif isinstance(owner, nodes.Getattr) and owner.attr == "get" and node.args:
            owner, name = owner.node, _constant(node.args[0])
        if isinstance(name, str):
            self.fields.add(name)
            if isinstance(owner, nodes.Name):
                self._fields_of.setdefault(owner.name, set()).add(name)

    def _note_filter(self, node: nodes.Filter) -> None:
        if node.name in ("default", "d") and isinstance(node.node, nodes.Name) and node.args:
            self._add_default(node.node.name, evaluate_unset(node.args[0]))

    def _note_branch(self, node: nodes.If) -> None:
        """Note what a branch sets that is taken only where a variable is undefined."""
        for name in _tested_names(node.test):
            holds = evaluate_unset(node.test)
            if holds not in (True, False):
                continue
            for statement in node.body if holds else node.else_:
                for assign in _assignments(statement, name):
                    self._add_default(name, evaluate_unset(assign.node))

    def _note_choice(self, node: nodes.CondExpr) -> None:
        """Note `x if x is defined else VALUE`."""
        for name in _tested_names(node.test):
            branches = [node.expr1, node.expr2]
            if any(_name_of(branch) == name for branch in branches if branch is not None):
                self._add_default(name, evaluate_unset(node))

    def _add_default(self, name: str, value: Any) -> None:
        if value is not _UNDEFINED:
            self._defaults.setdefault(name, []).append(value)


# ----------------------------------------------------------------------------------------------- walking the tree


def _bound_names(node: nodes.Node) -> frozenset[str]:
    if isinstance(node, nodes.For):
        return frozenset(
            name.name
            for name in (node.target, *node.target.find_all(nodes.Name))
            if isinstance(name, nodes.Name)
        )
    if isinstance(node, (nodes.Macro, nodes.CallBlock)):
        return frozenset(argument.name for argument in node.args) | {"caller", "varargs", "kwargs"}
    return frozenset()


def _children(node: nodes.Node) -> Iterator[tuple[nodes.Node, bool]]:
    """Yield the children in the order of evaluation, and whether the names that the node binds hold there."""
    if isinstance(node, nodes.Assign):
        yield from ((node.node, True), (node.target, True))
        return
    if isinstance(node, nodes.AssignBlock):
        yield from ((child, True) for child in node.body)
        yield node.target, True
        return
    if isinstance(node, nodes.For):
        yield node.iter, False
        rest = [*node.body, *([node.test] if node.test is not None else ())]
        yield from ((child, True) for child in rest)
        yield from ((child, False) for child in node.else_)
        return
    if isinstance(node, nodes.CondExpr):
        yield from ((child, True) for child in (node.expr1, node.expr2) if child is not None)
        return
    yield from ((child, True) for child in node.iter_child_nodes())


def _assignments(statement: nodes.Node, name: str) -> Iterator[nodes.Assign]:
    found = [statement] if isinstance(statement, nodes.Assign) else []
    for assign in (*found, *statement.find_all(nodes.Assign)):
        if isinstance(assign.target, nodes.Name) and assign.target.name == name:
            yield assign


# ------------------------------------------------------------------------------------------------- reading expressions


def _comparisons(node: nodes.Compare) -> Iterator[tuple[str, Any]]:
    """Yield (variable, constant); `"a" in x` is the list `["a"]`, since x holds it."""
    operand = node.ops[0]
    left, right = node.expr, operand.expr
    if operand.op in ("in", "notin") and _name_of(right):
        yield from ((_name_of(right), [value]) for value in _constants(left) if isinstance(value, str))
        return
    for name, other in ((_name_of(left), right), (_name_of(right), left)):
        if name:
            yield from ((name, value) for value in _constants(other) if value is not None)


def _constants(node: nodes.Node) -> list[Any]:
    if isinstance(node, (nodes.List, nodes.Tuple)):
        return [value for item in node.items for value in _constants(item)]
    value = _constant(node)
    return [value] if isinstance(value, (str, int, float, bool)) else []


def _constant(node: nodes.Node) -> Any:
    if isinstance(node, nodes.Neg):
        value = _constant(node.node)
        return -value if isinstance(value, (int, float)) else _UNKNOWN
    if isinstance(node, nodes.Const):
        return node.value
    return _UNKNOWN


def _name_of(node: nodes.Node | None) -> str:
    """Return the variable that an expression spells, or nothing."""
    while isinstance(node, nodes.Filter) and node.name in _SPELLING:
        node = node.node
    return node.name if isinstance(node, nodes.Name) else ""


def _tested_names(test: nodes.Node) -> list[str]:
    """Return the variables whose being there a test is about."""
    names = [_name_of(inner.node) for inner in test.find_all(nodes.Test) if inner.name in _THERE]
    if isinstance(test, nodes.Test) and test.name in _THERE:
        names.append(_name_of(test.node))
    if isinstance(test, nodes.Not) and isinstance(test.node, nodes.Name):
        names.append(test.node.name)
    if isinstance(test, nodes.Name):
        names.append(test.name)
    return list(dict.fromkeys(name for name in names if name))


_THERE = ("defined", "undefined", "none")
_TRUTH_TESTS = frozenset((*_THERE, "true", "false", "boolean"))


def _passes_on(node: nodes.Node, name: str) -> bool:
    """Tell whether an expression is the variable itself or else a constant: `x | default(true)`, `x if x is defined else true`."""
    if isinstance(node, nodes.Filter) and node.name in ("default", "d"):
        return isinstance(node.node, nodes.Name) and node.node.name == name
    branches = (node.expr1, node.expr2) if isinstance(node, nodes.CondExpr) else ()
    return bool(branches) and all(
        isinstance(branch, nodes.Const) or (isinstance(branch, nodes.Name) and branch.name == name)
        for branch in branches
    )


def _source_of(node: nodes.Node) -> str:
    """Return the variable that an expression is, or else a constant: `x | default("a")`, `x or "a"`, `x if x is defined else "a"`."""
    if isinstance(node, nodes.CondExpr):
        branches = [branch for branch in (node.expr1, node.expr2) if branch is not None]
    elif isinstance(node, nodes.Or):
        branches = [node.left, node.right]
    else:
        return _name_of(node)
    names = {_name_of(branch) for branch in branches if not isinstance(branch, nodes.Const)}
    return names.pop() if len(names) == 1 else ""


def evaluate_unset(node: nodes.Node | None) -> Any:
    """Return what an expression is where no variable is passed; a private mark where that is not to be told."""
    if node is None or isinstance(node, nodes.Name):
        return _UNDEFINED
    if isinstance(node, nodes.Test):
        return _evaluate_test(node)
    if isinstance(node, nodes.Not):
        value = _truth(evaluate_unset(node.node))
        return _UNKNOWN if value is _UNKNOWN else not value
    if isinstance(node, (nodes.And, nodes.Or)):
        return _evaluate_both(node)
    if isinstance(node, nodes.CondExpr):
        holds = _truth(evaluate_unset(node.test))
        return _UNKNOWN if holds is _UNKNOWN else evaluate_unset(node.expr1 if holds else node.expr2)
    if isinstance(node, (nodes.List, nodes.Dict)) and not list(node.iter_child_nodes()):
        return None
    return _constant(node)


def _evaluate_test(node: nodes.Test) -> Any:
    if not isinstance(node.node, nodes.Name):
        return _UNKNOWN
    return {"defined": False, "undefined": True, "none": False}.get(node.name, _UNKNOWN)


def _evaluate_both(node: nodes.And | nodes.Or) -> Any:
    decisive = isinstance(node, nodes.Or)
    left, right = _truth(evaluate_unset(node.left)), _truth(evaluate_unset(node.right))
    if decisive in (left, right):
        return decisive
    return _UNKNOWN if _UNKNOWN in (left, right) else right


def _truth(value: Any) -> Any:
    if value is _UNKNOWN:
        return _UNKNOWN
    return False if value is _UNDEFINED else bool(value)
