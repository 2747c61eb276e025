"""AP212: a name that nobody defines is printed or looked into."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.templates.source import SPECIAL_TOKEN_NAMES

#: What every render has.
_GIVEN = frozenset(
    {
        "messages",
        "tools",
        "documents",
        "add_generation_prompt",
        "strftime_now",
        "raise_exception",
        *SPECIAL_TOKEN_NAMES,
    }
)


@rule(
    "AP212",
    "undefined-name",
    Severity.WARNING,
    summary=(
        "A variable that no engine passes is looked into or called, and nothing asks whether it is there."
    ),
    why=(
        "Jinja2 raises. A loop variable is gone behind its loop, and a variable of your own has to be "
        "passed by every caller."
    ),
    example="{% for message in messages %}...{% endfor %}{{ message.role }}",
    instead="Use `messages[-1]`, or ask `is defined` first.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Find names that are read and never set, and that a plain render trips over."""
    yield from _undefined_in_renders(subject)
    yield from _loop_names_outside(subject.tree, frozenset(), _set_names(subject))


def _undefined_in_renders(subject: Subject) -> Iterator[Hit]:
    told: set[str] = set()
    for name in ("prompt", "round", "tools-prompt", "answered"):
        error = subject.render(name).error
        if error is None or error.kind != "UndefinedError":
            continue
        for word in sorted(subject.template.variables - _GIVEN - told):
            if str(error).startswith(f"'{word}' is undefined"):
                told.add(word)
                yield Hit(f"{word!r} is not defined here, and the template raises", error.line, key=word)


def _set_names(subject: Subject) -> frozenset[str]:
    """Return the names that something else than a loop sets, or that a condition asks for."""
    in_loops = {id(name) for loop in subject.find(nodes.For) for name in _names(loop.target)}
    stored = {
        name.name for name in subject.find(nodes.Name) if name.ctx != "load" and id(name) not in in_loops
    }
    asked = {test.node.name for test in subject.find(nodes.Test) if isinstance(test.node, nodes.Name)}
    return frozenset(stored | asked | {macro.name for macro in subject.find(nodes.Macro)} | _GIVEN)


def _loop_names_outside(node: nodes.Node, inside: frozenset[str], known: frozenset[str]) -> Iterator[Hit]:
    """Find names of loops that are read where no loop around sets them: there they print nothing."""
    loops = {name.name for loop in node.find_all(nodes.For) for name in _names(loop.target)}
    yield from _reads_outside(node, inside, frozenset(loops) - known)


def _reads_outside(node: nodes.Node, inside: frozenset[str], loops: frozenset[str]) -> Iterator[Hit]:
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.For):
            own = inside | {name.name for name in _names(child.target)}
            yield from _reads_outside(nodes.Output([child.iter]), inside, loops)
            for part in [*child.body, *child.else_, *([child.test] if child.test else [])]:
                yield from _reads_outside(nodes.Output([part]), own, loops)
        elif isinstance(child, nodes.Name):
            if child.ctx == "load" and child.name in loops - inside:
                yield Hit(
                    f"{child.name!r} is a loop's name, and is not defined outside of the loop",
                    child.lineno,
                    key=child.name,
                )
        elif not isinstance(child, nodes.Macro):
            yield from _reads_outside(child, inside, loops)


def _names(target: nodes.Node) -> list[nodes.Name]:
    return [*([target] if isinstance(target, nodes.Name) else []), *target.find_all(nodes.Name)]
