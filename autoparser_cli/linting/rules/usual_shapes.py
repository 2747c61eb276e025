"""AP026: a shape of conversation raises that differs little from one that renders."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import CONVERSATIONS, NAMES
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

#: A conversation, and the one that it differs from in one thing.
_PAIRS = (
    ("call-without-tools", "call"),
    ("no-arguments", "call"),
    ("reasoning-call", "call"),
    ("empty-result", "answered"),
    ("result-prompt", "result"),
    ("reasoning", "round"),
    ("only-reasoning", "round"),
    ("empty-answer", "round"),
    ("many-rounds", "rounds"),
)


@rule(
    "AP026",
    "usual-shape-raises",
    Severity.WARNING,
    summary="A shape of conversation that clients send raises, although one that is nearly the same renders.",
    why=(
        "Calls without arguments, empty results, a turn that only reasons, a history with calls and no tools: "
        "agents send all of them, and the whole request fails."
    ),
    example="{{ call.function.arguments | first }}",
    instead="Guard what may be empty or absent: `{% if call.function.arguments %}`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render each shape whose near relative renders; one hit for each line that raises."""
    raised: dict[tuple[int | None, str], list[str]] = {}
    for name, near in _PAIRS:
        if subject.render(near).failed or (CONVERSATIONS[near].tools and not subject.renders_calls):
            continue
        outcome = subject.render(name)
        if outcome.failed:
            raised.setdefault((outcome.line, str(outcome.error)), []).append(CONVERSATIONS[name].title)
    for (line, message), titles in raised.items():
        yield Hit(f"raises for {' and '.join(titles)}: {message}", line, key=message)
    yield from _dropped(subject)


def _dropped(subject: Subject) -> Iterator[Hit]:
    """Find calls without arguments that are not printed at all."""
    bare, call = subject.render("no-arguments"), subject.render("call")
    if not subject.renders_calls or bare.failed or call.failed:
        return
    if bare.text.count(NAMES[0]) < call.text.count(NAMES[0]):
        yield Hit("a call without arguments is dropped", key="dropped")
