"""AP208: `| safe` makes what is added to it HTML."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

#: Operators that go on with markup. `~` does not: without autoescaping it joins plain texts.
_JOINING: tuple[type[nodes.BinExpr], ...] = (nodes.Add, nodes.Mod)


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
    """Look for `safe` right under an operator that joins."""
    if not {"transformers"}.intersection(subject.engines):
        return
    for kind in _JOINING:
        for joined in subject.find(kind):
            for part in (joined.left, joined.right):
                if isinstance(part, nodes.Filter) and part.name == "safe":
                    yield Hit(
                        "what is joined with a text marked safe is escaped as HTML", part.lineno, key="safe"
                    )
