"""An engine for a format of its own, so that judging and running are tested without inference.

An output is `<think>R</think>C<call>NAME JSON</call>`, each part optional. Flaws can be switched on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from autoparser_cli.analysis.model import (
    Capabilities,
    ContentFields,
    ReasoningFields,
    TemplateAnalysis,
    ToolFields,
    TurnFormat,
)
from autoparser_cli.cases.model import Case, TemplateRef
from autoparser_cli.errors import SourceError
from autoparser_cli.messages import Delta, Message, ToolCall, ToolCallDelta

SHAPE = re.compile(r"(?:<think>(?P<r>.*?)</think>)?(?P<c>.*?)(?P<calls>(?:<call>.*?</call>)*)", re.S)
CALL = re.compile(r"<call>(\w+) (.*?)</call>", re.S)

ANALYSIS = TemplateAnalysis(
    template="stub",
    capabilities=Capabilities(),
    reasoning=ReasoningFields(start="<think>\n"),
    content=ContentFields(),
    tools=ToolFields(),
    turn=TurnFormat("", (), ""),
    calls=None,
    generation_prompt="<bot>",
    preserved_tokens=("<think>",),
)


@dataclass(frozen=True)
class StubError:
    offset: int
    expected: tuple[str, ...] = ("</call>",)
    unparsed: str = ""
    line: int = 1

    @property
    def column(self) -> int:
        return self.offset + 1


@dataclass(frozen=True)
class StubResult:
    message: Message
    error: StubError | None = None


def parse_stub(text: str) -> StubResult:
    open_at = text.rfind("<call>")
    if open_at > text.rfind("</call>"):
        return replace(parse_stub(text[:open_at]), error=StubError(len(text), unparsed=text[open_at:]))
    match = SHAPE.fullmatch(text)
    assert match is not None
    calls = tuple(ToolCall(name, arguments) for name, arguments in CALL.findall(match["calls"]))
    return StubResult(Message(match["c"], match["r"] or "", calls))


@dataclass
class StubStream:
    flaw: str
    chunks: list[str] = field(default_factory=list)
    last_deltas: tuple[Delta, ...] = ()

    def feed(self, chunk: str, /) -> Iterable[Delta]:
        self.chunks.append(chunk)
        if self.flaw == "partial":
            return [Delta(content=chunk)]
        return []

    def close(self) -> StubResult:
        result = parse_stub("".join(self.chunks))
        message = result.message
        if self.flaw == "cut" and len(self.chunks) > 1:
            return StubResult(replace(message, content=message.content + "!"))
        calls = [
            Delta(tool_call=ToolCallDelta(index, None, call.name, call.arguments))
            for index, call in enumerate(message.tool_calls)
        ]
        texts = [Delta(reasoning_content=message.reasoning_content), Delta(content=message.content)]
        self.last_deltas = tuple(calls if self.flaw == "sum" else [*texts, *calls])
        return result


@dataclass(frozen=True)
class StubParser:
    flaw: str

    def parse(self, output: str, /) -> StubResult:
        if self.flaw == "crash":
            raise KeyError("a bug")
        return parse_stub(output)

    def stream(self) -> StubStream:
        return StubStream(self.flaw)


@dataclass(frozen=True)
class StubEngine:
    flaw: str = ""
    prompt_text: str = "user: Hello\n<bot>"
    forgiven: Message | None = None
    analysis: TemplateAnalysis = ANALYSIS

    def parser(self, case: Case, *, lenient: bool = False) -> Any:
        if lenient and self.forgiven is not None:
            forgiven = StubResult(self.forgiven)
            return type("Forgiving", (), {"parse": lambda self, output: forgiven})()
        return StubParser(self.flaw)

    def prompt(self, case: Case) -> str:
        return self.prompt_text

    def generate(self, case: Case, content_chars: int) -> str:
        import json

        from autoparser_cli.cases.engine import generated_call, generated_text

        name, arguments = generated_call(case, "a.txt", generated_text(content_chars))
        return f"<call>{name} {json.dumps(arguments)}</call>"

    def render(self, case: Case, kwargs: Mapping[str, Any]) -> str:
        return self.prompt_text


def load_stub(ref: TemplateRef, *, cache: bool = False) -> StubEngine:
    """Load an engine by its template's name: `broken` cannot be loaded, others have the flaw they name."""
    name = ref.source or (ref.path.stem if ref.path else "")
    if name == "broken":
        raise SourceError("broken: cannot be read")
    return StubEngine(flaw=name if name in ("cut", "sum", "crash", "partial") else "")
