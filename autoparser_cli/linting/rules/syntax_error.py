"""AP001: the template does not compile."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.errors import TemplateSyntaxError
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP001",
    "syntax-error",
    Severity.ERROR,
    summary="The template is not valid Jinja.",
    why="Nothing can be rendered with it; every server that loads the model fails, most of them at start.",
    example="{% for m in messages %}{{ m.content }",
    instead="Close every `{{`, `{%`, `if` and `for`, on the line that the message names or before it.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Parse and compile."""
    try:
        _ = subject.tree
        subject.render("question")
    except TemplateSyntaxError as error:
        message = str(error).split("\n", 1)[0].removeprefix(f"{error.name}:{error.line}: ")
        yield Hit(message, error.line)
