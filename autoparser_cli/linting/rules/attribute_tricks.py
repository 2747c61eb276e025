"""AP401: attributes that lead out of the sandbox."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_DUNDER = re.compile(
    r"__(class|base|bases|mro|subclasses|globals|builtins|init|import|dict|getattribute|code|closure|reduce|reduce_ex|self|module|loader|spec)__"
)
_INNER = frozenset(
    {
        "mro",
        "func_globals",
        "func_code",
        "gi_frame",
        "gi_code",
        "cr_frame",
        "f_globals",
        "f_builtins",
        "f_locals",
        "tb_frame",
        "im_func",
    }
)


@rule(
    "AP401",
    "attribute-tricks",
    Severity.ERROR,
    summary="The template reaches for Python's inner attributes.",
    why=(
        "There is no honest reason to; it is how templates from strangers run code where the sandbox is "
        "missing or old."
    ),
    example="{{ ''.__class__.__mro__[1].__subclasses__() }}",
    instead="Do not load this template; report it where you found it.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for such names as attributes, as keys, and put together out of texts."""
    for node in subject.find(nodes.Getattr):
        if _is_inner(node.attr):
            yield Hit(f"the attribute {node.attr}", node.lineno, key=node.attr)
    for constant in subject.find(nodes.Const):
        if isinstance(constant.value, str) and _DUNDER.search(constant.value):
            name = _DUNDER.search(constant.value)
            yield Hit(f"the name {name[0] if name else ''} in a text", constant.lineno, key="text")
    for found in subject.find(nodes.Filter):
        if found.name == "attr" and found.args and not isinstance(found.args[0], nodes.Const):
            yield Hit("an attribute whose name is computed (`attr`)", found.lineno, key="attr")
    for name_node in subject.find(nodes.Name):
        if _is_inner(name_node.name):
            yield Hit(f"the name {name_node.name}", name_node.lineno, key=name_node.name)


def _is_inner(name: str) -> bool:
    return name in _INNER or (name.startswith("__") and name.endswith("__"))
