"""A template, analysed once, and the parsers of its cases.

`Engine` is what judging needs; `TemplateEngine` is the real one, and tests may give another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.cases.model import Case, CaseOptions, TemplateRef
from autoparser_cli.errors import CaseError, RenderError, ResourceLimitError
from autoparser_cli.messages import Delta, Message, read_tools
from autoparser_cli.templates import ChatTemplate, RenderInputs

if TYPE_CHECKING:
    from autoparser_cli.grammars.export import ExportedGrammar
    from autoparser_cli.parsing import OutputParser


class Located(Protocol):
    """An error of a parse: where it is, and what would have fitted there."""

    @property
    def offset(self) -> int:
        """0-based, in code points of the output."""

    @property
    def line(self) -> int:
        """1-based."""

    @property
    def column(self) -> int:
        """1-based."""

    @property
    def expected(self) -> tuple[str, ...]:
        """What would have fitted, for people."""

    @property
    def unparsed(self) -> str:
        """The tail that was not used."""


class Outcome(Protocol):
    """What a parse gives: the message, and the error where the output is not as the format says."""

    @property
    def message(self) -> Message:
        """What was recognised."""

    @property
    def error(self) -> Located | None:
        """None where all is well."""


class CaseStream(Protocol):
    """One output that arrives in pieces."""

    def feed(self, chunk: str, /) -> Iterable[Delta]:
        """Take a piece and return what is now known."""

    def close(self) -> Outcome:
        """End the output."""

    @property
    def last_deltas(self) -> Iterable[Delta]:
        """What became known only at the close."""


class CaseParser(Protocol):
    """The parser of one case's output."""

    def parse(self, output: str, /) -> Outcome:
        """Parse a whole output."""

    def stream(self) -> CaseStream:
        """Start an output that arrives in pieces."""


class Engine(Protocol):
    """All that judging needs of one template."""

    def parser(self, case: Case, *, lenient: bool = False) -> CaseParser:
        """Build the parser for the case's tools, options and prompt."""

    def grammar(self, case: Case, *, whole: bool) -> ExportedGrammar:
        """Write the grammar of the case's parser as GBNF: of the whole output, or from a trigger on."""

    def prompt(self, case: Case) -> str:
        """Render what stands before the case's output."""

    def generate(self, case: Case, content_chars: int) -> str:
        """Make the long output that the case's generator describes."""

    @property
    def analysis(self) -> TemplateAnalysis:
        """What the template's analysis found."""

    def render(self, case: Case, kwargs: Mapping[str, Any]) -> str:
        """Render the case's conversation as it is."""


