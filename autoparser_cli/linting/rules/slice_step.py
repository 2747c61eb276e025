"""AP203: a slice with a step."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.frozen import frozen
from autoparser_cli.linting.rule import Edit, Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_ENGINES = ("llama.cpp", "transformers.js")


_REVERSED = ("[", ":", ":", "-", "1", "]")


@rule(
    "AP203",
    "slice-step",
    Severity.INFO,
    summary="A slice with a step, such as `[::-1]`.",
    why=(
        "JavaScript engines learned it late, so that applications with an older one refuse it. llama.cpp's "
        "engine ignores the two "
        "ends where the step is negative."
    ),
    example="{% for message in messages[::-1] %}",
    instead="Use `| reverse`, or count the index down.",
    fixable=True,
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for slices with three parts; a loop over a reversed name can say `reverse`."""
    if not set(_ENGINES).intersection(subject.engines):
        return
    reversals = _reversals(subject)
    for part in subject.find(nodes.Slice):
        if part.step is not None:
            places = reversals.get(part.lineno, [])
            place = places.pop(0) if places and _is_reversal(part) else None
            yield Hit(
                "a slice with a step is refused by older releases of JavaScript engines",
                part.lineno,
                column=place.column if place else None,
                key="step",
                edits=place.edits if place else (),
            )


@frozen
class _Reversal:
    column: int
    edits: tuple[Edit, ...]


def _reversals(subject: Subject) -> dict[int, list[_Reversal]]:
    """Find by line `in NAME[::-1]` with nothing behind it that binds closer than a filter."""
    found: dict[int, list[_Reversal]] = {}
    tokens = subject.tokens
    for at in range(1, len(tokens) - len(_REVERSED) - 1):
        texts = tuple(token.text for token in tokens[at + 1 : at + 1 + len(_REVERSED)])
        name, behind = tokens[at], tokens[at + 1 + len(_REVERSED)]
        if texts != _REVERSED or name.kind != "name" or tokens[at - 1].text != "in":
            continue
        if behind.kind == "block_end" or behind.text in ("if", "recursive"):
            edit = Edit(tokens[at + 1].start, tokens[at + len(_REVERSED)].end, " | reverse")
            found.setdefault(name.line, []).append(_Reversal(tokens[at + 1].column, (edit,)))
    return found


def _is_reversal(part: nodes.Slice) -> bool:
    step = part.step
    return (
        part.start is None
        and part.stop is None
        and isinstance(step, nodes.Neg)
        and isinstance(step.node, nodes.Const)
        and step.node.value == 1
    )
