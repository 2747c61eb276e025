"""Which message shapes a template understands, found by trying them.

The usual shape comes first; another one is taken only where the usual one raises or leaves out what it should show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from autoparser_cli.analysis.conversations import (
    ABSENT,
    PROBE_TOOLS,
    REASONING_FIELDS,
    Call,
    Conventions,
    Renderer,
    Turn,
)
from autoparser_cli.analysis.probes import CANARY, CONTENT, KEYS, REASONING
from autoparser_cli.analysis.shapes import turn_text, user_tail
from autoparser_cli.analysis.supplies import supply
from autoparser_cli.analysis.tools import CALLS, CallsText, calls_text
from autoparser_cli.diffing.segments import first_marker
from autoparser_cli.diffing.split import common_prefix_length

#: The variables that Hugging Face, llama.cpp, vLLM and SGLang pass to switch thinking on.
THINKING_SWITCHES = ("enable_thinking", "thinking")

#: What every engine passes, so no switch of the template.
STANDARD_VARIABLES = frozenset(
    (
        "messages",
        "tools",
        "add_generation_prompt",
        "bos_token",
        "eos_token",
        "pad_token",
        "unk_token",
        "sep_token",
        "cls_token",
        "mask_token",
    )
)


def free_variables(renderer: Renderer) -> tuple[str, ...]:
    """Return the variables that the template reads beyond the standard ones, sorted."""
    undeclared = renderer.template.variables - STANDARD_VARIABLES
    return tuple(name for name in renderer.source.variables if name in undeclared)


#: What a template may need instead of the usual shape before anything renders.
_UNUSUAL: tuple[dict[str, Any], ...] = (
    {"parts": True},
    {"needs_tools": True},
    {"system_first": True},
    {"parts": True, "system_first": True},
    {"needs_tools": True, "system_first": True},
    {"parts": True, "needs_tools": True},
    {"parts": True, "needs_tools": True, "system_first": True},
)


def base_conventions(renderer: Renderer) -> Conventions | None:
    """Find conventions under which a user's turn and a plain answer render; None where nothing does."""
    switches = {name: True for name in THINKING_SWITCHES if name in renderer.template.variables}
    tokens = dict.fromkeys(_missing_tokens(renderer), "")
    first = Conventions(kwargs=tuple({**tokens, **switches}.items()))

    def shows(candidate: Conventions) -> bool:
        text = turn_text(renderer, Turn(content=CONTENT), candidate)
        return text is not None and text.count(CONTENT) == 1

    usual = (first, *(replace(first, **changes) for changes in _UNUSUAL))
    for candidate in usual:
        if shows(candidate):
            return candidate
    for candidate in usual:
        supplied = supply(candidate, free_variables(renderer), shows)
        if supplied is not None:
            return supplied
    for candidate in (first, replace(first, parts=True)):
        if renderer.prompt(candidate, generation=False) is not None:
            return candidate
    return None


def _missing_tokens(renderer: Renderer) -> list[str]:
    """Return the special tokens that the template reads and that came without a text, as with a bare file.

    Not those that it has a text for itself.
    """
    template, known = renderer.template, renderer.source.variables
    names = sorted(name for name in template.variables & STANDARD_VARIABLES if name.endswith("_token"))
    missing = [name for name in names if name not in template.special_tokens]
    return [name for name in missing if name not in known or not known[name].default]


def call_conventions(renderer: Renderer, base: Conventions) -> Iterator[Conventions]:
    """Yield the conventions under which a call renders with its name, its id or both, and its arguments.

    The likeliest first; none that renders a call as another one did.
    """
    put_off: list[tuple[int, Conventions]] = []
    known: set[str] = set()
    for candidate in _call_candidates(renderer, base):
        found = calls_text(renderer, candidate, CALLS[:1])
        if found is None or CANARY in found.text or found.text in known:
            continue
        if _prompt_grows(renderer, base, candidate):
            continue
        known.add(found.text)
        flaws = _flaws(renderer, candidate, found)
        if flaws:
            put_off.append((flaws, candidate))
        else:
            yield candidate
    yield from (candidate for _, candidate in sorted(put_off, key=lambda item: item[0]))


def _prompt_grows(renderer: Renderer, base: Conventions, candidate: Conventions) -> bool:
    """Tell whether what was supplied puts more behind the question, such as a search that the template makes up."""
    if candidate.kwargs == base.kwargs:
        return False
    return user_tail(renderer, candidate) != user_tail(renderer, base)


