"""Cases written in Python tests: `case(template).output(...).tools(...).expect(...).run()`.

Each step returns a new builder, so that a common beginning can be shared. `run` raises AssertionError with
expected and got; `result` returns how it went.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from autoparser_cli.cases.engine import Engine, TemplateEngine
from autoparser_cli.cases.expectations import read_expected
from autoparser_cli.cases.judging import judge
from autoparser_cli.cases.model import Case, CaseResult, ExpectedError, Status, TemplateRef
from autoparser_cli.frozen import frozen
from autoparser_cli.messages import Message, read_tools
from autoparser_cli.templates import ChatTemplate


def case(template: str | Path | ChatTemplate) -> CaseBuilder:
    """Begin a case for a template: a path, or one that is loaded already. Raise SourceError."""
    loaded = template if isinstance(template, ChatTemplate) else _load(Path(template).resolve())
    name = loaded.name
    return CaseBuilder(_engine(loaded), Case(name, "", "", TemplateRef(path=Path(name))))


@frozen
class CaseBuilder:
    """A case that is being put together."""

    engine: Engine
    built: Case
    with_chunks: bool = True

    def output(self, text: str) -> CaseBuilder:
        """Set the model's output."""
        return self._with(output=text)

    def messages(self, messages: Sequence[Mapping[str, Any]]) -> CaseBuilder:
        """Set the conversation before the output."""
        return self._with(messages=tuple(messages))

    def tools(self, tools: Sequence[Mapping[str, Any]]) -> CaseBuilder:
        """Set the tools, in OpenAI's shape. Raise ToolsError."""
        read_tools(list(tools))
        return self._with(tools=tuple(tools))

    def template_kwargs(self, /, **kwargs: Any) -> CaseBuilder:
        """Add variables for the template."""
        return self._with(template_kwargs={**self.built.template_kwargs, **kwargs})

    def enable_thinking(self, enabled: bool = True) -> CaseBuilder:
        """Turn thinking on or off, for templates that read `enable_thinking`."""
        return self.template_kwargs(enable_thinking=enabled)

    def generation_prompt(self, text: str) -> CaseBuilder:
        """Set what the prompt ended with, in place of rendering it."""
        return self._with(generation_prompt=text)

    def tool_choice(self, choice: str | Mapping[str, Any]) -> CaseBuilder:
        """Set `auto`, `required`, `none` or a named function."""
        return self._with_options(tool_choice=choice)

    def reasoning_format(self, name: str) -> CaseBuilder:
        """Set `auto` (extract reasoning) or `none` (leave it in the content)."""
        return self._with_options(reasoning_format=name)

    def parallel_tool_calls(self, allowed: bool = True) -> CaseBuilder:
        """Allow or forbid more than one call."""
        return self._with_options(parallel_tool_calls=allowed)

    def json_schema(self, schema: Mapping[str, Any]) -> CaseBuilder:
        """Set the schema that the content follows."""
        return self._with_options(json_schema=schema)

    def add_generation_prompt(self, added: bool) -> CaseBuilder:
        """Render the prompt with the generation prompt, or without."""
        return self._with_options(add_generation_prompt=added)

    def continue_final_message(self, field: str = "content") -> CaseBuilder:
        """Let the output go on with the last message's `content` or `reasoning`."""
        return self._with_options(continue_final_message=field)

    def partial(self, more_to_come: bool = True) -> CaseBuilder:
        """Judge what is known before the output ends."""
        return self._with(partial=more_to_come)

    def truncated(self, cut: bool = True) -> CaseBuilder:
        """Say that the output was cut for good."""
        return self._with(truncated=cut)

    def never_leak(self, *markers: str) -> CaseBuilder:
        """Name markers that must not stand in the message."""
        return self._with(never_leak=(*self.built.never_leak, *markers))

    def chunks(self, checked: bool | Sequence[str] = True) -> CaseBuilder:
        """Leave the checks with chunks out (False), or add a cut of your own to them."""
        if isinstance(checked, bool):
            return replace(self, with_chunks=checked)
        return self._with(chunks=tuple(checked))

    def expect(
        self,
        message: Message | None = None,
        *,
        content: str = "",
        reasoning: str = "",
        tool_calls: Sequence[Mapping[str, Any]] = (),
    ) -> CaseBuilder:
        """Expect a message, or these parts of one: calls as `{"name": ..., "arguments": {...}}`."""
        if message is not None:
            content, reasoning = message.content, message.reasoning_content
            tool_calls = [
                {"name": call.name, "arguments": call.arguments, "id": call.id} for call in message.tool_calls
            ]
        data = {"content": content, "reasoning_content": reasoning, "tool_calls": list(tool_calls)}
        return self._with(expect=read_expected(data, "expect", partial=self.built.partial), expect_error=None)

    def expect_error(self, *accept: str) -> CaseBuilder:
        """Expect that there is no valid call; without `accept`, that the parse has an error."""
        return self._with(
            expect=None, expect_error=ExpectedError("as the test says", accept or ("exception",))
        )

    def result(self) -> CaseResult:
        """Judge the case and return how it went."""
        return judge(self.built, self.engine, chunks=self.with_chunks)

    def run(self) -> CaseResult:
        """Judge the case. Raise AssertionError where it did not pass."""
        result = self.result()
        if result.status is not Status.PASSED:
            details = [("expected", result.expected), ("got", result.got), ("parse error", result.error)]
            shown = "".join(f"\n--- {name}\n{text}" for name, text in details if text)
            raise AssertionError(f"{result.id}: {result.reason}{shown}")
        return result

    def _with(self, **changes: Any) -> CaseBuilder:
        return replace(self, built=replace(self.built, **changes))

    def _with_options(self, **changes: Any) -> CaseBuilder:
        return self._with(options=replace(self.built.options, **changes))


@lru_cache(maxsize=64)
def _load(path: Path) -> ChatTemplate:
    return ChatTemplate.load(path)


@lru_cache(maxsize=64)
def _engine(template: ChatTemplate) -> TemplateEngine:
    """Keep the engine, and so the analysis, of a template that several cases share."""
    return TemplateEngine(template)
