"""An inference -> its proof: turns it has not used are rendered, cut out, parsed with its own parser and compared."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from autoparser_cli.analysis.candidates import Inference
from autoparser_cli.analysis.capabilities import CONTENT_AS_REASONING
from autoparser_cli.analysis.conversations import (
    Call,
    Conventions,
    Turn,
    tool_entry,
    user_message,
)
from autoparser_cli.analysis.model import Proof, ProofStep, TemplateAnalysis
from autoparser_cli.analysis.probes import DESCRIPTION, RESULT, USER
from autoparser_cli.analysis.shapes import tools_behind, user_tail
from autoparser_cli.messages import Message, ToolSpec, read_tools
from autoparser_cli.parsing import OutputParser, build_parser
from autoparser_cli.templates import Kept
from autoparser_cli.verification.first_difference import (
    RenderedTurn,
    Tools,
    differing_offset,
    line_that_wrote,
)


def _tool(name: str, **types: str) -> dict[str, Any]:
    """Return a tool whose parameters are described, as some templates demand."""
    return tool_entry(name, {key: {"type": kind, "description": "Zd"} for key, kind in types.items()})


_LOOK_UP = _tool("look_up", city="string", text="string", metric="boolean")
_SEND_IT = _tool(
    "send_it",
    text="string",
    days="integer",
    ratio="number",
    metric="boolean",
    nothing="null",
    names="array",
    options="object",
)
#: By name, what a turn that calls it is rendered with: the tool that is called and no other.
_TOOLS = {"look_up": Kept([_LOOK_UP]), "send_it": Kept([_SEND_IT])}
_SPECS: tuple[ToolSpec, ...] = read_tools([_LOOK_UP, _SEND_IT])

_WEATHER = Call("look_up", {"city": "Lyon, Isère"}, "Ab3dE6gH9")
_MIXED = Call(
    "send_it",
    {
        "text": 'two\nlines with "quotes" & <b>',
        "days": 3,
        "ratio": 0.5,
        "metric": False,
        "nothing": None,
        "names": ["a, b", "c"],
        "options": {"deep": [1, None, True, "x"]},
    },
    "Zz8yX5wV2",
)
_ODD = Call("look_up", {"text": "if a < b && {c}: it's [5]\\n", "metric": True}, "Qq1rR2sS3")
_EMPTY = Call("send_it", {}, "Mm4nN5oO6")
_NEARBY = Call("look_up", {"city": "Zürich", "metric": False}, "Tt7uU8vV9")

_CONTENT = "Here you are.\n\nTwo paragraphs, 1 < 2."
_ONE_LINE = "Of course, in a minute."
_REASONING = "First this.\nThen that: {x}?"

TURNS: tuple[tuple[str, Turn], ...] = (
    ("content", Turn(content=_CONTENT)),
    ("reasoning and content", Turn(_REASONING, _CONTENT)),
    ("call", Turn(calls=(_WEATHER,))),
    ("every type", Turn(calls=(_MIXED,))),
    ("odd text", Turn(calls=(_ODD,))),
    ("no arguments", Turn(calls=(_EMPTY,))),
    ("two calls", Turn(calls=(_WEATHER, _ODD))),
    ("three calls", Turn(calls=(_WEATHER, _ODD, _NEARBY))),
    ("content and call", Turn(content="I look it up.", calls=(_WEATHER,))),
    ("reasoning and call", Turn(_REASONING, calls=(_WEATHER,))),
)


def prove(inference: Inference) -> Proof:
    """Return the steps of a proof; a turn that the template refuses or shows only in part is not tried."""
    parser = build_parser(inference.analysis, tools=_SPECS, generation_prompt="")
    return Proof(tuple(_steps(inference, parser)))


def _steps(inference: Inference, parser: OutputParser) -> Iterator[ProofStep]:
    for name, turn in TURNS:
        shown = _shown(inference, turn)
        if shown is None:
            continue
        conventions, kept = shown
        rendered = _rendered(inference, kept, conventions)
        if rendered is None and kept.content == _CONTENT:
            # Some templates change the lines of a content.
            rendered = _rendered(inference, replace(kept, content=_ONE_LINE), conventions)
        if rendered is not None:
            yield _step(name, parser, rendered, inference)


def _shown(inference: Inference, turn: Turn) -> tuple[Conventions, Turn] | None:
    """Return the conventions of a turn, and the turn as far as the template shows such turns."""
    if turn.reasoning is not None and not inference.reasoning:
        return None
    if not turn.calls:
        return inference.text, turn
    if inference.calls is None:
        return None
    return inference.calls, turn


def _rendered(inference: Inference, turn: Turn, conventions: Conventions) -> RenderedTurn | None:
    """Render the turn and find what the model writes of it: what stands behind the prompt; None where a part does not show."""
    analysis = inference.analysis
    tools = _TOOLS[turn.calls[0].name] if turn.calls else None
    if len(turn.calls) > 1 and analysis.calls is not None and not analysis.calls.parallel:
        return None
    text = inference.renderer.turn(turn, conventions, tools=tools)
    if text is None:
        return None
    text = _without_the_rest(inference, text, conventions, tools)
    header = analysis.turn.header
    place = text.find(header, _prompt_length(inference, conventions, tools, text))
    if place < 0:
        return None
    start = place + len(header)
    text = text[: _turn_end(analysis, text, start)]
    wanted = (turn.content, turn.reasoning, *(call.name for call in turn.calls))
    if any(part is not None and part not in text[start:] for part in wanted):
        return None
    return RenderedTurn(turn, conventions, tools, text, start)


def _without_the_rest(inference: Inference, text: str, conventions: Conventions, tools: Tools) -> str:
    """Leave out what stands behind the question and is not of the turn: the tools, and the results of its calls."""
    asked, question, behind = text.rpartition(USER)
    if tools and DESCRIPTION in behind:
        behind = behind.replace(tools_behind(inference.renderer, conventions, tools), "", 1)
    end = inference.analysis.turn.end.strip()
    if conventions.answered and end and RESULT in behind:
        at = behind.rfind(end, 0, behind.find(RESULT))
        behind = behind[: at + len(end)] if at >= 0 else behind
    return asked + question + behind


def _turn_end(analysis: TemplateAnalysis, text: str, start: int) -> int:
    """Return where what the model writes ends: a template may go on with another turn of the assistant.

    Where a turn is several messages, each opens like a turn, and nothing tells.
    """
    end, header = analysis.turn.end.strip(), analysis.turn.header.strip()
    if not end or not header:
        return len(text)
    reopened = re.compile(rf"{re.escape(end)}\s*{re.escape(header)}")
    within = [joint.text for joint in analysis.turn.joints]
    within += [analysis.calls.separator] if analysis.calls is not None else []
    again = None if any(map(reopened.search, within)) else reopened.search(text, start)
    return again.start() + len(end) if again else len(text)


def _prompt_length(inference: Inference, conventions: Conventions, tools: Tools, text: str) -> int:
    """Return how much stands before the turn: all up to what follows a question, or the prompt that the text goes on from.

    A prompt that opens the turn without being asked to has the header already.
    """
    renderer, header = inference.renderer, inference.analysis.turn.header
    asked = text.rfind(USER) + len(USER) if USER in text else 0
    tail = user_tail(renderer, conventions)
    follows = text.startswith(tail, asked)
    if asked and follows and header.strip():
        return asked + len(tail.removesuffix(header))
    prompt = renderer.render([user_message(conventions)], conventions, tools=tools)
    if prompt and text.startswith(prompt):
        return len(prompt.removesuffix(header))
    return asked + len(tail) if follows and not header else asked


def _as_read(turn: Turn, analysis: TemplateAnalysis) -> Turn:
    """Return what a turn can be read as: content that stands beside calls as reasoning does is told apart by nothing."""
    as_reasoning = analysis.capabilities.content_with_calls == CONTENT_AS_REASONING
    if as_reasoning and turn.calls and turn.content and not turn.reasoning:
        return replace(turn, reasoning=turn.content, content=None)
    return turn


def _step(name: str, parser: OutputParser, rendered: RenderedTurn, inference: Inference) -> ProofStep:
    renderer = inference.renderer
    output = rendered.text[rendered.start :]
    result = parser.parse(output)
    if result.error is not None:
        expected = ", ".join(result.error.expected)
        detail = f"stopped at offset {result.error.offset}: expected {expected}"
        offset = rendered.start + result.error.offset
    else:
        detail = _difference(result.message, _as_read(rendered.turn, inference.analysis))
        if not detail:
            return ProofStep(name, True)
        offset = differing_offset(renderer, rendered, result.message)
    return ProofStep(name, False, f"{detail}, in {output!r}", line_that_wrote(renderer, rendered, offset))


def _difference(message: Message, turn: Turn) -> str:
    """Name the first thing that came back otherwise, and what it was rendered from."""
    if message.content.strip() != (turn.content or "").strip():
        return _instead("content", message.content, turn.content or "")
    if message.reasoning_content.strip() != (turn.reasoning or "").strip():
        return _instead("reasoning", message.reasoning_content, turn.reasoning or "")
    if len(message.tool_calls) != len(turn.calls):
        return f"{len(message.tool_calls)} calls instead of {len(turn.calls)}"
    for found, call in zip(message.tool_calls, turn.calls, strict=True):
        if found.name != call.name:
            return _instead("name", found.name, call.name)
        arguments, wanted = json.loads(found.arguments), dict(call.arguments)
        if not _equal(arguments, wanted):
            return _differing_argument(arguments, wanted)
    return ""


def _differing_argument(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    for name in [*wanted, *found]:
        if name not in found:
            return f"the argument `{name}` is missing"
        if name not in wanted:
            return f"the argument `{name}` was not given"
        if not _equal(found[name], wanted[name]):
            return _instead(f"the argument `{name}`", found[name], wanted[name])
    return ""


def _instead(what: str, found: object, wanted: object) -> str:
    return f"{what} is {_written(found)} instead of {_written(wanted)}"


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _equal(left: Any, right: Any) -> bool:
    """Compare JSON values; true is not 1."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
