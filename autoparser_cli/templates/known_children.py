"""A syntax tree -> the same tree, of which every node knows its children.

Jinja's code generator walks the whole tree some six times, and the body of each loop a few times more; listing the children of a node
anew each time takes most of its time. Two methods are shadowed in the nodes of this one tree; what they answer is the same.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import partial
from typing import Any

from jinja2 import nodes

#: The nodes of which the code generator asks for all that is below them.
_SEARCHED = frozenset((nodes.Template, nodes.For))


def child_nodes(node: nodes.Node) -> list[nodes.Node]:
    """Return the children of a node in order, as its own iteration does in three times the time."""
    found: list[nodes.Node] = []
    for name in node.fields:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [item for item in value if isinstance(item, nodes.Node)]
        elif isinstance(value, nodes.Node):
            found.append(value)
    return found


def keep_children(tree: nodes.Template) -> None:
    """Let all nodes of a tree answer from lists. The tree is not to be changed from then on."""
    _keep(tree, [])


def _keep(node: nodes.Node, order: list[nodes.Node]) -> None:
    """`order` grows by the node and all below it."""
    start = len(order) + 1
    order.append(node)
    children = child_nodes(node)
    for child in children:
        _keep(child, order)
    node.__dict__["iter_child_nodes"] = partial(_answer, node, children) if children else _nothing
    if type(node) in _SEARCHED:
        node.__dict__["find_all"] = partial(_find, order, start, len(order))


def _answer(
    node: nodes.Node,
    children: list[nodes.Node],
    exclude: Container[str] | None = None,
    only: Container[str] | None = None,
) -> Iterable[nodes.Node]:
    if exclude is None and only is None:
        return children
    return type(node).iter_child_nodes(node, exclude, only)


def _nothing(exclude: Container[str] | None = None, only: Container[str] | None = None) -> tuple[()]:
    return ()


def _find(order: list[nodes.Node], start: int, end: int, kind: Any) -> Iterator[nodes.Node]:
    return (node for node in order[start:end] if isinstance(node, kind))
