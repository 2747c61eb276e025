"""AP211: a statement that an engine does not know."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.engines import refusing
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP211",
    "unknown-statement",
    Severity.WARNING,
    summary="A statement (`{% ... %}`) that an engine does not know.",
    why=(
        "The whole template does not compile there. `generation` marks what is trained on and is known to "
        "Hugging Face only; "
        "`include`, `import` and `extends` need files, which no engine has for a chat template."
    ),
    example="{% with name = message.name %}...{% endwith %}",
    instead="Use `set`; serve a copy without `generation` where the engine refuses it.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look at the first word of each statement; one hit for each word."""
    told: set[str] = set()
    for begin, word in zip(subject.tokens, subject.tokens[1:], strict=False):
        if begin.kind != "block_begin" or word.text in told:
            continue
        engines = refusing(subject.engines, "statements", word.text)
        if engines:
            told.add(word.text)
            severity = Severity.INFO if word.text == "generation" else None
            yield Hit(
                f"{{% {word.text} %}} is refused by {', '.join(engines)}",
                word.line,
                column=word.column,
                key=word.text,
                severity=severity,
            )
    for loop in subject.find(nodes.For):
        if loop.recursive and "transformers.js" in subject.engines:
            yield Hit("a recursive loop is refused by transformers.js", loop.lineno, key="recursive")
