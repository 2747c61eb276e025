"""The variables that a template reads beyond the standard ones -> switches with their values.

What to try is read off the syntax tree (constants compared, defaults); whether a value is accepted and makes a difference is found by
rendering the same conversations with and without it. A difference that shows only beside another switch is found too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from autoparser_cli.analysis.conventions import THINKING_SWITCHES, free_variables
from autoparser_cli.analysis.conversations import (
    PROBE_TOOLS,
    Call,
    Conventions,
    Renderer,
    Turn,
    assistant_message,
    result_message,
    tool_entry,
    user_message,
)
from autoparser_cli.analysis.message_switches import message_switches
from autoparser_cli.analysis.model import Switch
from autoparser_cli.analysis.probes import CONTENT, LATER, NAMES, REASONING, SYSTEM
from autoparser_cli.analysis.source_variables import SourceVariable
from autoparser_cli.frozen import frozen

#: Stands for any text; no template prints it on its own as often as it is passed.
TEXT = "TEXT"
BOOLEANS = (True, False)
#: Tried where neither text nor a boolean does anything; the first that a template accepts and shows is taken.
STRUCTURES: tuple[Any, ...] = (
    [tool_entry(NAMES[0])],
    [TEXT],
    {NAMES[0]: TEXT},
    {"type": "json_object"},
    {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}},
)
#: What Hugging Face or the OpenAI API documents for a variable; templates often compare with some of the values only.
DOCUMENTED_VALUES: dict[str, tuple[Any, ...]] = {
    "reasoning_effort": ("low", "medium", "high"),
    "documents": ([{"doc_id": "1", "title": TEXT, "text": TEXT, "contents": TEXT}],),
    "response_format": ({"type": "json_object"},),
}

Kwargs = tuple[tuple[str, Any], ...]
Texts = tuple[str | None, ...]


def passed_variables(conventions: Conventions) -> Kwargs:
    """Return what is passed in any case: variables that the template needs, not those that switch thinking."""
    return tuple((key, value) for key, value in conventions.kwargs if key not in THINKING_SWITCHES)


def find_switches(renderer: Renderer, base: Conventions, calls: Conventions | None) -> tuple[Switch, ...]:
    """Return the variables of which some value changes what is rendered, and those that must be passed."""
    names = free_variables(renderer)
    spoken = message_switches(renderer, replace(base, kwargs=passed_variables(base)))
    if not names:
        return spoken
    trial = Trial(renderer, passed_variables(base), trial_conversations(renderer, base, calls))
    found = {name: _switch(trial, renderer.source.variables[name], ()) for name in names}
    flips = [switch.name for switch in found.values() if switch is not None and turns_on_and_off(switch)]
    for name in names:
        for beside in _settings(flips, name) if found[name] is None else ():
            found[name] = found[name] or _switch(trial, renderer.source.variables[name], beside)
    return (*(switch for switch in found.values() if switch is not None), *spoken)


def turns_on_and_off(switch: Switch) -> bool:
    """Tell whether true and false are both accepted."""
    return all(any(value is one for value in switch.values) for one in BOOLEANS)


def _settings(flips: Sequence[str], name: str) -> Iterator[Kwargs]:
    others = [flip for flip in flips if flip != name]
    for value in BOOLEANS if others else ():
        yield tuple((other, value) for other in others)


# ------------------------------------------------------------------------------------------------------- one switch


@frozen
class TrialConversation:
    """A conversation that switches are tried in, under the message shapes that the template takes."""

    messages: list[dict[str, Any]]
    conventions: Conventions
    tools: bool = False
    generation: bool = True


class Trial:
    """The conversations that switches are tried in, with the variables that are passed in any case."""

    def __init__(
        self, renderer: Renderer, passed: Kwargs, conversations: Sequence[TrialConversation]
    ) -> None:
        self._renderer = renderer
        self._passed = passed
        self._conversations = [
            known for known in conversations if self._text(known, passed) is not None
        ] or conversations

    def texts(self, name: str, beside: Kwargs, value: tuple[Any, ...] = (), *, until: Texts = ()) -> Texts:
        """Render every conversation with the variable set to the value, or left out.

        Once a text is another one than in `until`, the rest is taken from there: a difference is all that is asked for.
        """
        kwargs = tuple((key, known) for key, known in self._passed if key != name) + beside
        kwargs += tuple((name, one) for one in value)
        found: list[str | None] = []
        for known in self._conversations:
            if until and found and found[-1] != until[len(found) - 1]:
                return (*found, *until[len(found) :])
            found.append(self._text(known, kwargs))
        return tuple(found)

    def _text(self, known: TrialConversation, kwargs: Kwargs) -> str | None:
        tools = PROBE_TOOLS if known.tools else None
        conventions = replace(known.conventions, kwargs=kwargs)
        return self._renderer.render(known.messages, conventions, generation=known.generation, tools=tools)


def _switch(trial: Trial, variable: SourceVariable, beside: Kwargs) -> Switch | None:
    """Try groups of values until one makes a difference; the constants of the template are told in any case.

    Values that render everywhere are looked for first, then known ones that render in some conversations only.
    """
    unset = trial.texts(variable.name, beside)
    groups = list(_groups(variable))[: 1 if beside else None]  # beside others, nothing is guessed
    until = unset if variable.only_tested else ()
    for everywhere, some in ((True, groups), (False, groups[:1])):
        told: list[tuple[Any, bool]] = []
        for number, group in enumerate(some):
            tried = told if number == 0 else []
            for value in group:
                texts = trial.texts(variable.name, beside, (value,), until=until)
                if _accepted(value, texts, unset, known=number < 2, everywhere=everywhere):
                    tried.append((value, texts == unset))
            if not all(is_alike for _, is_alike in tried):
                return _as_switch(variable, told if tried is told else told + tried)
    return None


def _as_switch(variable: SourceVariable, tried: Sequence[tuple[Any, bool]]) -> Switch:
    alike = tuple(value for value, is_alike in tried if is_alike)
    return Switch(variable.name, variable.default, tuple(value for value, _ in tried), alike)


def _groups(variable: SourceVariable) -> Iterator[Sequence[Any]]:
    """Yield values to try, the likeliest first; where only the truth of a value counts, nothing but true and false."""
    if variable.only_tested and not variable.constants:
        yield BOOLEANS
        return
    documented = DOCUMENTED_VALUES.get(variable.name, ())
    compared = [value for value in variable.constants if value != ""]
    known = [*compared, *documented]
    if variable.default is not None:
        known.append(variable.default)
    if any(isinstance(value, bool) for value in known):
        known = [value for value in known if not isinstance(value, bool)] + list(BOOLEANS)
    elif isinstance(variable.default, int):
        known.append(variable.default + 1)
    elif not compared:
        known.append(TEXT)
    yield _distinct(known)
    yield BOOLEANS
    for structure in STRUCTURES:
        yield (structure,)


def _distinct(values: Sequence[Any]) -> list[Any]:
    return list({repr(value): value for value in values}.values())


def _accepted(value: Any, texts: Texts, unset: Texts, *, known: bool, everywhere: bool) -> bool:
    """Tell whether a value renders, `everywhere`: wherever none renders.

    Free text must be printed, and a structure that is only a guess must not be printed as Python's text of it.
    """
    pairs = list(zip(texts, unset, strict=True))
    if not any(text is not None for text, _ in pairs):
        return False
    if everywhere and any(text is None and plain is not None for text, plain in pairs):
        return False
    if value == TEXT:
        return any(_more(TEXT, text, plain) for text, plain in pairs)
    return known or not any(_more("{'", text, plain) for text, plain in pairs)


def _more(sign: str, text: str | None, plain: str | None) -> bool:
    return (text or "").count(sign) > (plain or "").count(sign)


# ---------------------------------------------------------------------------------------------------- conversations


def trial_conversations(
    renderer: Renderer, base: Conventions, calls: Conventions | None
) -> tuple[TrialConversation, ...]:
    """Return the conversations that switches are tried in; `calls` are the message shapes with calls."""
    system = {"role": "system", "content": SYSTEM}
    question = user_message(base)
    answer = assistant_message(Turn(REASONING, CONTENT), base)
    asked_again = [system, question, answer, user_message(base, LATER)]
    marked = _with_marks(renderer, base, asked_again)
    found = [
        TrialConversation([question], base),
        TrialConversation(marked or asked_again, base, tools=calls is None),
        TrialConversation([question, answer], base, generation=False),
    ]
    seen = [kind for kind in ("image", "video") if kind in renderer.template.source]
    if seen:
        parts = [*({"type": kind} for kind in seen), {"type": "text", "text": "Zseen"}]
        found.append(TrialConversation([{"role": "user", "content": parts}], base))
    if calls is not None:
        turn = assistant_message(Turn(REASONING, calls=(Call(),)), calls)
        found.append(TrialConversation([question, turn, result_message(Call())], calls, tools=True))
    return tuple(found)


def _with_marks(
    renderer: Renderer, base: Conventions, asked_again: list[dict[str, Any]]
) -> list[dict[str, Any]] | None:
    """Return a longer conversation with an answer that has all that the template looks for in texts, if it renders."""
    marks = [phrase for phrase in renderer.source.phrases if not phrase.isalnum()]
    if not marks:
        return None
    marked = assistant_message(Turn(content="Z".join([CONTENT, *marks, CONTENT])), base)
    messages = [*asked_again, marked, asked_again[-1], asked_again[2], asked_again[-1]]
    return messages if renderer.render(messages, base, generation=True) is not None else None
