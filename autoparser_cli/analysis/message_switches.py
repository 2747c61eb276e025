"""Texts that switch something from inside a message, such as `/no_think` -> a switch of its own kind.

Which texts it could be is read off the syntax tree (what the template looks for in others); one is a switch where a prompt with it
differs in more than the text itself. Markers are none: what is printed or stripped around content is found elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.analysis.conversations import Conventions, Renderer, user_message
from autoparser_cli.analysis.model import GenerationPrompt, Switch
from autoparser_cli.analysis.probes import SYSTEM, USER
from autoparser_cli.diffing.segments import marker_spans

#: The name of the switch; no variable of a template has spaces in its name.
IN_MESSAGE = "text of a message"

Prompts = tuple[tuple[str, str], ...]


def message_switches(renderer: Renderer, base: Conventions) -> tuple[Switch, ...]:
    """Return one switch with every text that a template acts on, or nothing.

    A text that changes nothing is one of its values only where it is a part of one that does, as `think` is of `/no_think`.
    """
    phrases = _phrases(renderer)
    plain = _prompts(renderer, base, "") if phrases else ()
    alike = {phrase: _prompts(renderer, base, phrase) == plain for phrase in phrases}
    acting = [phrase for phrase, is_alike in alike.items() if not is_alike]
    values = tuple(phrase for phrase in alike if any(_letters(phrase) in _letters(other) for other in acting))
    unset = tuple(phrase for phrase in values if alike[phrase])
    return (Switch(IN_MESSAGE, None, values, unset, in_message=True),) if values else ()


def _letters(phrase: str) -> str:
    return "".join(filter(str.isalnum, phrase))


def message_prompts(
    renderer: Renderer, base: Conventions, switches: tuple[Switch, ...]
) -> Iterator[GenerationPrompt]:
    """Yield the prompts under each text, where some text makes the prompt end otherwise."""
    switches = tuple(switch for switch in switches if switch.in_message)
    plain = _added(_prompts(renderer, base, "")) if switches else ""
    for switch in switches:
        found = [(value, _added(_prompts(renderer, base, value))) for value in switch.values]
        if any(text != plain for _, text in found):
            yield from (GenerationPrompt(text, ((switch.name, value),)) for value, text in found)


def _phrases(renderer: Renderer) -> tuple[str, ...]:
    return tuple(
        phrase for phrase in renderer.source.phrases if phrase.strip() and not any(marker_spans(phrase))
    )


def _prompts(renderer: Renderer, base: Conventions, phrase: str) -> Prompts:
    """Render questions with the text in the user's and in a system message; the text itself is taken out of the render."""
    told = {"role": "system", "content": f"{SYSTEM} {phrase}" if phrase else SYSTEM}
    asked = user_message(base)
    if phrase and isinstance(asked["content"], str):
        asked = {**asked, "content": f"{asked['content']} {phrase}"}
    found = []
    for messages in ([asked], [told, user_message(base)]):
        texts = [renderer.render(messages, base, generation=generation) or "" for generation in (False, True)]
        before, behind = (_without(phrase, text) for text in texts)
        found.append((before, behind))
    return tuple(found)


def _without(phrase: str, text: str) -> str:
    """Take the text off the ends of the messages that it was put behind, also where the template has dropped it itself."""
    for needle in (USER, SYSTEM):
        text = text.replace(f"{needle} {phrase}", needle).replace(f"{needle} ", needle)
    return text


def _added(prompts: Prompts) -> str:
    """Return what the prompts for an answer have behind those without; the first that differs from no prompt."""
    before, behind = prompts[0]
    return behind.removeprefix(before)
