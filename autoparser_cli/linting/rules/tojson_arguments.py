"""AP209: arguments of `tojson` that an engine refuses."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.engines import refusing
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP209",
    "tojson-arguments",
    Severity.WARNING,
    summary="`tojson` with an argument that an engine refuses.",
    why=(
        "Only `indent` is known everywhere. `ensure_ascii`, `separators` and `sort_keys` are additions of "
        "Hugging Face's filter."
    ),
    example="{{ tool | tojson(ensure_ascii=False) }}",
    instead="Leave the argument out: without it letters are kept as they are everywhere.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for the keywords."""
    for found in subject.find(nodes.Filter):
        if found.name != "tojson":
            continue
        for argument in found.kwargs:
            key = str(argument.key)
            engines = refusing(subject.engines, "tojson_arguments", key)
            if key == "sort_keys" and isinstance(argument.value, nodes.Const) and not argument.value.value:
                engines = tuple(name for name in engines if name != "llama.cpp")
            if engines:
                yield Hit(
                    f"tojson({key}=...) is refused by {', '.join(engines)}",
                    found.lineno,
                    key=key,
                )
