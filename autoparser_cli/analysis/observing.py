"""Renders of a turn with every combination of its parts -> the shapes that were seen, each cut where the model's own text begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from autoparser_cli.analysis.conversations import Conventions, Renderer, Turn, assistant_message, user_message
from autoparser_cli.analysis.model import TurnPart
from autoparser_cli.analysis.probes import CONTENT, LATER, REASONING
from autoparser_cli.analysis.reasoning import Stripped
from autoparser_cli.analysis.shapes import (
    TurnShape,
    core,
    cut_turn,
    shape_of,
    shared_start,
    turn_text,
    user_tail,
)
from autoparser_cli.analysis.tools import CALLS, CallProbe, calls_text
from autoparser_cli.diffing.segments import first_marker
from autoparser_cli.frozen import frozen

Shapes = Mapping[frozenset[TurnPart], TurnShape]


@frozen
class Observed:
    """All that was seen of turns.

    `shapes` by the parts that were asked for; `bare` are openings of turns without reasoning, earlier ones too; `prompts` are
    generation prompts, `user_tail` what a prompt prints behind the user without one; `earlier_tail` is what stands between an
    earlier turn's content and the next user's text.
    """

    shapes: Mapping[frozenset[TurnPart], TurnShape]
    bare: tuple[str, ...]
    prompts: tuple[str, ...]
    user_tail: str
    stripped_start: str = ""
    stripped_end: str = ""
    earlier_tail: str = ""


def observe(
    renderer: Renderer,
    text: Conventions,
    probed: tuple[Conventions, CallProbe] | None,
    prompts: tuple[str, ...],
    stripped: Stripped | None,
    *,
    reasoned: bool,
) -> Observed:
    """Render turns with every combination of parts; `probed` is how calls are given and what is known of them, `reasoned` tells
    whether turns show reasoning.
    """
    bare, earlier_tail = _earlier_turn(renderer, text)
    return Observed(
        _all_shapes(renderer, text, probed, reasoned),
        bare,
        prompts,
        user_tail(renderer, text),
        stripped.start + stripped.before if stripped else "",
        stripped.end + stripped.after if stripped else "",
        earlier_tail,
    )


def _all_shapes(
    renderer: Renderer, text: Conventions, probed: tuple[Conventions, CallProbe] | None, reasoned: bool
) -> Shapes:
    shapes: dict[frozenset[TurnPart], TurnShape] = {}
    for reasoning in (None, REASONING) if reasoned else (None,):
        turn = Turn(reasoning, CONTENT)
        found = turn_text(renderer, turn, text)
        if found is not None and (shape := shape_of(found, turn, None)) is not None:
            shapes[frozenset(shape.parts)] = shape
        if probed is None:
            continue
        for content in (None, CONTENT):
            shape_with_calls = _calls_shape(renderer, *probed, Turn(reasoning, content))
            if shape_with_calls is not None:
                shapes[frozenset(shape_with_calls.parts)] = shape_with_calls
    return shapes


def _calls_shape(renderer: Renderer, called: Conventions, probe: CallProbe, turn: Turn) -> TurnShape | None:
    """Return the shape of a turn with a call; of the parts that the template does not print beside one it has none."""
    found = calls_text(renderer, called, CALLS[:1], turn)
    if found is None:
        return None
    for wanted in (turn, replace(turn, content=None), replace(turn, reasoning=None), Turn()):
        shape = shape_of(found.text, wanted, probe.span(found))
        if shape is not None:
            return shape
    return None


def _earlier_turn(renderer: Renderer, text: Conventions) -> tuple[tuple[str, ...], str]:
    """Return the opening of an earlier turn, which many templates print without reasoning, and what stands behind it."""
    messages = [
        user_message(text),
        assistant_message(Turn(content=CONTENT), text),
        user_message(text, LATER),
    ]
    rendered = renderer.render(messages, text)
    if rendered is None:
        return (), ""
    opening, found, behind = cut_turn(renderer, rendered, text).partition(CONTENT)
    return ((opening,), behind.partition(LATER)[0]) if found else ((), "")


def from_prompt(seen: Observed) -> Observed:
    """Let every turn begin where the generation prompt would: what stands in front of it is the user's, and may vary.

    Some templates print the next prompt behind every turn, whether asked to or not; it is no part of the turn.
    """
    seen = replace(seen, shapes=_even_tails(seen.shapes))
    prompt = shared_start([text for text in seen.prompts if text])
    if not core(prompt) or not seen.shapes:
        return seen
    seen = replace(
        seen,
        shapes={parts: shape.ending(shape.tail.removesuffix(prompt)) for parts, shape in seen.shapes.items()},
        user_tail=seen.user_tail.removesuffix(prompt),
    )
    seen = _of_the_model(seen, prompt)
    openings = [shape.opening for shape in seen.shapes.values()] + list(seen.bare)
    if any(prompt not in opening for opening in openings):
        return seen
    return replace(
        seen,
        shapes={parts: shape.behind(shape.opening.find(prompt)) for parts, shape in seen.shapes.items()},
        bare=tuple(opening[opening.find(prompt) :] for opening in seen.bare),
        user_tail="",
    )


def _of_the_model(seen: Observed, prompt: str) -> Observed:
    """Leave out turns that are quoted inside the prompt and never begin as the prompt says, where others do."""
    marker = first_marker(prompt)
    shapes = {parts: shape for parts, shape in seen.shapes.items() if marker in shape.opening}
    if not shapes:
        return seen
    return replace(seen, shapes=shapes, bare=tuple(text for text in seen.bare if marker in text))


def _even_tails(shapes: Mapping[frozenset[TurnPart], TurnShape]) -> dict[frozenset[TurnPart], TurnShape]:
    """Let all turns end with the white space that they share: what some have more of it tells nothing."""
    tails = [shape.tail for shape in shapes.values() if core(shape.tail)]
    white = shared_start([tail[len(tail.rstrip()) :] for tail in tails])
    return {
        parts: shape.ending(shape.tail.rstrip() + white) if core(shape.tail) else shape
        for parts, shape in shapes.items()
    }


def literals(shapes: Iterable[TurnShape], before: TurnPart, after: TurnPart) -> list[str]:
    """Return all literals seen between two parts, without repetition, in order."""
    found = [
        text for shape in shapes for left, right, text in shape.pairs() if (left, right) == (before, after)
    ]
    return list(dict.fromkeys(found))
