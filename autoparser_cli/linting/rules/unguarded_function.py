"""AP210: a function that not every engine brings is called without asking for it."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.engines import refusing
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP210",
    "unguarded-function",
    Severity.INFO,
    summary="A function that not every engine has is called without `is defined`.",
    why=(
        "`strftime_now` comes from Hugging Face. An engine without it raises; servers built on minijinja "
        "have to add it by hand."
    ),
    example="{{ strftime_now('%Y-%m-%d') }}",
    instead="Write `{% if strftime_now is defined %}...{% endif %}`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for calls, where the source nowhere asks for the name."""
    guarded = {test.node.name for test in subject.find(nodes.Test) if isinstance(test.node, nodes.Name)}
    told: set[str] = set()
    for call in subject.find(nodes.Call):
        if not isinstance(call.node, nodes.Name) or call.node.name in guarded or call.node.name in told:
            continue
        name = call.node.name
        engines = refusing(subject.engines, "functions", name)
        if name == "strftime_now":
            engines = refusing(subject.engines, "missing_functions", name)
        if engines:
            told.add(name)
            yield Hit(f"{name}() is not there in {', '.join(engines)}", call.lineno, key=name)