def _flaws(renderer: Renderer, conventions: Conventions, found: CallsText) -> int:
    """Count what tells that a template expects the call in another shape."""
    if conventions.arguments_as_string:
        twice = f'{{\\"{KEYS[0]}\\"' in found.text
        return 2 * twice + _opens_another_turn(renderer, conventions, found)
    return _spells_python(renderer, conventions, found) + _opens_another_turn(renderer, conventions, found)


def _opens_another_turn(renderer: Renderer, conventions: Conventions, found: CallsText) -> bool:
    """Tell whether a further assistant turn begins behind the call: its content was not to be there."""
    prompt = renderer.prompt(conventions, generation=True) or ""
    plain = renderer.prompt(conventions, generation=False) or ""
    added = prompt[common_prefix_length(plain, prompt) :]
    opener = first_marker(added)
    return bool(opener) and opener in found.text[found.calls[-1].end :]


def _call_candidates(renderer: Renderer, base: Conventions) -> Iterator[Conventions]:
    contents: tuple[str | None, ...] = ("", ABSENT, None)
    for answered in (False, True):
        for content in contents:
            for as_string in (False, True):
                yield replace(base, call_content=content, arguments_as_string=as_string, answered=answered)
    yield replace(base, flat_calls=True)
    for as_string in (False, True):
        yield replace(base, flat_tools=True, arguments_as_string=as_string)
    yield replace(base, text_values=True)

    def shows(candidate: Conventions) -> bool:
        return calls_text(renderer, candidate, CALLS[:1]) is not None

    supplied = supply(base, free_variables(renderer), shows)
    if supplied is not None:
        yield supplied


def _spells_python(renderer: Renderer, conventions: Conventions, found: CallsText) -> bool:
    """Tell whether arguments given as an object come out as a Python dict: the template expects JSON text."""
    if f"{{'{KEYS[0]}': " not in found.text:
        return False
    call = Call(arguments={KEYS[0]: "Zit", KEYS[1]: True})
    text = turn_text(renderer, Turn(calls=(call,)), conventions, PROBE_TOOLS) or ""
    return f"{{'{KEYS[0]}': 'Zit', '{KEYS[1]}': True}}" in text


# ------------------------------------------------------------------------------------------------------- reasoning


def reasoning_conventions(
    renderer: Renderer, base: Conventions, calls: Conventions | None
) -> Conventions | None:
    """Find where reasoning is read from; None where no place shows it, with content or with a call."""
    places = _reasoning_places(renderer)
    for place in places:
        candidate = replace(base, reasoning_place=place)
        if _shows_reasoning(renderer, candidate, calls and replace(calls, reasoning_place=place)):
            return candidate
    for name in free_variables(renderer) if places else ():
        candidate = base.with_kwargs(**{name: True})
        if _shows_reasoning(renderer, candidate, calls and calls.with_kwargs(**{name: True})):
            return candidate
    return None


#: Parts of the names that templates give to a message's reasoning where it is none of the usual names.
_NAMES_REASONING = re.compile(r"think|thought|reason|analy|rational|reflect|scratch|(?:^|_)cot(?:_|$)")


def _reasoning_places(renderer: Renderer) -> list[str]:
    """Return where reasoning may stand in a message; a field that the template spells nowhere it cannot read."""
    source = renderer.template.source
    fields = [name for name in REASONING_FIELDS if name in source]
    structures = [place for place in ("part:thinking", "block:thoughts") if place.partition(":")[2] in source]
    others = sorted(name for name in renderer.source.message_fields if _NAMES_REASONING.search(name))
    places = [*(["fields"] if fields else []), *fields, *structures, *others]
    return list(dict.fromkeys(places))


def _shows_reasoning(renderer: Renderer, conventions: Conventions, calls: Conventions | None) -> bool:
    text = turn_text(renderer, Turn(REASONING, CONTENT), conventions)
    if _shown_once(text):
        return True
    if calls is None:
        return False
    return _shown_once(turn_text(renderer, Turn(REASONING, calls=CALLS[:1]), calls, PROBE_TOOLS))


def _shown_once(text: str | None) -> bool:
    return text is not None and text.count(REASONING) == 1 and CANARY not in text


def reasoning_field(renderer: Renderer, conventions: Conventions, calls: Conventions | None) -> str:
    """Return the one message field that reasoning is read from, or the part or block it is."""
    if conventions.reasoning_place != "fields":
        return conventions.reasoning_place.partition(":")[2] or conventions.reasoning_place
    for name in REASONING_FIELDS:
        alone = replace(conventions, reasoning_place=name)
        if _shows_reasoning(renderer, alone, calls and replace(calls, reasoning_place=name)):
            return name
    return REASONING_FIELDS[0]
