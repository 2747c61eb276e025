"""AP208: `| safe` makes what is added to it HTML."""

from __future__ import annotations

from collections.abc import Container, Iterator

from jinja2 import nodes

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

#: Operators that go on with markup. `~` does not: without autoescaping it joins plain texts.
_JOINING: tuple[type[nodes.BinExpr], ...] = (nodes.Add, nodes.Mod)

_ESCAPED = frozenset("<>&'\"")


@rule(
    "AP208",
    "safe-joined",
    Severity.WARNING,
    summary="A value that is marked `| safe` is joined with another text.",
    why=(
        "Jinja2 takes it for HTML and escapes the other text: `<` becomes `&lt;`. Other engines do not. "
        "Chat templates are never "
        "escaped, so `safe` does nothing but this."
    ),
    example="{{ (tool | tojson | safe) + '</tool>' }}",
    instead="Leave `| safe` out.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for a text that is marked safe under an operator that joins it with one that escaping would change."""
    if "transformers" not in subject.engines:
        return
    names = {
        assignment.target.name
        for assignment in subject.find(nodes.Assign)
        if isinstance(assignment.target, nodes.Name) and _is_safe(assignment.node, frozenset())
    }
    for kind in _JOINING:
        for joined in subject.find(kind):
            for part, other in ((joined.left, joined.right), (joined.right, joined.left)):
                if _is_safe(part, names) and not _is_harmless(other, names):
                    yield Hit(
                        "what is joined with a text marked safe is escaped as HTML", part.lineno, key="safe"
                    )


def _is_safe(node: nodes.Node, names: Container[str]) -> bool:
    """Tell whether a value is marked, in one of its branches at least."""
    if isinstance(node, nodes.CondExpr):
        return any(_is_safe(branch, names) for branch in (node.expr1, node.expr2) if branch is not None)
    if isinstance(node, nodes.Name):
        return node.name in names
    return isinstance(node, nodes.Filter) and node.name == "safe"


def _is_harmless(node: nodes.Node, names: Container[str]) -> bool:
    """Tell whether escaping changes nothing: a plain text, what is marked as well, a tool's name."""
    if isinstance(node, nodes.Add):
        return _is_harmless(node.left, names) and _is_harmless(node.right, names)
    if isinstance(node, nodes.Const):
        return not _ESCAPED.intersection(str(node.value))
    called = getattr(node, "attr", getattr(node, "name", ""))
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
        called = node.arg.value
    return called == "name" or _is_safe(node, names)
