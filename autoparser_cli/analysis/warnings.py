"""What a user should know of an analysis: why something was not found, what was made up, what other engines refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autoparser_cli.analysis.capabilities import CONTENT_AS_REASONING
from autoparser_cli.analysis.conventions import THINKING_SWITCHES, free_variables
from autoparser_cli.analysis.conversations import ABSENT, PROBE_TOOLS, Conventions, Renderer, Turn
from autoparser_cli.analysis.locating import read_object
from autoparser_cli.analysis.model import AnalysisWarning, CallFormat, Capabilities
from autoparser_cli.analysis.probes import CONTENT, NAMES
from autoparser_cli.analysis.shapes import turn_text
from autoparser_cli.analysis.supplies import shape_name
from autoparser_cli.analysis.tools import CALLS
from autoparser_cli.diffing.segments import marker_spans
from autoparser_cli.diffing.split import split_diff

_BRACKETS = re.compile(r"[\[{]")
_WORDS = re.compile(r"[^\W\d_]{2,}")
#: With fewer words around the list of tools, nothing is explained there.
_PROSE = 12
#: Markers named in one warning.
_MOST = 6


def find_warnings(
    renderer: Renderer,
    text: Conventions,
    called: Conventions | None,
    calls: CallFormat | None,
    capabilities: Capabilities,
) -> tuple[AnalysisWarning, ...]:
    """Return the warnings, in the order a reader wants them."""
    found = []
    if calls is None:
        found.append(_no_calls(renderer, text))
    elif called is not None:
        found += _unusual_calls(called)
    if capabilities.content_with_calls == CONTENT_AS_REASONING:
        message = "content beside calls is rendered as reasoning: the two cannot be told apart in an output"
        found.append(AnalysisWarning("content-as-reasoning", message))
    if called is None or calls is None:
        called = text
    found += _unusual_messages(renderer, text, called)
    for liberty in renderer.template.portability_warnings:
        found.append(AnalysisWarning("portability", liberty.message, liberty.line))
    return tuple(found)


def _no_calls(renderer: Renderer, text: Conventions) -> AnalysisWarning:
    error = renderer.error_about("tool_calls")
    rendered = turn_text(renderer, Turn(calls=CALLS[:1]), text, PROBE_TOOLS)
    if rendered is None and error is not None:
        return AnalysisWarning(
            "calls-refused", f"the template raises on a tool call: {renderer.why(error)}", error.line
        )
    if rendered is not None and NAMES[0] in rendered:
        return AnalysisWarning(
            "calls-unreadable", "a tool call is rendered without arguments that can be found"
        )
    with_tools = renderer.prompt(text, generation=False, tools=True)
    plain = renderer.prompt(text, generation=False)
    if with_tools is not None and plain is not None and with_tools != plain:
        return _listed_only(plain, with_tools)
    if "tool_calls" in renderer.source.fields:
        return AnalysisWarning(
            "calls-not-rendered", "the template reads `tool_calls` but prints none of a usual call"
        )
    return AnalysisWarning("tools-ignored", "the template reads neither tools nor tool calls")


def _listed_only(plain: str, with_tools: str) -> AnalysisWarning:
    """Tell of a prompt that lists tools whether it also says, in prose, how to call them."""
    around = _without_objects(split_diff(plain, with_tools).right)
    spans = list(marker_spans(around))
    outside = "".join(
        around[end:start]
        for (_, end), (start, _) in zip([(0, 0), *spans], [*spans, (len(around), 0)], strict=True)
    )
    if len(_WORDS.findall(outside)) < _PROSE:
        return AnalysisWarning(
            "calls-not-rendered", "the prompt lists the tools, but the template does not render tool calls"
        )
    found = dict.fromkeys(around[start:end] for start, end in spans)
    markers = [marker for marker in found if marker not in plain]
    naming = f", naming {' '.join(markers[:_MOST])}" if markers else ""
    return AnalysisWarning(
        "calls-in-prose",
        f"how a call is written stands only in the prompt's prose{naming}: the template does not render tool calls",
    )


def _without_objects(text: str) -> str:
    """Return a text without the JSON or Python literals in it: the definitions of the tools."""
    pieces: list[str] = []
    done = 0
    for match in _BRACKETS.finditer(text):
        if match.start() >= done:
            value, end = read_object(text, match.start())
            if value is not None:
                pieces.append(text[done : match.start()])
                done = end
    return " ".join([*pieces, text[done:]])


def _unusual_messages(
    renderer: Renderer, text: Conventions, called: Conventions
) -> Iterator[AnalysisWarning]:
    """Yield what the template needs that no engine passes by itself."""
    values = {**dict(called.kwargs), **dict(text.kwargs)}
    supplied = dict.fromkeys((*text.supplied, *called.supplied))
    if supplied:
        names = ", ".join(f"`{name}` (as {shape_name(values[name])})" for name in supplied)
        yield AnalysisWarning("needs-variables", f"the template renders only with made-up variables: {names}")
    for name, value in text.kwargs:
        if value is True and name in free_variables(renderer) and name not in (*supplied, *THINKING_SWITCHES):
            yield AnalysisWarning("needs-switch", f"reasoning is rendered only where `{name}` is true")
    for needed, code, what in (
        (text.system_first, "needs-system", "without a system message"),
        (text.needs_tools, "needs-tools", "without tools"),
        (text.parts, "needs-parts", "with content as a text instead of a list of parts"),
    ):
        if needed:
            yield AnalysisWarning(code, f"the template raises or loses text {what}")
    yield from _lost_answers(renderer, text)


def _lost_answers(renderer: Renderer, text: Conventions) -> Iterator[AnalysisWarning]:
    """Yield a warning where an answer is not in the prompt as it was given: then nothing can be proved of it."""
    rendered = turn_text(renderer, Turn(content=CONTENT), text)
    error = renderer.error_about_answers() if rendered is None else None
    if error is not None:
        yield AnalysisWarning(
            "answers-refused", f"the template raises on an answer: {renderer.why(error)}", error.line
        )
    if rendered is not None and CONTENT not in rendered:
        yield AnalysisWarning("answers-not-rendered", "the template does not print what the assistant says")
        return
    lines = f"{CONTENT}\n\n{CONTENT}"
    rendered = turn_text(renderer, Turn(content=lines), text)
    if rendered is not None and lines not in rendered:
        yield AnalysisWarning("answers-changed", "the template prints an answer of two paragraphs otherwise")


def _unusual_calls(called: Conventions) -> list[AnalysisWarning]:
    found = []
    if called.arguments_as_string:
        found.append(
            AnalysisWarning("string-arguments", "the template needs a call's arguments as JSON text")
        )
    if called.call_content in (None, ABSENT):
        found.append(
            AnalysisWarning(
                "null-content", "the template renders a call only where content is null or absent"
            )
        )
    if called.answered:
        found.append(
            AnalysisWarning("answered-calls", "the template renders a call only where more turns follow")
        )
    if called.flat_tools:
        found.append(
            AnalysisWarning("flat-tools", "the template reads tools without their `function` around")
        )
    if called.text_values:
        found.append(AnalysisWarning("text-values", "the template raises on arguments that are not text"))
    if called.flat_calls:
        found.append(
            AnalysisWarning(
                "flat-calls", "the template reads name and arguments beside `function`, not inside"
            )
        )
    return found
