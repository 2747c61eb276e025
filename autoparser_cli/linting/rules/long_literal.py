"""AP406: a very long text in one piece, or one that is encoded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_LONGEST = 8000
_ENCODED = re.compile(r"[A-Za-z0-9+/=_-]{200,}")


@rule(
    "AP406",
    "long-literal",
    Severity.INFO,
    summary="A text of more than 8,000 characters, or a long run of encoded characters.",
    why="It is paid for in every request, and reviewers do not read it to its end.",
    example="{{ 'aGVsbG8gd29ybGQ...' }}",
    instead="Keep long instructions in a file of their own and pass them as the system message.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Measure the texts."""
    found = [(data.lineno, data.data) for data in subject.find(nodes.TemplateData)]
    found += [(item.lineno, item.value) for item in subject.find(nodes.Const) if isinstance(item.value, str)]
    for line, text in found:
        run = _ENCODED.search(text)
        if run is not None and len(set(run[0])) > 8:
            yield Hit(
                f"{len(run[0])} encoded characters in a row",
                line + text.count("\n", 0, run.start()),
                key="encoded",
            )
        elif len(text) > _LONGEST:
            yield Hit(
                f"a text of {len(text)} characters in one piece", line, line + text.count("\n"), key="long"
            )
