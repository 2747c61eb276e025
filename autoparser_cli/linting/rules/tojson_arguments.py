"""AP209: arguments of `tojson` that an engine refuses."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.calls_in_source import filter_calls
from autoparser_cli.linting.engines import refusing
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

#: What Hugging Face's filter takes an argument to be where it is not given.
_DEFAULTS = {
    "ensure_ascii": (["False"], ["false"]),
    "sort_keys": (["False"], ["false"]),
    "separators": (["None"], ["none"]),
}


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
    fixable=True,
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for the keywords; one whose value is the filter's default can be left out."""
    for found in filter_calls(subject.tokens):
        if found.name.text != "tojson":
            continue
        for index, argument in enumerate(found.arguments):
            texts = [token.text for token in argument]
            if texts[1:2] != ["="]:
                continue
            key, is_default = texts[0], texts[2:] in _DEFAULTS.get(texts[0], ())
            engines = refusing(subject.engines, "tojson_arguments", key)
            if key == "sort_keys" and is_default:
                engines = tuple(name for name in engines if name != "llama.cpp")
            if engines:
                yield Hit(
                    f"tojson({key}=...) is refused by {', '.join(engines)}",
                    argument[0].line,
                    column=argument[0].column,
                    key=key,
                    edits=(found.without(index),) if is_default else (),
                )
