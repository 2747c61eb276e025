"""A template -> what its prompts end with for the model to go on: by default, for each value of a switch, behind a tool result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autoparser_cli.analysis.conventions import THINKING_SWITCHES
from autoparser_cli.analysis.conversations import Conventions, Renderer, Turn, assistant_message, user_message
from autoparser_cli.analysis.message_switches import message_prompts
from autoparser_cli.analysis.model import GenerationPrompt, Switch
from autoparser_cli.analysis.probes import CONTENT, LATER, USER
from autoparser_cli.analysis.switches import passed_variables, turns_on_and_off
from autoparser_cli.diffing.segments import marker_spans
from autoparser_cli.diffing.split import common_prefix_length


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
    renderer: Renderer, base: Conventions, calls: Conventions | None, switches: tuple[Switch, ...]
) -> tuple[GenerationPrompt, ...]:
    """Return the prompt with nothing set, those under each value of a switch that the prompt depends on, and behind a tool result.

    A switch of thinking is listed with both values even where the prompt is the same.
    """
    passed = passed_variables(base)
    default = _text(renderer, base, passed)
    found = [] if default is None else [GenerationPrompt(default)]
    found += message_prompts(renderer, replace(base, kwargs=passed), switches)
    for switch in switches:
        found += [] if switch.in_message else _switched(renderer, base, passed, default, switch)
    after = generation_prompt(renderer, replace(calls or base, kwargs=passed), after_tool=True)
    if after is not None:
        found.append(GenerationPrompt(after, after_tool=True))
    return tuple(found)


def fixed_texts(prompts: tuple[GenerationPrompt, ...]) -> tuple[str, ...]:
    """Return the texts of the prompts, without those that print a value they were given: such text varies, and is no marker."""
    return tuple(
        prompt.text
        for prompt in prompts
        if not any(text in prompt.text for _, value in prompt.kwargs for text in _texts_in(value))
    )


def _texts_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.items() for part in item for text in _texts_in(part)]
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts_in(item)]
    return [value] if isinstance(value, str) and value else []


def _switched(
    renderer: Renderer,
    base: Conventions,
    passed: tuple[tuple[str, Any], ...],
    default: str | None,
    switch: Switch,
) -> list[GenerationPrompt]:
    others = tuple((key, value) for key, value in passed if key != switch.name)
    found = []
    for value in switch.values:
        text = _text(renderer, base, (*others, (switch.name, value)))
        if text is not None:
            found.append(GenerationPrompt(text, ((switch.name, value),)))
    is_thinking = switch.name in THINKING_SWITCHES and turns_on_and_off(switch)
    return found if is_thinking or any(prompt.text != default for prompt in found) else []


def _text(renderer: Renderer, base: Conventions, kwargs: tuple[tuple[str, Any], ...]) -> str | None:
    conventions = replace(base, kwargs=kwargs)
    added = generation_prompt(renderer, conventions)
    return _always_printed(renderer, conventions) if added == "" else added


def _always_printed(renderer: Renderer, conventions: Conventions) -> str | None:
    """Return the header of an answer that the prompt ends with even without being asked for.

    Behind a user's message stand its own ending and that header. Another message of the user has the same ending and another
    header; of the markers that both tails begin with, the one that a conversation begins with opens the header.
    """
    plain = renderer.prompt(conventions, generation=False)
    two = renderer.render([user_message(conventions), user_message(conventions, LATER)], conventions)
    if plain is None or two is None or USER not in plain or LATER not in two:
        return None if plain is None else ""
    tail = plain.rpartition(USER)[2]
    other = two.partition(USER)[2].partition(LATER)[0]
    shared = tail[: common_prefix_length(tail, other)]
    if common_prefix_length(tail, _opening(renderer, conventions)) <= len(shared):
        return ""
    spans = list(marker_spans(shared))
    for start, end in spans:
        if not _without_markers(plain[: plain.find(shared[start:end])]).strip():
            return tail[start:]
    return tail[spans[-1][1] :].lstrip() if spans else ""


def _opening(renderer: Renderer, conventions: Conventions) -> str:
    """Return what stands between a question and its answer."""
    turn = assistant_message(Turn(content=CONTENT), conventions)
    text = renderer.render([user_message(conventions), turn], conventions) or ""
    return text.partition(USER)[2].partition(CONTENT)[0]


def _without_markers(text: str) -> str:
    for start, end in reversed(list(marker_spans(text))):
        text = text[:start] + text[end:]
    return text
