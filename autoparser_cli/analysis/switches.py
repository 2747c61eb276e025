"""The variables that a template reads beyond the standard ones -> switches, and the generation prompts under them.

Which values a variable is compared with, and what the template sets itself, is read off its syntax tree; whether a value makes a
difference is found by rendering.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from jinja2 import nodes

from autoparser_cli.analysis.conventions import THINKING_SWITCHES, free_variables
from autoparser_cli.analysis.conversations import Conventions, Renderer, Turn, assistant_message, user_message
from autoparser_cli.analysis.model import GenerationPrompt, Switch
from autoparser_cli.analysis.probes import CONTENT, REASONING, SYSTEM, USER


def generation_prompt(
    renderer: Renderer, conventions: Conventions, *, after_tool: bool = False
) -> str | None:
    """Return what `add_generation_prompt` adds; None where a prompt does not render or is not an extension."""
    without = renderer.prompt(conventions, generation=False, after_tool=after_tool)
    having = renderer.prompt(conventions, generation=True, after_tool=after_tool)
    if without is None or having is None or not having.startswith(without):
        return None
    return having[len(without) :]


def generation_prompts(
    renderer: Renderer, conventions: Conventions, calls: Conventions | None
) -> tuple[GenerationPrompt, ...]:
    """Return the distinct prompts: variables unset, thinking on and off, behind a tool result."""
    unset = tuple((key, value) for key, value in conventions.kwargs if key not in THINKING_SWITCHES)
    read = [name for name in THINKING_SWITCHES if name in renderer.template.variables]
    settings = [unset]
    settings += [(*unset, *((name, value) for name in read)) for value in (True, False) if read]
    found = []
    for kwargs in settings:
        text = generation_prompt(renderer, _with(conventions, kwargs))
        if text is not None:
            found.append(GenerationPrompt(text, kwargs))
    text = generation_prompt(renderer, _with(calls or conventions, unset), after_tool=True)
    if text is not None:
        found.append(GenerationPrompt(text, unset, after_tool=True))
    return tuple(found)


def _with(conventions: Conventions, kwargs: tuple[tuple[str, Any], ...]) -> Conventions:
    return replace(conventions, kwargs=kwargs)


def find_switches(renderer: Renderer, conventions: Conventions) -> tuple[Switch, ...]:
    """Return the variables whose value changes what is rendered."""
    compared = _compared_values(renderer.template.tree)
    found = []
    for name in free_variables(renderer):
        switch = _switch(renderer, conventions, name, compared.get(name, ()))
        if switch is not None:
            found.append(switch)
    return tuple(found)


def _switch(
    renderer: Renderer, conventions: Conventions, name: str, compared: tuple[Any, ...]
) -> Switch | None:
    others = tuple((key, value) for key, value in conventions.kwargs if key != name)
    unset = _prints(renderer, _with(conventions, others))
    seen = []
    for value in (
        *compared,
        *(value for value in (True, False) if not any(value is known for known in compared)),
    ):
        printed = _prints(renderer, _with(conventions, (*others, (name, value))))
        seen.append((value, printed))
    distinct = {printed for _, printed in seen}
    if len(distinct | {unset}) < 2:
        return None
    values = tuple(value for value, _ in seen)
    return Switch(
        name, _default(renderer.template.tree, name), values, tuple(v for v, p in seen if p == unset)
    )


def _prints(renderer: Renderer, conventions: Conventions) -> tuple[str | None, ...]:
    turn = assistant_message(Turn(REASONING, CONTENT), conventions)
    system = {"role": "system", "content": SYSTEM}
    return (
        renderer.prompt(conventions, generation=True, tools=True),
        renderer.render(
            [system, user_message(conventions), turn, user_message(conventions, USER)], conventions
        ),
        renderer.render([user_message(conventions), turn], conventions),
    )


def _compared_values(tree: nodes.Template) -> dict[str, tuple[Any, ...]]:
    found: dict[str, dict[tuple[type, Any], None]] = {}
    for name, value in _comparisons(tree):
        found.setdefault(name, {})[(type(value), value)] = None
    return {name: tuple(value for _, value in values) for name, values in found.items()}


def _comparisons(tree: nodes.Template) -> Iterator[tuple[str, Any]]:
    for node in tree.find_all(nodes.Compare):
        operands = [node.expr, *(operand.expr for operand in node.ops)]
        names = [operand.name for operand in operands if isinstance(operand, nodes.Name)]
        for operand in operands:
            for value in _constants(operand):
                yield from ((name, value) for name in names)


def _constants(node: nodes.Node) -> list[Any]:
    if isinstance(node, (nodes.List, nodes.Tuple)):
        return [value for item in node.items for value in _constants(item)]
    is_scalar = isinstance(node, nodes.Const) and isinstance(node.value, (str, int, float, bool, type(None)))
    return [node.value] if isinstance(node, nodes.Const) and is_scalar else []


def _default(tree: nodes.Template, name: str) -> Any:
    """Return what the template sets where the variable is not passed: `set x = 1`, or the filter `default`."""
    for node in tree.find_all(nodes.Assign):
        if (
            isinstance(node.target, nodes.Name)
            and node.target.name == name
            and isinstance(node.node, nodes.Const)
        ):
            return node.node.value
    for filtered in tree.find_all(nodes.Filter):
        target = filtered.node
        if filtered.name in ("default", "d") and isinstance(target, nodes.Name) and target.name == name:
            values = [arg.value for arg in filtered.args if isinstance(arg, nodes.Const)]
            return values[0] if values else None
    return None