@dataclass(frozen=True)
class TemplateEngine:
    """The engine of a real template; the analysis is made when it is first needed, and kept."""

    template: ChatTemplate
    cache: bool = field(default=False, kw_only=True)

    @classmethod
    def load(cls, ref: TemplateRef, *, cache: bool = False) -> TemplateEngine:
        """Load and parse a template. `cache`: its analysis may come from the user's cache folder.

        Raise SourceError, TemplateSyntaxError.
        """
        if ref.path is not None:
            return cls(ChatTemplate.load(ref.path), cache=cache)
        return cls(ChatTemplate.from_source(ref.source or "", name=ref.label), cache=cache)

    @cached_property
    def analysis(self) -> TemplateAnalysis:
        """What the template's analysis found."""
        from autoparser_cli.inference import analyze
        from autoparser_cli.inference.limits import template_limits

        with template_limits():
            return analyze(self.template, cache=self.cache)

    def parser(self, case: Case, *, lenient: bool = False) -> OutputParser:
        """Build the parser for the case's tools, options and prompt. Raise CaseError."""
        from autoparser_cli.parsing import build_parser

        prompt = case.generation_prompt
        if prompt is None:
            prompt = self.prompt_tail(case)
        tools = read_tools(list(case.tools))
        asked = _asked(case.options)
        analysis = self.analysis
        try:
            return build_parser(analysis, tools=tools, generation_prompt=prompt, lenient=lenient, **asked)
        except ValueError as error:
            raise CaseError(f"the options cannot be used: {error}") from None

    def grammar(self, case: Case, *, whole: bool) -> ExportedGrammar:
        """Write the grammar of the case's parser as GBNF. Raise FormatError where there is none."""
        from autoparser_cli.grammars.dialects import Dialect
        from autoparser_cli.grammars.export import export

        return export(self.analysis, self.parser(case), Dialect.GBNF, whole_output=whole)

    def prompt(self, case: Case) -> str:
        """Render what stands before the case's output. Raise RenderError."""
        options = case.options
        if options.continue_final_message is not None:
            field = "content" if options.continue_final_message == "content" else "reasoning_content"
            return self._render(case, continue_final_message=field)
        return self._render(case, add_generation_prompt=options.add_generation_prompt)

    def prompt_tail(self, case: Case) -> str:
        """Return the end of the rendered prompt that the assistant's turn begins with.

        It is what `add_generation_prompt` adds behind the same conversation; where the two renders part
        inside the conversation, what stands behind their common part; and the whole prompt where nothing is
        added, since the turn's opening may then stand anywhere in it. A continued message is compared with
        the conversation without that message.
        """
        from autoparser_cli.diffing.split import split_diff

        prompt = self.prompt(case)
        continued = case.options.continue_final_message is not None
        messages = case.messages[:-1] if continued else case.messages
        without = self._render(case, messages=messages) if messages else ""
        if prompt.startswith(without):
            tail = prompt[len(without) :]
        else:
            tail = prompt[len(split_diff(without, prompt).prefix) :]
        return tail or prompt

    def generate(self, case: Case, content_chars: int) -> str:
        """Render one call to the case's first tool with a long text, and cut the turn's text out.

        The text has words, spaces and line breaks, so that it looks like what a model writes.
        """
        long_text = generated_text(content_chars)
        path = case.generator.path if case.generator is not None else ""
        return self.call_text(case, *generated_call(case, path, long_text))

    def call_text(self, case: Case, name: str, arguments: Mapping[str, Any] | str) -> str:
        """Render a turn that holds one call, and cut the turn's text out. Raise RenderError."""
        call = {
            "id": "call00000",
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        turn = {"role": "assistant", "content": "", "tool_calls": [call]}
        before = self._render(case)
        text = self._render(case, messages=(*case.messages, turn))
        text = text[len(before) :] if text.startswith(before) else text
        prompt = self.prompt_tail(case)
        found = self.analysis.turn
        start = prompt if text.startswith(prompt) else found.header
        end = found.end if found.end and text.endswith(found.end) else ""
        return text.removeprefix(start).removesuffix(end)

    def render(self, case: Case, kwargs: Mapping[str, Any]) -> str:
        """Render the conversation as the case has it, null values included, with more `kwargs`.

        Raise RenderError.
        """
        return self._render(case, kwargs={**case.template_kwargs, **kwargs}, keep_nulls=True)

    def _render(self, case: Case, **changes: Any) -> str:
        """Render with what a tokenizer would bring: a bare template file has no special tokens.

        Those that it reads are given as empty texts, but only where it does not render without them.
        """
        inputs: dict[str, Any] = {
            "messages": case.messages,
            "tools": list(case.tools) or None,
            "kwargs": case.template_kwargs,
            **changes,
        }
        from autoparser_cli.inference.limits import template_time_limit

        with template_time_limit():
            return self._render_with_tokens(inputs)

    def _render_with_tokens(self, inputs: dict[str, Any]) -> str:
        try:
            return self.template.render(RenderInputs(**inputs))
        except ResourceLimitError:
            raise
        except RenderError:
            tokens = {name: "" for name in self.template.variables if name.endswith("_token")}
            if not tokens.keys() - inputs["kwargs"].keys():
                raise
            inputs["kwargs"] = {**tokens, **self.template.special_tokens, **inputs["kwargs"]}
            return self.template.render(RenderInputs(**inputs))


def _asked(options: CaseOptions) -> dict[str, Any]:
    """Return the options that the case sets, as a parser takes them; a named function as its name."""
    choice = options.tool_choice
    if isinstance(choice, Mapping):
        choice = choice.get("function", choice).get("name")
    asked: dict[str, Any] = {
        "tool_choice": choice,
        "parallel_tool_calls": options.parallel_tool_calls,
        "reasoning_format": options.reasoning_format,
        "json_schema": options.json_schema,
        "continue_final_message": options.continue_final_message,
    }
    return {name: value for name, value in asked.items() if value is not None}


def generated_text(chars: int) -> str:
    """Return a text of exactly that many characters, with words and lines, without white space at its end."""
    line = "for item in range(10): print(item)  # and < so > on\n"
    return (line * (chars // len(line) + 1))[: chars - 1] + "." if chars else ""


def generated_call(case: Case, path: str, text: str) -> tuple[str, dict[str, str]]:
    """Return the name and the arguments of the call that a generated output makes.

    The first tool's parameter `path` gets the short text, and its first other text parameter the long one.
    """
    tool = read_tools(list(case.tools))[0]
    properties = list(tool.parameters.get("properties", {}))
    long_name = next((name for name in properties if name != "path"), "content")
    arguments = {name: path if name == "path" else text for name in properties if name in ("path", long_name)}
    return tool.name, arguments or {long_name: text}
