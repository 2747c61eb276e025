"""Every template of a folder x ten conversations, rendered by us and by transformers -> equal / tried, and
what differs.

    python benchmarks/compare_rendering.py ../shared/templates [--every N]

Two renders are equal where both give the same text or both raise. A difference is explained where we rendered
what transformers' sandbox alone refuses, and recorded that as a portability warning. Exits with 1 where a
difference is not explained. Needs transformers (it runs without torch), whose clock is set to ours.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from autoparser_cli.errors import AutoparserError, RenderError
from autoparser_cli.templates import ChatTemplate, RenderInputs
from autoparser_cli.templates.environment import FROZEN_NOW

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": 'Tell the weather of a place, like <b>Zürich</b> & "Bâle".',
            "parameters": {
                "type": "object",
                "properties": {
                    "place": {"type": "string", "description": "Name of the place"},
                    "days": {"type": "integer", "default": 1},
                    "units": {"type": "string", "enum": ["metric", "imperial"]},
                    "extra": {"type": ["object", "null"], "properties": {"wind": {"type": "boolean"}}},
                },
                "required": ["place"],
            },
        },
    },
    {"type": "function", "function": {"name": "now", "description": "Tell the time", "parameters": {}}},
]

SYSTEM = {"role": "system", "content": "Be brief."}
USER = {"role": "user", "content": "How is the weather in Zürich?\n"}
ANSWER = {"role": "assistant", "content": "  Sunny, with 'quotes' and <b>tags</b>. "}
PARTS = [{"type": "text", "text": "Look at "}, {"type": "text", "text": "this."}]
RESULT = {"role": "tool", "tool_call_id": "call00001", "name": "get_weather", "content": '{"sun": true}'}


def call_turn(content: str | None, arguments: Any, **more: Any) -> dict[str, Any]:
    """Make an assistant turn with one call."""
    call = {
        "id": "call00001",
        "type": "function",
        "function": {"name": "get_weather", "arguments": arguments},
    }
    return {"role": "assistant", "content": content, "tool_calls": [call], **more}


OBJECT_ARGUMENTS = {
    "place": "Zürich",
    "days": 3,
    "extra": {"wind": True, "gusts": None, "list": [1, 2.5, "x"]},
}

CONVERSATIONS: dict[str, RenderInputs] = {
    "user": RenderInputs([USER]),
    "user, prompt": RenderInputs([USER], add_generation_prompt=True),
    "system, tools, prompt": RenderInputs([SYSTEM, USER], tools=TOOLS, add_generation_prompt=True),
    "call, null content": RenderInputs([USER, call_turn(None, OBJECT_ARGUMENTS)], tools=TOOLS),
    "call, result, prompt": RenderInputs(
        [SYSTEM, USER, call_turn("I look.", OBJECT_ARGUMENTS), RESULT],
        tools=TOOLS,
        add_generation_prompt=True,
    ),
    "call, text arguments, result, answer, user": RenderInputs(
        [USER, call_turn("", '{"place": "Zürich"}'), RESULT, ANSWER, USER], tools=TOOLS
    ),
    "reasoning and call": RenderInputs(
        [USER, call_turn("So:", OBJECT_ARGUMENTS, reasoning_content="Let me\nthink."), RESULT, ANSWER],
        tools=TOOLS,
        kwargs={"enable_thinking": True, "bos_token": "<s>", "eos_token": "</s>"},
    ),
    "typed parts": RenderInputs(
        [
            {"role": "user", "content": PARTS},
            {"role": "assistant", "content": PARTS, "thinking": "Hm."},
            USER,
        ],
        add_generation_prompt=True,
        kwargs={"enable_thinking": False},
    ),
    "continue": RenderInputs([USER, ANSWER], continue_final_message=True),
    "continue reasoning": RenderInputs(
        [SYSTEM, USER, {**ANSWER, "reasoning_content": "Let me "}],
        continue_final_message="reasoning_content",
    ),
}


@dataclass(frozen=True)
class Comparison:
    """One template and one conversation: both results (a text or the error), and what we recorded."""

    template: str
    conversation: str
    ours: str | RenderError
    theirs: str | Exception
    recorded: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Tell whether both give the same text or both raise."""
        if isinstance(self.ours, str) or isinstance(self.theirs, str):
            return self.ours == self.theirs
        return True

    @property
    def explained(self) -> bool:
        """Tell whether a difference is recorded: only we rendered, with portability warnings."""
        return self.equal or (not isinstance(self.theirs, str) and bool(self.recorded))


def compare(path: Path) -> Iterator[Comparison]:
    """Render all conversations with both."""
    source = path.read_text("utf-8")
    for name, inputs in CONVERSATIONS.items():
        recorded: tuple[str, ...] = ()
        ours: str | RenderError
        try:
            rendering = _load(path).rendering(inputs)
            ours, recorded = rendering.text, tuple(liberty.code for liberty in rendering.liberties)
        except RenderError as error:
            ours = error
        except AutoparserError as error:
            ours = RenderError(str(error), kind=type(error).__name__)
        yield Comparison(path.name, name, ours, render_theirs(source, inputs), recorded)


def render_theirs(source: str, inputs: RenderInputs) -> str | Exception:
    """Render with transformers, as its `apply_chat_template` calls the renderer."""
    reference: Any = importlib.import_module("transformers.utils.chat_template_utils")
    reference.datetime = _FrozenDatetime
    try:
        messages = reference._normalize_chat_messages(list(inputs.messages))
        rendered, _ = reference.render_jinja_template(
            [messages],
            tools=inputs.tools,
            chat_template=source,
            add_generation_prompt=inputs.add_generation_prompt,
            continue_final_message=inputs.continue_final_message or False,
            **inputs.kwargs,
        )
        text: str = rendered[0]
        return text
    except Exception as error:
        return error


_loaded: dict[Path, ChatTemplate] = {}


def _load(path: Path) -> ChatTemplate:
    if path not in _loaded:
        _loaded.clear()
        _loaded[path] = ChatTemplate.load(path)
    return _loaded[path]


class _FrozenDatetime(datetime):
    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return FROZEN_NOW


def main() -> int:
    """Compare, and write what differs and the figures."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--every", type=int, default=1, help="take every Nth template only")
    options = arguments.parse_args()
    started = time.perf_counter()
    paths = sorted(options.folder.rglob("*.jinja"))[:: options.every]
    results = [comparison for path in paths for comparison in compare(path)]
    for result in results:
        if not result.equal:
            _write_difference(result)
    equal = sum(result.equal for result in results)
    texts = sum(isinstance(result.ours, str) for result in results)
    kinds = sum(_kinds_differ(result) for result in results)
    unexplained = sum(not result.explained for result in results)
    _write(f"{len(paths)} templates, {time.perf_counter() - started:.1f} s")
    _write(f"equal {equal} / tried {len(results)}")
    _write(f"of these {texts} are a text, and {kinds} raise another exception")
    _write(f"differences: {len(results) - equal}, not recorded as warnings: {unexplained}")
    return 1 if unexplained else 0


def _write_difference(result: Comparison) -> None:
    if result.explained:
        _write(f"recorded: {result.template} ({result.conversation}): {', '.join(result.recorded)}")
        return
    _write(f"UNEXPLAINED: {result.template} ({result.conversation})")
    _write(f"    ours:   {result.ours!r:.300}")
    _write(f"    theirs: {result.theirs!r:.300}")


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")


def _kinds_differ(result: Comparison) -> bool:
    if isinstance(result.ours, str) or isinstance(result.theirs, str):
        return False
    return result.ours.kind != type(result.theirs).__name__


if __name__ == "__main__":
    sys.exit(main())
